/** Requests of a soak test over persistent connections; reports requests without a timely response as hanging. */
import { Agent, request } from 'node:http';

/** Longer than every wait of the service's. */
const HANG_MS = 15_000;
const MAX_SOCKETS = 256;

export interface Answer {
  readonly status: number;
  /** Parsed where it is JSON; the text otherwise. */
  readonly body: unknown;
  readonly headers: NodeJS.Dict<string | string[]>;
}

export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** Thrown where there was no answer: cut off, refused, or too late. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly hangs: boolean;

  constructor(cause: unknown, hangs: boolean) {
    super(hangs ? `no answer for ${HANG_MS} ms` : String(cause), { cause });
    this.hangs = hangs;
  }
}

export interface Requests {
  /** @throws {NoAnswer} */
  ask(asked: Asked): Promise<Answer>;
  close(): void;
}

export function openRequests(port: number): Requests {
  // First in, first out: no connection is idle for so long that the service ends it while we send.
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, scheduling: 'fifo' });
  return {
    ask: (asked) =>
      new Promise((resolve, reject) => {
        const content = contentOf(asked);
        const headers = {
          ...(content === undefined
            ? {}
            : { 'Content-Type': content.type, 'Content-Length': Buffer.byteLength(content.text) }),
          ...asked.headers,
        };
        const method = asked.method ?? (content === undefined ? 'GET' : 'POST');
        const sent = request(
          { agent, host: '127.0.0.1', port, method, path: asked.path, headers },
          (response) => {
            let text = '';
            response.setEncoding('utf8');
            response.on('data', (chunk: string) => {
              text += chunk;
            });
            response.on('error', (error) => settle(() => reject(new NoAnswer(error, false))));
            response.on('end', () =>
              settle(() =>
                resolve({ status: response.statusCode ?? 0, body: parsed(text), headers: response.headers }),
              ),
            );
          },
        );
        const timer = setTimeout(() => {
          settle(() => reject(new NoAnswer(undefined, true)));
          sent.destroy();
        }, HANG_MS);
        const settle = (act: () => void) => {
          clearTimeout(timer);
          act();
        };
        sent.on('error', (error) => settle(() => reject(new NoAnswer(error, false))));
        sent.end(content?.text);
      }),
    close: () => agent.destroy(),
  };
}

function contentOf({
  json,
  form,
  text,
}: Asked): { readonly type: string; readonly text: string } | undefined {
  if (json !== undefined) return { type: 'application/json', text: JSON.stringify(json) };
  if (form !== undefined)
    return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() };
  return text === undefined ? undefined : { type: 'application/json', text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
