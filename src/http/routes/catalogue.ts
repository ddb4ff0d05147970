/** The table of all routes, from which the router and the OpenAPI document are generated. */
import { type OpenApiDocument, openApiDocument } from '../openapi.js';
import { assets, playground } from './assets.js';
import { audiencesEvaluate } from './audiences-evaluate.js';
import { authorizations } from './authorizations.js';
import { consent } from './consent.js';
import { credential, credentials } from './credentials.js';
import { discoveryRoutes, openapi } from './discovery.js';
import { signInReturn } from './external-sign-in.js';
import { grants } from './grants.js';
import { healthRoutes, metrics, readyRoutes } from './health.js';
import { landing } from './landing.js';
import { oauthAuthorize, oauthAuthorizeResult } from './oauth-authorize.js';
import { oauthAuthorizeContext } from './oauth-authorize-context.js';
import { oauthAuthorizeApprove, oauthAuthorizeDeny } from './oauth-authorize-decision.js';
import { oauthClientUserToken } from './oauth-client-user-token.js';
import { oauthIntrospect } from './oauth-introspect.js';
import { oauthLogout, signedOut, signOut } from './oauth-logout.js';
import { oauthPar } from './oauth-par.js';
import { oauthRevoke } from './oauth-revoke.js';
import { oauthToken } from './oauth-token.js';
import { people, person } from './people.js';
import { personalData, personalDataExport } from './personal-data.js';
import { preset, presets, presetsBatch } from './presets.js';
import { providerSignIn } from './provider-sign-in.js';
import { queriesEvaluate } from './queries-evaluate.js';
import type { Route } from './route.js';
import { signIn } from './sign-in.js';
import { userinfo } from './userinfo.js';

export const ROUTES: readonly Route[] = [
  oauthAuthorize,
  oauthAuthorizeContext,
  oauthAuthorizeApprove,
  oauthAuthorizeDeny,
  oauthAuthorizeResult,
  oauthPar,
  oauthToken,
  oauthRevoke,
  oauthIntrospect,
  oauthClientUserToken,
  oauthLogout,
  queriesEvaluate,
  audiencesEvaluate,
  presets,
  presetsBatch,
  preset,
  userinfo,
  credentials,
  credential,
  authorizations,
  people,
  person,
  consent,
  signIn,
  signInReturn,
  providerSignIn,
  signOut,
  signedOut,
  grants,
  personalData,
  personalDataExport,
  landing,
  playground,
  assets,
  ...healthRoutes,
  ...readyRoutes,
  metrics,
  openapi(() => ROUTES),
  ...discoveryRoutes,
];

/** A route and its path parameter. */
export interface RouteMatch {
  readonly route: Route;
  /** Decoded; empty if the path has no parameter. */
  readonly pathParameter: string;
}

/** Finds the routes of a path: static paths take precedence over paths with a parameter. Never throws. */
export const findRoutes: (path: string) => readonly RouteMatch[] = createRouteFinder(ROUTES);

function createRouteFinder(routes: readonly Route[]): typeof findRoutes {
  const parameter = /\{[a-z_]+\}$/;
  const exact = new Map<string, RouteMatch[]>();
  const parameterized: { readonly prefix: string; readonly route: Route }[] = [];
  for (const route of routes) {
    const prefix = route.path.replace(parameter, '');
    if (prefix !== route.path) parameterized.push({ prefix, route });
    else exact.set(route.path, [...(exact.get(route.path) ?? []), { route, pathParameter: '' }]);
  }
  return (path) =>
    exact.get(path) ??
    parameterized.flatMap(({ prefix, route }) => {
      if (!path.startsWith(prefix)) return [];
      const pathParameter = path.slice(prefix.length);
      return pathParameter === '' || pathParameter.includes('/')
        ? []
        : [{ route, pathParameter: decode(pathParameter) }];
    });
}

/**
 * Percent-decodes a path segment. Segments with malformed UTF-8 or U+0000, which cannot be stored (S35), stay encoded, so that they match
 * nothing.
 */
function decode(pathParameter: string): string {
  try {
    const decoded = decodeURIComponent(pathParameter);
    return decoded.includes('\0') ? pathParameter : decoded;
  } catch {
    return pathParameter;
  }
}

/**
 * Returns the OpenAPI document that a service serves at `/v2/openapi.json`.
 *
 * @param issuer - The service's base URL.
 * @param version - The version of the program.
 */
export function describeInterface(issuer: string, version: string): OpenApiDocument {
  return openApiDocument(ROUTES, issuer, version);
}
