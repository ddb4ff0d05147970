/** `GET` and `POST /userinfo`: user information about the person of an access token (OpenID Connect Core §5.3). */

import { ServiceError } from '../../service/index.js';
import { authenticateBearer } from '../callers.js';
import { malformed } from '../errors.js';
import { isForm, readForm } from '../parameters/body.js';
import { authorizationHeader } from '../parameters/credentials.js';
import type { RequestContext } from '../request-context.js';
import { toTimestamp } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

export const userinfo: Route = {
  operations: {
    GET: {
      id: 'readUserInfo',
      summary: 'Get the user information that the scopes cover (OpenID Connect Core §5.3).',
      caller: 'bearer',
      responses: ['UserInfo'],
      errors: ['insufficient_scope'],
    },
    POST: {
      id: 'postUserInfo',
      summary: 'Same as GET; the access token may be sent in a form instead (RFC 6750 §2.2).',
      caller: 'bearer',
      body: { schema: 'UserInfoForm', form: true, optional: true },
      responses: ['UserInfo'],
      errors: ['insufficient_scope'],
    },
  },
  path: `${BASE_PATH}/userinfo`,
  crossOrigin: 'registered',
  handle: async (context) => {
    const { service } = context;
    const token = await readTokenFromForm(context);
    const info = await service.queries.readUserInfo(await authenticateBearer(context, token));
    return json({
      sub: info.subject,
      iss: service.settings.issuer,
      aud: info.clientId,
      authorization_id: info.authorizationId,
      scopes: info.scopes,
      updated_at: toTimestamp(info.updatedAt),
      service_id: info.serviceId,
      wallet_address: info.walletAddress,
      email: info.email,
      email_verified: info.emailVerified,
      name: info.name,
      birthdate: info.birthdate,
      phone_number: info.phoneNumber,
      phone_number_verified: info.phoneNumberVerified,
      address: info.address,
    });
  },
};

/** A `b64token` (RFC 6750 §2.1) of limited length. */
const TOKEN = /^[A-Za-z0-9._~+/-]{1,4096}={0,2}$/;

/**
 * Reads the access token from a form body; `undefined` if there is none. Rejects a request with a token in both its header and its form (RFC 6750 §2).
 *
 * @throws {ServiceError} `malformed_body`, `token_invalid`, and errors of {@link readForm}.
 */
async function readTokenFromForm(context: RequestContext): Promise<string | undefined> {
  const { request } = context;
  if (request.method !== 'POST' || !isForm(request)) return undefined;
  const token = (await readForm(context)).get('access_token');
  if (token === undefined) return undefined;
  if (authorizationHeader(request) !== undefined)
    throw malformed('/access_token', 'token_repeated', 'The access token must be sent in one place only.');
  if (!TOKEN.test(token)) throw new ServiceError('token_invalid');
  return token;
}
