/** `POST /oauth/authorize/approve` and `…/deny`: decide by API; in production, only for the administrator and the person (V1, V2, S69–S76). */
import { type AuthorizationDetail, ServiceError } from '../../service/index.js';
import {
  assertSameOrigin,
  findBoundAuthorization,
  findSignedInPerson,
  type SignedInPerson,
} from '../browser.js';
import { assertAdministrator } from '../callers.js';
import { MAX_APPROVAL_ENTRIES, MAX_PARAMETERS, readJsonBody } from '../parameters/body.js';
import { validateRequest } from '../parameters/validate-request.js';
import type { RequestContext } from '../request-context.js';
import { toDetailsBody, toTimestamp } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

/** Header of an approval whose palm verification the sandbox simulated (V1, V6). */
const PALM_SIMULATED = { 'Proviso-Palm-Verification': 'simulated' };

export const oauthAuthorizeApprove: Route = {
  operations: {
    POST: {
      id: 'approveAuthorization',
      summary:
        'Approve an authorization on behalf of a person. In the sandbox, anyone who knows the id may do so; the palm verification is simulated. In production, that person may; if people cannot sign in or the setting `administratorApproval` is `always`, also the administrator, for the person of `login_hint`.',
      caller: 'decider',
      body: { schema: 'ApprovalRequest', form: false },
      responses: ['ApprovalResult'],
      responseHeaders: {
        'Proviso-Palm-Verification':
          '`simulated`, in the sandbox only: the granted scopes or conditions require palm verification, which was not performed.',
      },
      errors: [
        'not_found',
        'invalid_client',
        'invalid_scope',
        'invalid_authorization_details',
        'invalid_transition',
        'palm_verification_required',
        'reauthentication_required',
        'administrator_approval_disabled',
      ],
    },
  },
  path: `${BASE_PATH}/oauth/authorize/approve`,
  crossOrigin: 'none',
  grantsAccess: true,
  handle: async (context) => {
    const { service } = context;
    const body = validateRequest('ApprovalRequest', await readJsonBody(context, MAX_APPROVAL_ENTRIES));
    const id = body.authorization_id;
    const selection = { scopes: body.scopes, details: body.authorization_details };
    const decider = await assertMayDecide(id, context);
    const approved =
      decider === undefined
        ? await service.authorizations.approveByApi(id, selection)
        : await service.authorizations.approveInSession(decider.detail, decider.person, selection);
    const { authorization, application, scopes, conditions } = approved;
    const result = {
      authorization_id: id,
      status: 'approved',
      code: approved.code,
      code_expires_at: toTimestamp(approved.codeExpiresAt),
      scopes: authorization.requestedScopes,
      granted_scopes: scopes,
      authorization_details: toDetailsBody(conditions, authorization),
      app_scoped_user_id: service.people.subjectOf(application.organizationId, approved.userId),
      organization_id: application.organizationId,
      redirect_uri: authorization.redirectUri,
      client_id: application.clientId,
      state: authorization.state,
    };
    return { ...json(result), headers: approved.palmSimulated ? PALM_SIMULATED : {} };
  },
};

export const oauthAuthorizeDeny: Route = {
  operations: {
    POST: {
      id: 'denyAuthorization',
      summary:
        'Deny an authorization on behalf of a person. In the sandbox, anyone who knows the id may do so; in production, that person or the administrator.',
      caller: 'decider',
      body: { schema: 'DenialRequest', form: false },
      responses: ['DenialResult'],
      errors: ['not_found', 'invalid_client', 'invalid_transition'],
    },
  },
  path: `${BASE_PATH}/oauth/authorize/deny`,
  crossOrigin: 'none',
  handle: async (context) => {
    const { authorization_id: id } = validateRequest(
      'DenialRequest',
      await readJsonBody(context, MAX_PARAMETERS),
    );
    const decider = await assertMayDecide(id, context);
    const { authorizations } = context.service;
    const detail = decider?.detail ?? (await authorizations.get(id));
    await authorizations.deny(detail);
    const { authorization, application } = detail;
    return json({
      authorization_id: id,
      status: 'denied',
      redirect_uri: authorization.redirectUri,
      state: authorization.state,
      client_id: application.clientId,
    });
  },
};

/**
 * Checks that the caller may decide on an authorization. In the sandbox: anyone who knows the id. In production: the administrator, or the
 * person signed in at the browser that started it, unless another person approved it there.
 *
 * @returns The person and the authorization, if the person decides; `undefined` if the administrator decides, or anyone in the sandbox.
 * @throws {ServiceError} `access_denied`, `not_found`, and errors of {@link assertAdministrator}.
 */
export async function assertMayDecide(
  id: string,
  context: RequestContext,
): Promise<{ readonly person: SignedInPerson; readonly detail: AuthorizationDetail } | undefined> {
  const { service } = context;
  if (service.environment.seeded) return undefined;
  const person =
    context.request.headers.authorization === undefined ? await findSignedInPerson(context) : undefined;
  if (person === undefined) {
    await assertAdministrator(context);
    return undefined;
  }
  assertSameOrigin(context);
  const detail = await findBoundAuthorization(person.browserBinding, id, service);
  const approvedBy = detail?.authorization.userId ?? person.userId;
  if (detail === undefined || approvedBy !== person.userId) throw new ServiceError('not_found');
  return { person, detail };
}
