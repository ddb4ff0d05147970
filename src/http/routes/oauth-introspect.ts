/** `POST /oauth/introspect`: token introspection (RFC 7662, S118, S119). */
import { toAuthorizationDetails } from '../../service/index.js';
import { authenticateConfidentialClient } from '../callers.js';
import { readParameters } from '../parameters/body.js';
import { validateRequest } from '../parameters/validate-request.js';
import { toEpochSeconds, toScopeText } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

export const oauthIntrospect: Route = {
  operations: {
    POST: {
      id: 'introspect',
      summary: 'Introspect a token of the calling application (RFC 7662).',
      caller: 'confidential_client',
      body: { schema: 'IntrospectionRequest', form: true },
      responses: ['IntrospectionResult'],
    },
  },
  path: `${BASE_PATH}/oauth/introspect`,
  crossOrigin: 'none',
  handle: async (context) => {
    const { service } = context;
    const parameters = await readParameters(context);
    const application = await authenticateConfidentialClient(context, parameters);
    const { token } = validateRequest('IntrospectionRequest', parameters);
    const active = await service.tokens.introspect(token, application);
    if (active === undefined) return json({ active: false });
    return json({
      active: true,
      scope: toScopeText(active.scopes),
      authorization_details:
        active.conditions.length === 0 ? undefined : active.conditions.map(toAuthorizationDetails),
      client_id: application.clientId,
      sub: active.subject,
      iss: service.settings.issuer,
      aud: application.clientId,
      ...(active.tokenType === 'access_token'
        ? { token_type: active.jkt === undefined ? 'Bearer' : 'DPoP' }
        : {}),
      ...(active.jkt === undefined ? {} : { cnf: { jkt: active.jkt } }),
      iat: toEpochSeconds(active.issuedAt),
      exp: toEpochSeconds(active.expiresAt),
      authorization_id: active.authorizationId,
    });
  },
};
