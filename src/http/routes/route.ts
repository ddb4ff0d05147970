/** The type of routes: path, operations, CORS policy and handler. */
import type { ErrorSubcode } from '../../service/index.js';
import type { Headers, RequestContext } from '../request-context.js';
import type { BROWSER_SCHEMAS, RequestName } from '../schemas/requests.js';
import type { ResourceName } from '../schemas/resources.js';

/** The result of a handler. */
export type RouteResponse =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly headers?: Headers;
      /** A string is sent unchanged; any other value is serialized. */
      readonly body: unknown;
    }
  | { readonly kind: 'text'; readonly headers?: Headers; readonly type: string; readonly text: string }
  | { readonly kind: 'page'; readonly status: number; readonly headers?: Headers; readonly html: string }
  | { readonly kind: 'redirect'; readonly location: string; readonly headers?: Headers }
  /** Lines of JSON, streamed; each item is one or more lines. */
  | { readonly kind: 'lines'; readonly lines: AsyncIterable<string>; readonly headers?: Headers };

/**
 * The origins whose pages may call the route: origins of registered redirect URIs, any origin, or none (S22, S23).
 */
export type CrossOrigin = 'registered' | 'anyone' | 'none';

export type Method = 'GET' | 'POST' | 'DELETE';

/** How the caller must authenticate. */
export type Caller =
  | 'anyone'
  | 'person'
  | 'client'
  | 'confidential_client'
  | 'bearer'
  | 'bearer_or_client'
  | 'administrator'
  | 'decider';

/** The name of a request schema. */
export type RequestSchemaName = RequestName | keyof typeof BROWSER_SCHEMAS;

/** An operation of a route, as described in the OpenAPI document. */
export interface Operation {
  /** The unique `operationId`, after which generated clients name their functions. */
  readonly id: string;
  readonly summary: string;
  readonly caller: Caller;
  /** Schema of the query string. */
  readonly parameters?: RequestSchemaName;
  /** Description of the path parameter. */
  readonly pathParameter?: string;
  /** Schema of the body; `form`: whether it may be a form; `optional`: whether it may be absent. */
  readonly body?: { readonly schema: RequestSchemaName; readonly form: boolean; readonly optional?: boolean };
  /** Successful responses. */
  readonly responses: readonly (ResourceName | 'page' | 'asset' | 'redirect' | 'metrics')[];
  /** Status of the JSON response. Default: 200. */
  readonly responseStatus?: 201;
  /**
   * Whether the operation accepts a DPoP proof for the tokens that it issues, or for those that are issued later for a pushed authorization request.
   * Operations that require an access token always accept a proof.
   */
  readonly dpop?: boolean;
  /** Optional response headers of this operation, with their descriptions. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Whether the response is a stream of JSON lines. */
  readonly lines?: boolean;
  /** Errors in addition to the errors of its caller and its body. */
  readonly errors?: readonly ErrorSubcode[];
}

export interface Route {
  /** Absolute path. The last segment may be a parameter, `{name}`. */
  readonly path: string;
  readonly operations: Readonly<Partial<Record<Method, Operation>>>;
  readonly crossOrigin: CrossOrigin;
  /** Whether errors are rendered as a page instead of JSON. */
  readonly page?: boolean;
  /** Whether the route is a step of a sign-in or an approval. Operators can turn off all of these routes. */
  readonly grantsAccess?: boolean;
  /** Whether the route is a health probe: not rate limited, and allowed for any `Host` except in an environment that is restricted to loopback. */
  readonly probe?: boolean;
  /**
   * Handles a request.
   *
   * @throws {ServiceError} If the request is rejected.
   */
  handle(context: RequestContext): Promise<RouteResponse>;
}

/** The path of the issuer, which prefixes all API paths. */
export const BASE_PATH = '/v2';

/** Path of the route that redirects the browser back after a denial. */
export const AUTHORIZATION_RESULT_PATH = `${BASE_PATH}/oauth/authorize/result`;

/** Returns the path of the consent page of an authorization. */
export function consentPath(authorizationId: string): string {
  return `/consent?authorization_id=${encodeURIComponent(authorizationId)}`;
}

/** Returns the path to show after a sign-in: the consent page of the pending authorization, or the grants page if the id is empty. */
export function pathAfterSignIn(authorizationId: string): string {
  return authorizationId === '' ? '/grants' : consentPath(authorizationId);
}

/** Lists the methods of a route. */
export function methodsOf({ operations }: Route): readonly string[] {
  return Object.keys(operations);
}

/** Creates a JSON response with status 200. A string body must be JSON already. */
export function json(body: unknown): RouteResponse {
  return { kind: 'json', status: 200, body };
}
