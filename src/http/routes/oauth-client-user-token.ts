/** `POST /oauth/client/user-token`: issues an access token for a person to a confidential application (S121–S130). */
import type { PersonSelector } from '../../service/index.js';
import { authenticateBySecretOrKey, verifyDpopProof, withMissLimit } from '../callers.js';
import { malformed } from '../errors.js';
import { MAX_PARAMETERS, readJsonBody } from '../parameters/body.js';
import { parseSelector, SELECTORS } from '../parameters/person-selector.js';
import { validateRequest } from '../parameters/validate-request.js';
import type { ValidRequest } from '../schemas/requests.js';
import { toTimestamp } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

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
