/** `GET /authorizations`: lists all grants to an application, or only those of the person of an access token (S145, S146). */
import type { GrantListCaller, GrantView } from '../../service/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { authenticateBearer, authenticateBySecretOrKey } from '../callers.js';
import { parseForm } from '../parameters/body.js';
import { authorizationHeader } from '../parameters/credentials.js';
import { toListRequest, validateParameters } from '../parameters/validate-request.js';
import type { RequestContext } from '../request-context.js';
import { toPageBody, toTimestamp } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

export const authorizations: Route = {
  operations: {
    GET: {
      id: 'listAuthorizations',
      summary: 'List the grants to an application; with an access token, those of its person.',
      caller: 'bearer_or_client',
      parameters: 'GrantListParameters',
      responses: ['GrantPage'],
      errors: ['cursor_invalid'],
    },
  },
  path: `${BASE_PATH}/authorizations`,
  crossOrigin: 'none',
  handle: async (context) => {
    const caller = await authenticateCaller(context);
    const { status, ...list } = validateParameters('GrantListParameters', parseForm(context.target.query));
    const request = { ...toListRequest(list), ...omitUndefined({ status }) };
    return json(toPageBody(await context.service.grants.list(request, caller), toGrantBody));
  },
};

/** Authenticates a confidential application (Basic) or the bearer of an access token. */
async function authenticateCaller(context: RequestContext): Promise<GrantListCaller> {
  if (/^basic\b/i.test(authorizationHeader(context.request) ?? '')) {
    return await authenticateBySecretOrKey(context, new Map());
  }
  const { clientId, organizationId, userId } = await authenticateBearer(context);
  return { clientId, organizationId, userId };
}

function toGrantBody(grant: GrantView): Readonly<Record<string, unknown>> {
  return {
    authorization_id: grant.authorizationId,
    organization_id: grant.organizationId,
    app_scoped_user_id: grant.subject,
    status: grant.status,
    updated_at: toTimestamp(grant.updatedAt),
  };
}
