/** `GET /oauth/authorize/context`: the details of an authorization, for callers who may decide on it (S61). */
import { type AuthorizationDetail, type Service, toAuthorizationDetails } from '../../service/index.js';
import { parseForm } from '../parameters/body.js';
import { validateParameters } from '../parameters/validate-request.js';
import { toApplicationBody, toDetailsBody, toScopeBody, toTimestamp } from '../wire.js';
import { assertMayDecide } from './oauth-authorize-decision.js';
import { BASE_PATH, json, type Route } from './route.js';

export const oauthAuthorizeContext: Route = {
  operations: {
    GET: {
      id: 'readAuthorizationContext',
      summary: 'Get the details of an authorization, in order to approve or deny it.',
      caller: 'decider',
      parameters: 'ContextParameters',
      responses: ['AuthorizationContext'],
      errors: ['not_found'],
    },
  },
  path: `${BASE_PATH}/oauth/authorize/context`,
  crossOrigin: 'none',
  handle: async (context) => {
    const { service } = context;
    const parameters = parseForm(context.target.query);
    const { authorization_id: id } = validateParameters('ContextParameters', parameters);
    await assertMayDecide(id, context);
    return json(toContextBody(await service.authorizations.get(id), service));
  },
};

/** How long preset values may be cached, in seconds. */
const PRESET_CACHE_TTL_SECONDS = 300;

function toContextBody(detail: AuthorizationDetail, service: Service): Readonly<Record<string, unknown>> {
  const { authorization, application, requiresPalmVerification } = detail;
  // Required strings in the specification: empty until a person has approved.
  const subject =
    authorization.userId === undefined
      ? ''
      : service.people.subjectOf(application.organizationId, authorization.userId);
  return {
    authorization_id: authorization.id,
    client_id: application.clientId,
    user_id: subject,
    app_scoped_user_id: subject,
    status: authorization.status,
    redirect_uri: authorization.redirectUri,
    state: authorization.state,
    requested_scopes: authorization.requestedScopes,
    granted_scopes: authorization.grantedScopes,
    requested_authorization_details: authorization.requestedConditions?.map(toAuthorizationDetails),
    authorization_details:
      authorization.userId === undefined
        ? undefined
        : toDetailsBody(authorization.grantedConditions ?? [], authorization),
    code_expires_at: toTimestamp(authorization.codeExpiresAt),
    nonce: authorization.nonce,
    application: toApplicationBody(application),
    scopes: authorization.requestedScopes.map((scope) => toScopeBody(scope, service.catalogue)),
    metadata: {
      created_at: toTimestamp(authorization.createdAt),
      updated_at: toTimestamp(authorization.updatedAt),
      approved_at: toTimestamp(authorization.approvedAt),
      revoked_at: toTimestamp(authorization.revokedAt),
      last_token_issued_at: toTimestamp(authorization.lastTokenIssuedAt),
    },
    policy: {
      requires_palm_verification: requiresPalmVerification,
      preset_cache_ttl_seconds: PRESET_CACHE_TTL_SECONDS,
    },
  };
}
