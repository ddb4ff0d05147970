/** External sign-in: redirects a browser to the deployment's login, and accepts its signed assertion at `GET /sign-in/return` (V2, S65, S66). */

import { type Authorization, type Service, ServiceError } from '../../service/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { cookieHeader, findBoundAuthorization, findBrowserBinding, getOrCreateBrowser } from '../browser.js';
import { parseForm } from '../parameters/body.js';
import type { RequestContext } from '../request-context.js';
import { pathAfterSignIn, type Route, type RouteResponse } from './route.js';

/** The URLs of the redirects contain secrets, which must not leak in `Referer`. */
const NO_REFERRER = { 'Referrer-Policy': 'no-referrer' };

/** The parameters of an external sign-in. */
interface ExternalSignIn {
  /** The URL of the deployment's login. */
  readonly url: string;
  /** The pending authorization; empty if there is none. */
  readonly authorizationId: string;
  /** Whether the login must verify the person's palm. */
  readonly palm: boolean;
  /** Whether the login must authenticate the person again, even if the authorization request does not require it. */
  readonly reauthenticate: boolean;
}

/** Redirects to the deployment's login, with `prompt` and `max_age` of the authorization request; `reauthenticate` adds `login` to `prompt`. */
export async function redirectToExternalSignIn(
  context: RequestContext,
  signIn: ExternalSignIn,
): Promise<RouteResponse> {
  const { service } = context;
  const { url, authorizationId, palm, reauthenticate } = signIn;
  const browser = getOrCreateBrowser(context);
  const returnUrl = new URL('/sign-in/return', service.settings.issuer);
  if (authorizationId !== '') returnUrl.searchParams.set('authorization_id', authorizationId);
  const target = new URL(url);
  target.searchParams.set(
    'nonce',
    service.sessions.createSignInNonce({ browserBinding: browser.binding, authorizationId }),
  );
  target.searchParams.set('return_to', returnUrl.href);
  if (palm) target.searchParams.set('verify', 'palm');
  const { prompt, maxAgeSeconds } = await signInParametersOf(browser.binding, authorizationId, service);
  const prompts = new Set(prompt?.split(' '));
  if (reauthenticate) prompts.add('login');
  if (prompts.size > 0) target.searchParams.set('prompt', [...prompts].join(' '));
  if (maxAgeSeconds !== undefined) target.searchParams.set('max_age', String(maxAgeSeconds));
  return { kind: 'redirect', location: target.href, headers: { ...browser.headers, ...NO_REFERRER } };
}

/**
 * Returns `prompt` and `max_age` of the authorization request. They apply to palm verification as well, since each sign-in creates a new
 * session, which must satisfy them.
 */
async function signInParametersOf(
  browserBinding: string,
  authorizationId: string,
  service: Service,
): Promise<Pick<Authorization, 'prompt' | 'maxAgeSeconds'>> {
  const detail = await findBoundAuthorization(browserBinding, authorizationId, service);
  return detail?.authorization ?? {};
}

export const signInReturn: Route = {
  operations: {
    GET: {
      id: 'returnFromSignIn',
      summary: 'Return from the deployment’s login, with an assertion that identifies the person.',
      caller: 'anyone',
      parameters: 'SignInReturnParameters',
      responses: ['redirect'],
      errors: ['not_found', 'sign_in_rejected', 'reauthentication_required'],
    },
  },
  path: '/sign-in/return',
  crossOrigin: 'none',
  grantsAccess: true,
  page: true,
  handle: async (context) => {
    const { service } = context;
    if (service.signInUrl === undefined) throw new ServiceError('not_found');
    const parameters = parseForm(context.target.query);
    const authorizationId = parameters.get('authorization_id') ?? '';
    const browserBinding = findBrowserBinding(context);
    // Only a browser that was redirected from here can return.
    if (browserBinding === undefined) throw new ServiceError('sign_in_rejected');
    const cookie = await signInPerson(
      parameters.get('assertion') ?? '',
      browserBinding,
      authorizationId,
      service,
    );
    const location = pathAfterSignIn(authorizationId);
    return {
      kind: 'redirect',
      location,
      headers: { ...cookieHeader('person', cookie, service), ...NO_REFERRER },
    };
  },
};

/** Signs in the person identified by an assertion. @returns The value of their session cookie. */
async function signInPerson(
  assertion: string,
  browserBinding: string,
  authorizationId: string,
  service: Service,
): Promise<string> {
  const authorization = (await findBoundAuthorization(browserBinding, authorizationId, service))
    ?.authorization;
  const accepted = await service.sessions.acceptAssertion(assertion, {
    browserBinding,
    authorizationId,
    authorization,
  });
  if (accepted === undefined) throw new ServiceError('sign_in_rejected');
  const { person, authenticatedAt, palmVerified, startedAt } = accepted;
  const { token } = await service.sessions.signIn(person.id, browserBinding, {
    startedAt,
    ...omitUndefined({ authenticatedAt }),
    ...(authorization === undefined ? {} : { authorizationId: authorization.id }),
  });
  if (palmVerified && authorization !== undefined)
    await service.authorizations.recordPalmVerification(authorization.id, person.id);
  return token;
}
