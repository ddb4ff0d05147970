/**
 * `/oauth/authorize`, the authorization endpoint (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1), and `/oauth/authorize/result`, which redirects
 * back after a denial (D4, S62).
 */
import { ServiceError } from '../../service/index.js';
import { respondWithDenial, respondWithError } from '../authorization-response.js';
import { findBrowserBinding, getOrCreateBrowser, redirectToGet } from '../browser.js';
import { parseForm } from '../parameters/body.js';
import { countAgainst } from '../rate-limits.js';
import type { RequestContext } from '../request-context.js';
import { AUTHORIZATION_RESULT_PATH, BASE_PATH, consentPath, type Route } from './route.js';

const PATH = `${BASE_PATH}/oauth/authorize`;

export const oauthAuthorize: Route = {
  operations: {
    GET: {
      id: 'authorize',
      summary: 'Request authorization from a person (RFC 6749 §4.1.1).',
      caller: 'anyone',
      parameters: 'AuthorizationParameters',
      responses: ['redirect', 'page'],
      errors: ['invalid_client', 'redirect_uri_mismatch', 'invalid_request_uri'],
    },
    POST: {
      id: 'postAuthorize',
      summary: 'Same as GET, with the parameters in a form: redirects to GET with the same parameters.',
      caller: 'anyone',
      body: { schema: 'AuthorizationParameters', form: true },
      responses: ['redirect'],
    },
  },
  path: PATH,
  crossOrigin: 'none',
  grantsAccess: true,
  page: true,
  handle: async (context) => {
    const { request, service } = context;
    if (request.method === 'POST') return await redirectToGet(context, PATH);
    const { binding, headers } = getOrCreateBrowser(context);
    const parameters = parseForm(context.target.query);
    // With a `request_uri`, all parameters except `client_id` are ignored (RFC 9101 §5).
    const resumedId = parameters.has('request_uri') ? undefined : parameters.get('authorization_id');
    if (resumedId !== undefined) {
      return { kind: 'redirect', location: consentUrl(resumedId, context), headers };
    }
    // Limited, since the authorization request of an unauthenticated caller is stored.
    countAgainst('authorizations', context.address, context);
    const outcome = await service.authorizations.request(parameters, binding);
    if (outcome.kind === 'redirect') {
      return respondWithError(outcome.error, outcome.destination, context);
    }
    const location = consentUrl(outcome.authorization.id, context);
    return { kind: 'redirect', location, headers };
  },
};

/**
 * Returns the URL of the consent page. It is relative if `Host` is not the issuer's, such as `localhost` in the sandbox, so that the browser stays on
 * the host for which it has a cookie.
 */
function consentUrl(authorizationId: string, { request, service }: RequestContext): string {
  const { host, origin } = new URL(service.settings.issuer);
  return (request.headers.host === host ? origin : '') + consentPath(authorizationId);
}

export const oauthAuthorizeResult: Route = {
  operations: {
    GET: {
      id: 'readAuthorizationResult',
      summary: 'Redirect the browser back to the application after a denial.',
      caller: 'anyone',
      parameters: 'ContextParameters',
      responses: ['redirect', 'page'],
      errors: ['not_found', 'invalid_client', 'invalid_transition'],
    },
  },
  path: AUTHORIZATION_RESULT_PATH,
  crossOrigin: 'none',
  page: true,
  handle: async (context) => {
    const { service } = context;
    const id = parseForm(context.target.query).get('authorization_id') ?? '';
    const { authorization, application } = await service.authorizations.get(id);
    if (!service.authorizations.isBoundToBrowser(authorization, findBrowserBinding(context)))
      throw new ServiceError('not_found');
    if (application.revokedAt !== undefined) throw new ServiceError('invalid_client');
    // A code is returned only once, when it is issued.
    if (authorization.status !== 'denied')
      throw new ServiceError('invalid_transition', { status: authorization.status });
    return respondWithDenial(authorization, context);
  },
};
