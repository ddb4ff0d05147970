/** Sends a browser without a session to the sign-in. */
import type { Service } from '../service/index.js';
import { continuePage } from './pages/continue-page.js';
import { languageOf } from './person-language.js';
import type { RequestContext } from './request-context.js';
import type { RouteResponse } from './routes/route.js';

/** Whether people sign in at a login of the deployment or at OpenID Connect providers, instead of on the page of this service. */
export function isSignInExternal({ signInUrl, sessions }: Service): boolean {
  return signInUrl !== undefined || sessions.listProviders(false).length > 0;
}

/**
 * Redirects to the sign-in. In response to a POST, if the sign-in is external, renders a page that continues there: see {@link continuePage}.
 *
 * @param query - The query string, with `?`.
 * @param uiLocales - The languages of the pending authorization.
 */
export function redirectToSignIn(context: RequestContext, query = '', uiLocales?: string): RouteResponse {
  const language = languageOf(context, uiLocales);
  const location = language.keepIn(`/sign-in${query}`);
  return context.request.method === 'POST' && isSignInExternal(context.service)
    ? continuePage('page.signIn', location, language)
    : { kind: 'redirect', location };
}
