/** `POST /oauth/token`: codes and refresh tokens for tokens (RFC 6749 §4.1.3, §6). */
import {
  type Application,
  type IssuedTokens,
  parseScopes,
  type Service,
  ServiceError,
} from '../../service/index.js';
import { type Parameters, readParameters } from '../parameters/body.js';
import { readClientCredentials } from '../parameters/client-credentials.js';
import { optionalText, requiredText } from '../parameters/typed.js';
import { toTokenBody } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

export const oauthToken: Route = {
  methods: ['POST'],
  path: `${BASE_PATH}/oauth/token`,
  crossOrigin: 'registered',
  answer: async (request, service) => {
    const parameters = await readParameters(request);
    const application = await service.authenticateClient(readClientCredentials(request, parameters));
    return json(toTokenBody(await grant(parameters, application, service), service));
  },
};

async function grant(
  parameters: Parameters,
  application: Application,
  service: Service,
): Promise<IssuedTokens> {
  switch (requiredText(parameters, 'grant_type')) {
    case 'authorization_code': {
      const code = requiredText(parameters, 'code');
      const redirectUri = requiredText(parameters, 'redirect_uri');
      const codeVerifier = requiredText(parameters, 'code_verifier');
      return await service.redeemAuthorizationCode({ code, redirectUri, codeVerifier }, application);
    }
    case 'refresh_token': {
      const refreshToken = requiredText(parameters, 'refresh_token');
      const scopes = scopesOf(optionalText(parameters, 'scope'));
      return await service.refreshTokens({ refreshToken, ...(scopes && { scopes }) }, application);
    }
    default:
      throw new ServiceError('unsupported_grant_type');
  }
}

function scopesOf(list: string | undefined): readonly string[] | undefined {
  if (list === undefined) return undefined;
  const scopes = parseScopes(list);
  if (scopes === undefined) throw new ServiceError('invalid_scope');
  return scopes;
}
