/** `POST /oauth/revoke`: a client gives back what it holds (RFC 7009, S108–S117). */
import { countingFailures } from '../callers.js';
import { readParameters } from '../parameters/body.js';
import { readClientCredentials } from '../parameters/client-credentials.js';
import { malformed } from '../parameters/malformed.js';
import { validRequest } from '../parameters/valid-request.js';
import type { ValidRequest } from '../schemas/requests.js';
import { BASE_PATH, json, type Route } from './route.js';

export const oauthRevoke: Route = {
  operations: {
    POST: {
      id: 'revoke',
      summary: 'Give back tokens, or a whole authorization (RFC 7009).',
      caller: 'client',
      body: { schema: 'RevocationRequest', form: true },
      answers: ['RevocationResult'],
    },
  },
  path: `${BASE_PATH}/oauth/revoke`,
  crossOrigin: 'registered',
  answer: async (request, service) => {
    const parameters = await readParameters(request);
    const wanted = toRequest(validRequest('RevocationRequest', parameters));
    const shown = readClientCredentials(request, parameters);
    const result = await countingFailures(shown?.clientId ?? '', request, service, () =>
      service.revoke(wanted, shown),
    );
    return json({
      revoked: result.revokedCount > 0,
      revoked_count: result.revokedCount,
      details: result.details.map((detail) => ({
        subject: detail.subject,
        status: detail.status,
        token_type: detail.tokenType,
        authorization_id: detail.authorizationId,
        client_id: detail.clientId,
        user_id: detail.userId,
      })),
    });
  },
};

function toRequest(request: ValidRequest<'RevocationRequest'>) {
  const { token, tokens = [], token_type_hint: hint, authorization_id: named } = request;
  // With this hint, `token` is the id of an authorization.
  const hinted = hint === 'authorization' ? token : undefined;
  const authorizationId = named ?? hinted;
  const single = token === undefined || hinted !== undefined ? [] : [token];
  if (single.length === 0 && tokens.length === 0 && authorizationId === undefined) {
    throw malformed('', 'member_missing', 'The request needs `token`, `tokens` or `authorization_id`.');
  }
  return {
    tokens: [...single, ...tokens],
    cascade: [true, 'true', '1'].some((yes) => yes === request.cascade),
    ...(authorizationId === undefined ? {} : { authorizationId }),
  };
}
