/** Messages between the supervisor and the processes of one instance. */
import type { StopMode } from '../signals.js';

/** The output of the process that starts first. */
export interface Announcement {
  /** Text for standard output. */
  readonly banner: string;
  /** Lines for standard error. */
  readonly notes: readonly string[];
}

/** A message in either direction. `call` requests metrics: from a process, its own; from the supervisor, those of all processes. */
export type Message =
  | { readonly kind: 'ready'; readonly announcement: Announcement }
  | { readonly kind: 'stop'; readonly mode: StopMode }
  | { readonly kind: 'call'; readonly id: number }
  | { readonly kind: 'return'; readonly id: number; readonly value: unknown };

/** One end of the channel between two processes. */
export interface Peer {
  /** Handles messages of calls, and returns `undefined`; returns every other message, which the caller must handle. */
  receive(message: Message): Exclude<Message, { kind: 'call' | 'return' }> | undefined;
  /** Calls the other end. Resolves to `undefined` if the call fails there. Never settles if the other end has gone. */
  call(): Promise<unknown>;
}

/** @param handleCall - Computes the result of a call by the other end. */
export function createPeer(send: (message: Message) => void, handleCall: () => Promise<unknown>): Peer {
  const pending = new Map<number, (value: unknown) => void>();
  let lastId = 0;
  return {
    receive: (message) => {
      switch (message.kind) {
        case 'call':
          handleCall().then(
            (value) => send({ kind: 'return', id: message.id, value }),
            () => send({ kind: 'return', id: message.id, value: undefined }),
          );
          return undefined;
        case 'return':
          pending.get(message.id)?.(message.value);
          pending.delete(message.id);
          return undefined;
        default:
          return message;
      }
    },
    call: () =>
      new Promise((resolve) => {
        lastId += 1;
        pending.set(lastId, resolve);
        send({ kind: 'call', id: lastId });
      }),
  };
}
