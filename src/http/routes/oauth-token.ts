/** `POST /oauth/token`: the token endpoint (RFC 6749 §4.1.3, §6). */
import {
  type Application,
  type IssuedTokens,
  parseScopes,
  type Service,
  ServiceError,
} from '../../service/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { authenticateClient, verifyDpopProof } from '../callers.js';
import { malformed } from '../errors.js';
import { readParameters } from '../parameters/body.js';
import { validateRequest } from '../parameters/validate-request.js';
import type { ValidRequest } from '../schemas/requests.js';
import { toTokenBody } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

export const oauthToken: Route = {
  operations: {
    POST: {
      id: 'issueTokens',
      summary: 'Exchange an authorization code or a refresh token for tokens (RFC 6749 §4.1.3, §6).',
      caller: 'client',
      body: { schema: 'TokenRequest', form: true },
      responses: ['TokenResult'],
      dpop: true,
      errors: [
        'invalid_grant',
        'invalid_scope',
        'invalid_authorization_details',
        'unsupported_grant_type',
        'unauthorized_client',
        'invalid_dpop_proof',
        'use_dpop_nonce',
      ],
    },
  },
  path: `${BASE_PATH}/oauth/token`,
  crossOrigin: 'registered',
  handle: async (context) => {
    const { service } = context;
    const parameters = await readParameters(context);
    const client = await authenticateClient(context, parameters);
    const body = validateRequest('TokenRequest', parameters);
    const jkt = await verifyDpopProof(context);
    const tokens = await issueTokens(body, jkt, client.application, service);
    client.countAccepted(1);
    return json(toTokenBody(tokens, service));
  },
};

async function issueTokens(
  request: ValidRequest<'TokenRequest'>,
  jkt: string | undefined,
  application: Application,
  service: Service,
): Promise<IssuedTokens> {
  const key = jkt === undefined ? {} : { jkt };
  switch (request.grant_type) {
    case 'authorization_code': {
      const code = requireParameter(request, 'code');
      const redirectUri = requireParameter(request, 'redirect_uri');
      const codeVerifier = requireParameter(request, 'code_verifier');
      return await service.tokens.redeemCode({ code, redirectUri, codeVerifier, ...key }, application);
    }
    case 'refresh_token': {
      const refreshToken = requireParameter(request, 'refresh_token');
      const scopes = scopesOf(request.scope);
      const { authorization_details: details } = request;
      const narrowed = omitUndefined({ scopes, details });
      return await service.tokens.refresh({ refreshToken, ...narrowed, ...key }, application);
    }
    default:
      throw new ServiceError('unsupported_grant_type');
  }
}

/** Returns a parameter that the grant type requires. @throws {ServiceError} `malformed_body` */
function requireParameter(
  request: ValidRequest<'TokenRequest'>,
  name: 'code' | 'redirect_uri' | 'code_verifier' | 'refresh_token',
): string {
  const value = request[name];
  if (value === undefined) throw malformed('', 'member_missing', `The request must have \`${name}\`.`);
  return value;
}

function scopesOf(list: string | undefined): readonly string[] | undefined {
  if (list === undefined) return undefined;
  const scopes = parseScopes(list);
  if (scopes === undefined) throw new ServiceError('invalid_scope');
  return scopes;
}
