/** Every route, in one table: the router reads it. */
import { assets } from './assets.js';
import { audiencesEvaluate } from './audiences-evaluate.js';
import { authorizations } from './authorizations.js';
import { consent } from './consent.js';
import { credential, credentials } from './credentials.js';
import { discoveryRoutes } from './discovery.js';
import { createRouteFinder, type RouteFinder } from './find-route.js';
import { grants } from './grants.js';
import { healthRoutes } from './health.js';
import { metrics } from './metrics.js';
import { oauthAuthorize } from './oauth-authorize.js';
import { oauthAuthorizeContext } from './oauth-authorize-context.js';
import { oauthAuthorizeApprove, oauthAuthorizeDeny } from './oauth-authorize-decision.js';
import { oauthAuthorizeResult } from './oauth-authorize-result.js';
import { oauthClientUserToken } from './oauth-client-user-token.js';
import { oauthIntrospect } from './oauth-introspect.js';
import { oauthLogout } from './oauth-logout.js';
import { oauthPar } from './oauth-par.js';
import { oauthRevoke } from './oauth-revoke.js';
import { oauthToken } from './oauth-token.js';
import { openapi } from './openapi.js';
import { playground } from './playground.js';
import { preset, presets, presetsBatch } from './presets.js';
import { queriesEvaluate } from './queries-evaluate.js';
import { readyRoutes } from './ready.js';
import type { Route } from './route.js';
import { signIn } from './sign-in.js';
import { signInReturn } from './sign-in-return.js';
import { signOut } from './sign-out.js';
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
  consent,
  signIn,
  signInReturn,
  signOut,
  grants,
  playground,
  assets,
  ...healthRoutes,
  ...readyRoutes,
  metrics,
  openapi(() => ROUTES),
  ...discoveryRoutes,
];

/** The routes at a path. */
export const findRoutes: RouteFinder = createRouteFinder(ROUTES);
