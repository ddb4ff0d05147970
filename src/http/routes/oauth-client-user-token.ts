/** `POST /oauth/client/user-token`: a token for a person whom a confidential application knows (S121–S130). */
import { isEvmAddress, parseIdentifier, type UserSelector } from '../../service/index.js';
import { authenticateConfidentialClient, withMissLimit } from '../callers.js';
import { readJsonBody } from '../parameters/body.js';
import { malformed } from '../parameters/malformed.js';
import { validRequest } from '../parameters/valid-request.js';
import type { ValidRequest } from '../schemas/requests.js';
import { toTimestamp } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

const SELECTORS = ['identifier', 'user_id', 'email', 'evm_address'] as const;

export const oauthClientUserToken: Route = {
  operations: {
    POST: {
      id: 'issueUserToken',
      summary: 'A token for a person whom the application knows, under their active grant.',
      caller: 'confidential_client',
      body: { schema: 'UserTokenRequest', form: false },
      answers: ['UserTokenResult'],
      errors: ['grant_not_found'],
    },
  },
  path: `${BASE_PATH}/oauth/client/user-token`,
  crossOrigin: 'none',
  answer: async (request, service) => {
    const body = await readJsonBody(request);
    const named = validRequest('UserTokenRequest', body);
    const application = await authenticateConfidentialClient(request, body, service);
    const selector = selectorOf(named);
    const tokens = await withMissLimit(application, request, service, () =>
      service.issueUserToken(selector, application),
    );
    return json({
      access_token: tokens.accessToken,
      token_type: 'Bearer',
      expires_in: tokens.expiresInSeconds,
      issued_at: toTimestamp(tokens.issuedAt),
      user_id: service.subjectOf(application.organizationId, tokens.authorization.userId ?? ''),
      client_id: application.clientId,
      authorization_id: tokens.authorization.id,
      scopes: tokens.scopes,
    });
  },
};

function selectorOf(request: ValidRequest<'UserTokenRequest'>): UserSelector {
  const given = SELECTORS.flatMap((name) => {
    const value = request[name];
    return value === undefined ? [] : [{ name, value }];
  });
  const [selector, ...more] = given;
  if (selector === undefined || more.length > 0) {
    throw malformed(
      '',
      'selector',
      'The request has exactly one of `identifier`, `user_id`, `email` and `evm_address`.',
    );
  }
  const parsed = toSelector(selector.name, selector.value);
  if (parsed === undefined || (parsed.by === 'evm_address' && !isEvmAddress(parsed.value))) {
    const message = 'An identifier is `type|value`, and an address is `0x` and 40 hexadecimal digits.';
    throw malformed(`/${selector.name}`, 'selector', message);
  }
  return parsed;
}

function toSelector(name: (typeof SELECTORS)[number], value: string): UserSelector | undefined {
  switch (name) {
    case 'identifier':
      return parseIdentifier(value);
    case 'user_id':
      return { by: 'id', value };
    case 'email':
      return { by: 'email', value };
    case 'evm_address':
      return { by: 'evm_address', value };
  }
}
