/** What a route is: where it stands, what may be asked there, who may call it from a browser, and what answers. */
import type { ErrorSubcode } from '../../service/index.js';
import type { AssetType } from '../pages/assets.js';
import type { Headers, RequestContext } from '../request-context.js';
import type { BROWSER_SCHEMAS, RequestName } from '../schemas/requests.js';
import type { ResourceName } from '../schemas/resources.js';

/** What a handler answers. */
export type RouteResponse =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly headers?: Headers;
      /** A text is JSON already. */
      readonly body: unknown;
      /** Of a text in UTF-8, where it is known. */
      readonly byteLength?: number;
    }
  | { readonly kind: 'text'; readonly headers?: Headers; readonly type: string; readonly text: string }
  | { readonly kind: 'page'; readonly status: number; readonly headers?: Headers; readonly html: string }
  | { readonly kind: 'asset'; readonly type: AssetType; readonly headers?: Headers; readonly text: string }
  | { readonly kind: 'redirect'; readonly location: string; readonly headers?: Headers }
  /** Lines of JSON, sent while they are made. */
  | { readonly kind: 'lines'; readonly lines: AsyncIterable<string>; readonly headers?: Headers };

/**
 * Which other origins may call from a browser: those of registered redirect URIs, any at all, or none (S22, S23).
 */
export type CrossOrigin = 'registered' | 'anyone' | 'none';

export type Method = 'GET' | 'POST' | 'DELETE';

/** Who has to show what before they are answered. */
export type Caller =
  | 'anyone'
  | 'client'
  | 'confidential_client'
  | 'bearer'
  | 'bearer_or_client'
  | 'administrator'
  | 'decider';

/** A schema of what callers send. */
export type RequestSchemaName = RequestName | keyof typeof BROWSER_SCHEMAS;

/** What a method does at a route: the OpenAPI document is made of these. */
export interface Operation {
  /** Unique; generated clients name their functions after it. */
  readonly id: string;
  readonly summary: string;
  readonly caller: Caller;
  /** The query string. */
  readonly parameters?: RequestSchemaName;
  /** What stands in the path's `{…}`. */
  readonly pathParameter?: string;
  /** The body, whether it may be a form as well, and whether a request may have none. */
  readonly body?: { readonly schema: RequestSchemaName; readonly form: boolean; readonly optional?: boolean };
  /** What is answered when all went well. */
  readonly responses: readonly (ResourceName | 'page' | 'asset' | 'redirect' | 'metrics')[];
  /** The status of what is answered in JSON; 200 where absent. */
  readonly responseStatus?: 201;
  /** Whether it takes a DPoP proof for the tokens that it issues; operations that take an access token take one with it anyway. */
  readonly dpop?: boolean;
  /** Response headers of this operation alone, with their descriptions; each may be absent. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Whether the answer is lines of JSON, each of which is one of these. */
  readonly lines?: boolean;
  /** Why it may be refused, beside what goes without saying for its caller and its body. */
  readonly errors?: readonly ErrorSubcode[];
}

export interface Route {
  /** From the origin's root. A last segment `{name}` stands for any one. */
  readonly path: string;
  readonly operations: Readonly<Partial<Record<Method, Operation>>>;
  readonly crossOrigin: CrossOrigin;
  /** Whether a refusal is shown to a person, as a page, and not to a program. */
  readonly page?: boolean;
  /** Asked by who watches over the instance: not counted, and by whatever name it is reached. */
  readonly probe?: boolean;
  /**
   * Handles a request.
   *
   * @throws {ServiceError} For whatever the request is refused for.
   */
  handle(context: RequestContext): Promise<RouteResponse>;
}

/** What stands before each path of the interface: the issuer's own path. */
export const BASE_PATH = '/v2';

/** Sends the browser back with an outcome that has no code. */
export const AUTHORIZATION_RESULT_PATH = `${BASE_PATH}/oauth/authorize/result`;

/** The page where a person decides on an authorization. */
export function consentPath(authorizationId: string): string {
  return `/consent?authorization_id=${encodeURIComponent(authorizationId)}`;
}

/** The page to show after a sign-in: of the authorization that waits for it, or of the person's grants where the id is empty. */
export function pathAfterSignIn(authorizationId: string): string {
  return authorizationId === '' ? '/grants' : consentPath(authorizationId);
}

/** The methods that a route takes. */
export function methodsOf({ operations }: Route): readonly string[] {
  return Object.keys(operations);
}

/** An answer of JSON with status 200; a text is JSON already. */
export function json(body: unknown): RouteResponse {
  return { kind: 'json', status: 200, body };
}
