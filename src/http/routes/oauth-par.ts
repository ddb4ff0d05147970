/** `POST /oauth/par`: a client pushes the parameters of an authorization request (RFC 9126). */
import { authenticateClient, verifyDpopProof } from '../callers.js';
import { readForm } from '../parameters/body.js';
import { countAgainst, stateOf } from '../request-state.js';
import { BASE_PATH, type Route } from './route.js';

export const oauthPar: Route = {
  operations: {
    POST: {
      id: 'pushAuthorizationRequest',
      summary:
        'Push the parameters of an authorization request, for a `request_uri` to send the browser with (RFC 9126).',
      caller: 'client',
      body: { schema: 'PushedAuthorizationParameters', form: true },
      answers: ['PushedAuthorizationResult'],
      answerStatus: 201,
      dpop: true,
      errors: [
        'redirect_uri_mismatch',
        'invalid_scope',
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
  answer: async (request, service) => {
    const parameters = await readForm(request);
    const { application, isProven } = await authenticateClient(request, parameters, service);
    const state = stateOf(request);
    // Each request is stored, and nobody is authenticated.
    if (!isProven) countAgainst('authorizations', state.address, state, service);
    const jkt = await verifyDpopProof(request, service);
    const pushed = await service.pushAuthorizationRequest(parameters, application, jkt);
    return {
      kind: 'json',
      status: 201,
      body: { request_uri: pushed.requestUri, expires_in: pushed.expiresInSeconds },
    };
  },
};
