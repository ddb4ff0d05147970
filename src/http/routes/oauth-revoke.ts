/** `POST /oauth/revoke`: revokes tokens or a whole authorization (RFC 7009, S108–S117). */
import { isTokenShaped, type RevocationRequest, type ServiceError } from '../../service/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { authenticateClient, type CallingClient } from '../callers.js';
import { malformed } from '../errors.js';
import { type Parameters, readParameters } from '../parameters/body.js';
import { readClientCredentials } from '../parameters/credentials.js';
import { validateRequest } from '../parameters/validate-request.js';
import { countAgainst } from '../rate-limits.js';
import type { RequestContext } from '../request-context.js';
import type { ValidRequest } from '../schemas/requests.js';
import { BASE_PATH, json, type Route } from './route.js';

export const oauthRevoke: Route = {
  operations: {
    POST: {
      id: 'revoke',
      summary:
        'Revoke tokens, or a whole authorization (RFC 7009). Only an authenticated client can revoke a whole authorization.',
      caller: 'client',
      body: { schema: 'RevocationRequest', form: true },
      responses: ['RevocationResult'],
    },
  },
  path: `${BASE_PATH}/oauth/revoke`,
  crossOrigin: 'registered',
  handle: async (context) => {
    const { service } = context;
    const parameters = await readParameters(context);
    const request = toRequest(validateRequest('RevocationRequest', parameters));
    // One unit was already charged to the address for the request.
    const lookUps = request.tokens.length + (request.authorizationId === undefined ? 0 : 1);
    const client = await authenticateIfNamed(request, context, parameters, lookUps);
    if (client === undefined) countAgainst('address', context.address, context, lookUps - 1);
    const result = await service.tokens.revoke(request, client?.application);
    client?.countAccepted(Math.min(result.revokedCount, lookUps));
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
        reason: detail.reason,
      })),
    });
  },
};

/** Authenticates the client. Returns `undefined` for a request without client credentials that only revokes tokens: possession of these suffices. */
async function authenticateIfNamed(
  { authorizationId, cascade }: RevocationRequest,
  context: RequestContext,
  parameters: Parameters,
  lookUps: number,
): Promise<CallingClient | undefined> {
  const credentials = readClientCredentials(context.request, parameters);
  if (credentials === undefined && authorizationId === undefined && !cascade) return undefined;
  return await authenticateClient(context, parameters, lookUps);
}

function toRequest(request: ValidRequest<'RevocationRequest'>): RevocationRequest {
  const { token, tokens = [], token_type_hint: hint, authorization_id: named } = request;
  // With this hint, `token` is the id of an authorization, unless it has the format of a token: hints may be wrong (RFC 7009 §2.1).
  const hinted = hint === 'authorization' && token !== undefined && !isTokenShaped(token) ? token : undefined;
  if (hinted !== undefined && named !== undefined && hinted !== named) throw contradiction();
  const authorizationId = named ?? hinted;
  const single = token === undefined || hinted !== undefined ? [] : [token];
  if (single.length === 0 && tokens.length === 0 && authorizationId === undefined) {
    throw malformed('', 'member_missing', 'The request must have `token`, `tokens` or `authorization_id`.');
  }
  return {
    tokens: [...new Set([...single, ...tokens])],
    cascade: [true, 'true', '1'].some((value) => value === request.cascade),
    ...omitUndefined({ authorizationId }),
  };
}

function contradiction(): ServiceError {
  const message =
    '`token`, which `token_type_hint` declares to be an authorization, must equal `authorization_id`.';
  return malformed('/token', 'value_contradictory', message);
}
