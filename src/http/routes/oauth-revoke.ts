/** `POST /oauth/revoke`: a client gives back what it holds (RFC 7009, S108–S117). */
import { type Parameters, readParameters } from '../parameters/body.js';
import { readClientCredentials } from '../parameters/client-credentials.js';
import { malformed } from '../parameters/malformed.js';
import { optionalFlag, optionalText, optionalTexts } from '../parameters/typed.js';
import { BASE_PATH, json, type Route } from './route.js';

const MAX_TOKENS = 100;

export const oauthRevoke: Route = {
  methods: ['POST'],
  path: `${BASE_PATH}/oauth/revoke`,
  crossOrigin: 'registered',
  answer: async (request, service) => {
    const parameters = await readParameters(request);
    const result = await service.revoke(toRequest(parameters), readClientCredentials(request, parameters));
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

function toRequest(parameters: Parameters) {
  const token = optionalText(parameters, 'token');
  const tokens = optionalTexts(parameters, 'tokens');
  const named = optionalText(parameters, 'authorization_id');
  // With this hint, `token` is the id of an authorization.
  const hinted = optionalText(parameters, 'token_type_hint') === 'authorization' ? token : undefined;
  if (tokens !== undefined && (tokens.length === 0 || tokens.length > MAX_TOKENS)) {
    throw malformed('/tokens', 'list_size', `\`tokens\` has 1 to ${MAX_TOKENS} entries.`);
  }
  const authorizationId = named ?? hinted;
  const single = token === undefined || hinted !== undefined ? [] : [token];
  if (single.length === 0 && tokens === undefined && authorizationId === undefined) {
    throw malformed('', 'member_missing', 'The request needs `token`, `tokens` or `authorization_id`.');
  }
  return {
    tokens: [...single, ...(tokens ?? [])],
    cascade: optionalFlag(parameters, 'cascade'),
    ...(authorizationId === undefined ? {} : { authorizationId }),
  };
}
