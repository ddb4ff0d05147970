/** What a route is: where it stands, and what answers there. */
import type { IncomingMessage } from 'node:http';
import type { Service } from '../../service/index.js';

/** What a handler answers; `body` is sent as JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  /** Below the base path; compared as a whole. */
  readonly path: string;
  /** @throws {ServiceError} For whatever the request is refused for. */
  answer(request: IncomingMessage, service: Service): Promise<Answer>;
}
