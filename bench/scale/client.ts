/** Sends requests over persistent connections, one at a time on each, and measures the time of each request. */
import { Agent, request as sendRequest } from 'node:http';
import { HOST } from './service-process.js';

export interface HttpRequest {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** A client of one service. */
export interface Client {
  readonly send: (request: HttpRequest) => Promise<HttpResponse>;
  readonly close: () => void;
}

export function createClient(port: number): Client {
  const agent = new Agent({ keepAlive: true });
  const send: Client['send'] = (given) =>
    new Promise((resolve, reject) => {
      const { method = 'GET', path, headers = {}, body } = given;
      const text = body === undefined ? undefined : JSON.stringify(body);
      const options = {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: {
          Host: HOST,
          ...(text === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
          ...headers,
        },
      };
      const sent = sendRequest(options, (response) => {
        let received = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          received += chunk;
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received }),
        );
      });
      sent.on('error', (error) => {
        // The service closed the idle connection at this moment, before it received the request.
        if (sent.reusedSocket) resolve(send(given));
        else reject(error);
      });
      sent.end(text);
    });
  return { close: () => agent.destroy(), send };
}

/** The times of one period of load. */
export interface Slice {
  /** The time of each task. */
  readonly ms: readonly number[];
  /** The length of the period. */
  readonly seconds: number;
}

/**
 * Runs a task repeatedly until the time is over.
 *
 * @param connections - Number of tasks that run at the same time, each with at most one request.
 * @param task - Returns `false` if there is nothing left to do.
 */
export async function runFor(ms: number, connections: number, task: () => Promise<boolean>): Promise<Slice> {
  const times: number[] = [];
  const startedAt = performance.now();
  const work = async () => {
    for (let from = performance.now(); from - startedAt < ms; from = performance.now()) {
      if (!(await task())) return;
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return { ms: times, seconds: (performance.now() - startedAt) / 1_000 };
}
