/** Sign-in at OpenID Connect providers: redirects a browser to a provider, and accepts its response (V2, S321–S327). */
import { type Service, ServiceError } from '../../service/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import {
  cookieHeader,
  findBoundAuthorization,
  findBrowserBinding,
  findSignedInPerson,
  getOrCreateBrowser,
} from '../browser.js';
import { providersPage } from '../pages/providers-page.js';
import { parseForm } from '../parameters/body.js';
import { languageOf } from '../person-language.js';
import type { RequestContext } from '../request-context.js';
import { pathAfterSignIn, type Route, type RouteResponse } from './route.js';

/** The URLs of the redirects contain secrets, which must not leak in `Referer`. */
const NO_REFERRER = { 'Referrer-Policy': 'no-referrer' };

/**
 * Redirects to the provider that the request names; otherwise to the only provider; otherwise, for a palm verification, to the provider where
 * the person signed in. If none of these exists, renders a page to choose a provider. A palm verification considers only providers that verify palms.
 *
 * @throws {ServiceError} `not_found` for an unknown provider; `palm_verification_required` if no provider verifies palms; `sign_in_unavailable`
 *   if the provider cannot be reached.
 */
export async function beginAtProvider(
  context: RequestContext,
  parameters: ReadonlyMap<string, string>,
  authorizationId: string,
): Promise<RouteResponse> {
  const { service } = context;
  const palm = parameters.get('verify') === 'palm';
  const reauthenticate = parameters.get('prompt') === 'login';
  const choices = service.sessions.listProviders(palm);
  if (choices.length === 0) throw new ServiceError('palm_verification_required');
  const signedIn = await findSignedInPerson(context);
  const only =
    choices.length === 1
      ? choices[0]
      : palm
        ? choices.find(({ id }) => id === signedIn?.providerId)
        : undefined;
  const providerId = parameters.get('provider') ?? only?.id;
  const browser = getOrCreateBrowser(context);
  const headers = { ...browser.headers, ...NO_REFERRER };
  if (providerId === undefined) {
    const query = {
      authorization_id: authorizationId,
      ...(palm ? { verify: 'palm' } : {}),
      ...(reauthenticate ? { prompt: 'login' } : {}),
    };
    const locationOf = (id: string) => `/sign-in?${new URLSearchParams({ provider: id, ...query })}`;
    const pending = await findBoundAuthorization(browser.binding, authorizationId, service);
    return providersPage({
      language: languageOf(context, pending?.authorization.uiLocales),
      choices: choices.map((choice) => ({ ...choice, location: locationOf(choice.id) })),
      palm,
      headers,
    });
  }
  if (!choices.some(({ id }) => id === providerId)) throw new ServiceError('not_found');
  const detail = await findBoundAuthorization(browser.binding, authorizationId, service);
  const location = await service.sessions.beginProviderSignIn({
    providerId,
    browserBinding: browser.binding,
    authorization: detail?.authorization,
    palm,
    isSignedIn: signedIn !== undefined,
    reauthenticate,
  });
  return { kind: 'redirect', location, headers };
}

export const providerSignIn: Route = {
  operations: {
    GET: {
      id: 'returnFromProvider',
      summary: 'Return from an OpenID Connect provider, with the response to a sign-in.',
      caller: 'anyone',
      pathParameter: 'The id of the provider.',
      parameters: 'ProviderResponseParameters',
      responses: ['redirect'],
      errors: ['not_found', 'sign_in_rejected', 'sign_in_unavailable', 'reauthentication_required'],
    },
  },
  path: '/sign-in/callback/{provider}',
  crossOrigin: 'none',
  grantsAccess: true,
  page: true,
  handle: async (context) => {
    const { service, pathParameter: providerId } = context;
    const parameters = parseForm(context.target.query);
    const browserBinding = findBrowserBinding(context);
    // Only a browser that was redirected from here can return.
    if (browserBinding === undefined) throw new ServiceError('sign_in_rejected');
    return await complete(providerId, browserBinding, parameters, service);
  },
};

async function complete(
  providerId: string,
  browserBinding: string,
  parameters: ReadonlyMap<string, string>,
  service: Service,
): Promise<RouteResponse> {
  const { person, authenticatedAt, palmVerified, startedAt, authorization } =
    await service.sessions.completeProviderSignIn({
      providerId,
      browserBinding,
      parameters,
      findAuthorization: async (id) =>
        (await findBoundAuthorization(browserBinding, id, service))?.authorization,
    });
  const { token } = await service.sessions.signIn(person.id, browserBinding, {
    ...omitUndefined({ authenticatedAt, authorizationId: authorization?.id }),
    startedAt,
    providerId,
  });
  if (palmVerified && authorization !== undefined)
    await service.authorizations.recordPalmVerification(authorization.id, person.id);
  return {
    kind: 'redirect',
    location: pathAfterSignIn(authorization?.id ?? ''),
    headers: { ...cookieHeader('person', token, service), ...NO_REFERRER },
  };
}
