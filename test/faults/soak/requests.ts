/** Requests of a soak test over persistent connections; reports requests without a timely response as hanging. */
import { Agent, request } from 'node:http';

/** A request without a response after this time counts as hanging. */
const HANG_MS = 15_000;
const MAX_SOCKETS = 256;

export interface SoakResponse {
  readonly status: number;
  /** Parsed JSON, or else the text. */
  readonly body: unknown;
  readonly headers: NodeJS.Dict<string | string[]>;
}

export interface SoakRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** Thrown if a request was cut off, refused, or not answered in time. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  readonly timedOut: boolean;

  constructor(cause: unknown, timedOut: boolean) {
    super(timedOut ? `no response within ${HANG_MS} ms` : String(cause), { cause });
    this.timedOut = timedOut;
  }
}

export interface Requests {
  /** @throws {NoResponse} */
  send(request: SoakRequest): Promise<SoakResponse>;
  close(): void;
}

export function openRequests(port: number): Requests {
  // First in, first out: no connection is idle for so long that the service closes it during a request.
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, scheduling: 'fifo' });
  return {
    send: (options) =>
      new Promise((resolve, reject) => {
        const content = contentOf(options);
        const headers = {
          ...(content === undefined
            ? {}
            : { 'Content-Type': content.type, 'Content-Length': Buffer.byteLength(content.text) }),
          ...options.headers,
        };
        const method = options.method ?? (content === undefined ? 'GET' : 'POST');
        const sent = request(
          { agent, host: '127.0.0.1', port, method, path: options.path, headers },
          (response) => {
            let text = '';
            response.setEncoding('utf8');
            response.on('data', (chunk: string) => {
              text += chunk;
            });
            response.on('error', (error) => settle(() => reject(new NoResponse(error, false))));
            response.on('end', () =>
              settle(() =>
                resolve({
                  status: response.statusCode ?? 0,
                  body: parseIfJson(text),
                  headers: response.headers,
                }),
              ),
            );
          },
        );
        const timer = setTimeout(() => {
          settle(() => reject(new NoResponse(undefined, true)));
          sent.destroy();
        }, HANG_MS);
        const settle = (act: () => void) => {
          clearTimeout(timer);
          act();
        };
        sent.on('error', (error) => settle(() => reject(new NoResponse(error, false))));
        sent.end(content?.text);
      }),
    close: () => agent.destroy(),
  };
}

function contentOf({
  json,
  form,
  text,
}: SoakRequest): { readonly type: string; readonly text: string } | undefined {
  if (json !== undefined) return { type: 'application/json', text: JSON.stringify(json) };
  if (form !== undefined)
    return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() };
  return text === undefined ? undefined : { type: 'application/json', text };
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
