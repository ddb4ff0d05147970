/** `POST /oauth/introspect`: what a token is good for (RFC 7662, S118, S119). */
import { readParameters } from '../parameters/body.js';
import { readClientCredentials } from '../parameters/client-credentials.js';
import { requiredText } from '../parameters/typed.js';
import { toEpochSeconds } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

export const oauthIntrospect: Route = {
  methods: ['POST'],
  path: `${BASE_PATH}/oauth/introspect`,
  crossOrigin: 'none',
  answer: async (request, service) => {
    const parameters = await readParameters(request);
    const application = await service.authenticateConfidentialClient(
      readClientCredentials(request, parameters),
    );
    const active = await service.introspect(requiredText(parameters, 'token'), application);
    if (active === undefined) return json({ active: false });
    return json({
      active: true,
      scope: active.scopes.join(' '),
      client_id: application.clientId,
      sub: active.subject,
      iss: service.settings.issuer,
      aud: application.clientId,
      ...(active.tokenType === 'access_token' ? { token_type: 'Bearer' } : {}),
      iat: toEpochSeconds(active.issuedAt),
      exp: toEpochSeconds(active.expiresAt),
      authorization_id: active.authorizationId,
    });
  },
};
