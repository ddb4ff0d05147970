/** `POST /oauth/par`: pushed authorization requests (RFC 9126). */
import { authenticateClient, verifyDpopProof } from '../callers.js';
import { readForm } from '../parameters/body.js';
import { countAgainst } from '../rate-limits.js';
import { BASE_PATH, type Route } from './route.js';

export const oauthPar: Route = {
  operations: {
    POST: {
      id: 'pushAuthorizationRequest',
      summary:
        'Push the parameters of an authorization request; returns a `request_uri` for the browser (RFC 9126).',
      caller: 'client',
      body: { schema: 'PushedAuthorizationParameters', form: true },
      responses: ['PushedAuthorizationResult'],
      responseStatus: 201,
      dpop: true,
      errors: [
        'redirect_uri_mismatch',
        'invalid_scope',
        'invalid_authorization_details',
        'unsupported_response_type',
        'login_required',
        'request_not_supported',
        'invalid_dpop_proof',
        'use_dpop_nonce',
      ],
    },
  },
  path: `${BASE_PATH}/oauth/par`,
  crossOrigin: 'registered',
  grantsAccess: true,
  handle: async (context) => {
    const { service } = context;
    const parameters = await readForm(context);
    const { application, isProven } = await authenticateClient(context, parameters);
    // Limited, since the request of an unauthenticated client is stored.
    if (!isProven) countAgainst('authorizations', context.address, context);
    const jkt = await verifyDpopProof(context);
    const pushed = await service.authorizations.push(parameters, application, jkt);
    return {
      kind: 'json',
      status: 201,
      body: { request_uri: pushed.requestUri, expires_in: pushed.expiresInSeconds },
    };
  },
};
