/**
 * Sends one request repeatedly over several connections, on behalf of the process that forked this one. Each message describes the requests;
 * the reply is a {@link Load}. Uses sockets, since load generators that measure only whole seconds do not allow short slices.
 */
import { connect } from 'node:net';

/** Requests to send. */
export interface LoadRequest {
  readonly url: string;
  readonly token: string;
  readonly body: string;
  /** Number of connections. Each sends a request as soon as the previous one was answered. */
  readonly connections: number;
  /** Duration of the slice. */
  readonly ms: number;
}

/** The result of a slice of load. */
export interface Load {
  readonly responses: number;
  readonly seconds: number;
  /** Why the slice failed: a response that is not 200, or an error of a connection. */
  readonly failure?: string;
}

const MS_PER_SECOND = 1_000;
const END_OF_HEAD = '\r\n\r\n';

process.on('message', (request: LoadRequest) => {
  run(request).then(
    (load) => process.send?.(load),
    (error: unknown) => process.send?.({ responses: 0, seconds: 0, failure: String(error) } satisfies Load),
  );
});

async function run({ connections, ms, ...request }: LoadRequest): Promise<Load> {
  const startedAt = performance.now();
  const endsAt = startedAt + ms;
  const counts = await Promise.all(Array.from({ length: connections }, () => sendUntil(endsAt, request)));
  const seconds = (performance.now() - startedAt) / MS_PER_SECOND;
  return { responses: counts.reduce((sum, count) => sum + count, 0), seconds };
}

/** Sends requests over one connection; returns the number of responses. */
function sendUntil(
  endsAt: number,
  { url, token, body }: Pick<LoadRequest, 'url' | 'token' | 'body'>,
): Promise<number> {
  const { hostname, port, host, pathname } = new URL(url);
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const request = `${head.join('\r\n')}${END_OF_HEAD}${body}`;
  return new Promise((resolve, reject) => {
    let count = 0;
    let received = '';
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    // One code unit per byte, so that lengths are those of `Content-Length`.
    socket.setEncoding('latin1');
    socket.on('connect', () => socket.write(request));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed')));
    socket.on('data', (chunk: string) => {
      received += chunk;
      const headEnd = received.indexOf(END_OF_HEAD);
      if (headEnd < 0) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1]);
      if (!received.startsWith('HTTP/1.1 200 ')) reject(new Error(received));
      if (received.length < headEnd + END_OF_HEAD.length + length) return;
      received = '';
      count += 1;
      if (performance.now() < endsAt) {
        socket.write(request);
        return;
      }
      resolve(count);
      socket.destroy();
    });
  });
}
