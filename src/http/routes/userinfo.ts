/** `GET` and `POST /userinfo`: who the bearer's person is, as far as the scopes cover it (OpenID Connect Core §5.3). */
import { authenticateBearer } from '../callers.js';
import { toTimestamp } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

export const userinfo: Route = {
  operations: {
    GET: {
      id: 'readUserInfo',
      summary: 'Who the person is, as far as the scopes cover it (OpenID Connect Core §5.3).',
      caller: 'bearer',
      answers: ['UserInfo'],
    },
    POST: { id: 'postUserInfo', summary: 'As GET.', caller: 'bearer', answers: ['UserInfo'] },
  },
  path: `${BASE_PATH}/userinfo`,
  crossOrigin: 'registered',
  answer: async (request, service) => {
    const info = await service.readUserInfo(await authenticateBearer(request, service));
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
    });
  },
};
