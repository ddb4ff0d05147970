/** What a route is: where it stands, who may call it from a browser, and what answers there. */
import type { IncomingMessage } from 'node:http';
import type { Service } from '../../service/index.js';

type Headers = Readonly<Record<string, string>>;

/** What a handler answers. */
export type Answer =
  | { readonly kind: 'json'; readonly status: number; readonly headers?: Headers; readonly body: unknown }
  | { readonly kind: 'page'; readonly status: number; readonly headers?: Headers; readonly html: string }
  | { readonly kind: 'redirect'; readonly location: string; readonly headers?: Headers };

/**
 * Which other origins may call from a browser: those of registered redirect URIs, any at all, or none (S22, S23).
 */
export type CrossOrigin = 'registered' | 'anyone' | 'none';

/** What a handler may know of the program around it. */
export interface Deployment {
  /** Of the program, told at `/health`; absent where strangers are not to know it (S29). */
  readonly version?: string;
}

export interface Route {
  readonly methods: readonly ('GET' | 'POST')[];
  /** From the origin's root; compared as a whole. */
  readonly path: string;
  readonly crossOrigin: CrossOrigin;
  /** Whether a refusal is shown to a person, as a page, and not to a program. */
  readonly page?: boolean;
  /** @throws {ServiceError} For whatever the request is refused for. */
  answer(request: IncomingMessage, service: Service, deployment: Deployment): Promise<Answer>;
}

/** What stands before each path of the interface: the issuer's own path. */
export const BASE_PATH = '/v2';

/** An answer of JSON with status 200. */
export function json(body: unknown): Answer {
  return { kind: 'json', status: 200, body };
}
