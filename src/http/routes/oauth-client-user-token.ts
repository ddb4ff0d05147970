/** `POST /oauth/client/user-token`: issues an access token for a person to a confidential application (S121–S130). */
import { isEvmAddress, type PersonSelector, parseIdentifier } from '../../service/index.js';
import { authenticateBySecretOrKey, verifyDpopProof, withMissLimit } from '../callers.js';
import { malformed } from '../errors.js';
import { MAX_PARAMETERS, readJsonBody } from '../parameters/body.js';
import { validateRequest } from '../parameters/validate-request.js';
import type { ValidRequest } from '../schemas/requests.js';
import { toTimestamp } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

const SELECTORS = ['identifier', 'user_id', 'email', 'evm_address'] as const;

export const oauthClientUserToken: Route = {
  operations: {
    POST: {
      id: 'issueUserToken',
      summary: 'Issue an access token for a person who has an active grant to the application.',
      caller: 'confidential_client',
      body: { schema: 'UserTokenRequest', form: false },
      responses: ['UserTokenResult'],
      dpop: true,
      errors: ['grant_not_found', 'invalid_dpop_proof', 'use_dpop_nonce'],
    },
  },
  path: `${BASE_PATH}/oauth/client/user-token`,
  crossOrigin: 'none',
  handle: async (context) => {
    const { service } = context;
    const body = await readJsonBody(context, MAX_PARAMETERS);
    const request = validateRequest('UserTokenRequest', body);
    const application = await authenticateBySecretOrKey(context, body);
    const selectors = selectorsOf(request);
    const jkt = await verifyDpopProof(context);
    const tokens = await withMissLimit(application, context, () =>
      service.tokens.issueUserToken(selectors, application, jkt),
    );
    return json({
      access_token: tokens.accessToken,
      token_type: tokens.tokenType,
      expires_in: tokens.expiresInSeconds,
      issued_at: toTimestamp(tokens.issuedAt),
      user_id: service.people.subjectOf(application.organizationId, tokens.authorization.userId ?? ''),
      client_id: application.clientId,
      authorization_id: tokens.authorization.id,
      scopes: tokens.scopes,
    });
  },
};

function selectorsOf(request: ValidRequest<'UserTokenRequest'>): readonly PersonSelector[] {
  const selectors = SELECTORS.flatMap((name) => {
    const value = request[name];
    return value === undefined ? [] : [parseSelector(name, value)];
  });
  if (selectors.length > 0) return selectors;
  const message = 'The request must have `identifier`, `user_id`, `email` or `evm_address`.';
  throw malformed('', 'selector', message);
}

function parseSelector(name: (typeof SELECTORS)[number], value: string): PersonSelector {
  const parsed = toSelector(name, value);
  if (parsed !== undefined && (parsed.by !== 'evm_address' || isEvmAddress(parsed.value))) return parsed;
  const message =
    name === 'evm_address'
      ? '`evm_address` must be `0x` and 40 hexadecimal digits.'
      : '`identifier` must be `type|value`, with a known type; a wallet address must be `0x` and 40 hexadecimal digits.';
  throw malformed(`/${name}`, 'selector', message);
}

function toSelector(name: (typeof SELECTORS)[number], value: string): PersonSelector | undefined {
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
