/** Requests with the documented status that each must cause, and the requests that first create the state that it needs. */
import {
  APPROVE,
  AUDIENCE,
  AUTHORIZE,
  AUTHORIZE_PUSHED,
  CONFIRM_SIGN_OUT,
  CONSENT,
  CONTEXT,
  DENY,
  DOWNLOAD_PERSONAL_DATA,
  END_GRANT,
  ERASE_PERSON,
  ERASE_PERSONAL_DATA,
  INGEST,
  INTROSPECT,
  LIST_CREDENTIALS,
  LIST_GRANTS,
  LOG_IN,
  LOG_IN_CONFIDENTIAL,
  LOG_OUT,
  PROVIDER_RETURN,
  PUSH,
  QUERY,
  REDEEM,
  RESULT,
  REVOKE,
  REVOKE_CREDENTIAL,
  SHOW_CONSENT,
  SHOW_GRANTS,
  SHOW_LANDING_PAGE,
  SHOW_PERSONAL_DATA,
  SHOW_SIGN_IN,
  SIGN_IN,
  SIGN_IN_RETURN,
  SIGN_OUT,
  SIGNED_OUT,
  USER_TOKEN,
} from '../fuzz/http/flows.js';
import type { PlannedRequest } from '../fuzz/http/planned-request.js';
import type { DeploymentName } from './deployments.js';

export interface PreparedRequest {
  /** The expected status. */
  readonly status: number;
  readonly deployment: DeploymentName;
  /** Requests that create the state, in order. */
  readonly before: readonly PlannedRequest[];
  readonly request: PlannedRequest;
}

/** Prepares the state for operations without prepared requests: tokens of a grant. */
export const DEFAULT_PREPARATION: readonly PlannedRequest[] = LOG_IN;

const AUTHORIZE_BY_FORM_POST: PlannedRequest = {
  ...AUTHORIZE,
  query: [...AUTHORIZE.query, ['response_mode', 'form_post']],
};

/** The identity check of this sample person has expired. */
const AUTHORIZE_WITH_EXPIRED_CREDENTIAL: PlannedRequest = {
  ...AUTHORIZE,
  query: AUTHORIZE.query.map(([name, value]) => [name, name === 'login_hint' ? 'chiyo' : value]),
};
const READ_PRESET: PlannedRequest = {
  operation: 'readPreset',
  method: 'GET',
  path: '/v2/presets/kyc_level',
  query: [],
  headers: [['Authorization', 'Bearer {{access}}']],
};

const READ_PRESETS: PlannedRequest = {
  ...READ_PRESET,
  operation: 'readPresets',
  method: 'POST',
  path: '/v2/presets/batch',
  body: { json: { presets: ['kyc_level', 'age'] } },
};

const prepared = (
  before: readonly PlannedRequest[],
  request: PlannedRequest,
  status = 200,
  deployment: DeploymentName = 'sandbox',
): PreparedRequest => ({ status, deployment, before, request });

/**
 * Prepared requests by operation. Generated requests of an operation use the state of its first entry. An operation needs an entry only if
 * none of its generated requests succeeds.
 */
export const PREPARED_REQUESTS: Readonly<Record<string, readonly PreparedRequest[]>> = {
  authorize: [
    prepared([], AUTHORIZE, 303),
    prepared([PUSH], AUTHORIZE_PUSHED, 303),
    prepared([], { ...AUTHORIZE_BY_FORM_POST, query: [...AUTHORIZE_BY_FORM_POST.query, ['prompt', 'none']] }),
  ],
  postAuthorize: [
    prepared(
      [],
      {
        ...AUTHORIZE,
        operation: 'postAuthorize',
        method: 'POST',
        query: [],
        body: { form: AUTHORIZE.query },
      },
      303,
    ),
  ],
  pushAuthorizationRequest: [prepared([], PUSH, 201)],
  logout: [prepared([], LOG_OUT, 303), prepared([SHOW_SIGN_IN, SIGN_IN], LOG_OUT)],
  confirmSignOut: [
    prepared([SHOW_SIGN_IN, SIGN_IN, LOG_OUT], CONFIRM_SIGN_OUT, 303),
    prepared([], { ...CONFIRM_SIGN_OUT, body: { form: [] } }),
  ],
  readAuthorizationContext: [prepared([AUTHORIZE], CONTEXT)],
  approveAuthorization: [prepared([AUTHORIZE], APPROVE)],
  denyAuthorization: [prepared([AUTHORIZE], DENY)],
  readAuthorizationResult: [
    prepared([AUTHORIZE, DENY], RESULT, 303),
    prepared([AUTHORIZE_BY_FORM_POST, DENY], RESULT),
    prepared([AUTHORIZE], RESULT, 409),
  ],
  listCredentials: [prepared(LOG_IN, LIST_CREDENTIALS)],
  listAuthorizations: [prepared(LOG_IN, LIST_GRANTS)],
  issueTokens: [prepared([AUTHORIZE, APPROVE], REDEEM)],
  revoke: [prepared(LOG_IN, REVOKE)],
  introspect: [prepared(LOG_IN_CONFIDENTIAL, INTROSPECT)],
  issueUserToken: [prepared(LOG_IN_CONFIDENTIAL, USER_TOKEN)],
  evaluateQuery: [prepared(LOG_IN, QUERY)],
  readPresets: [prepared(LOG_IN, READ_PRESETS)],
  readPreset: [
    prepared(LOG_IN, READ_PRESET),
    prepared([AUTHORIZE_WITH_EXPIRED_CREDENTIAL, APPROVE, REDEEM], READ_PRESET, 410),
  ],
  evaluateAudience: [prepared(LOG_IN, AUDIENCE)],
  ingestCredential: [prepared([], INGEST)],
  revokeCredential: [prepared([INGEST], REVOKE_CREDENTIAL)],
  showConsent: [
    prepared([AUTHORIZE], SHOW_CONSENT),
    prepared([AUTHORIZE], SHOW_CONSENT, 303, 'production'),
    prepared([AUTHORIZE, DENY], SHOW_CONSENT, 409),
  ],
  decideConsent: [
    prepared([AUTHORIZE, SHOW_CONSENT], CONSENT, 303),
    prepared([AUTHORIZE_BY_FORM_POST, SHOW_CONSENT], CONSENT),
  ],
  showSignIn: [prepared([], SHOW_SIGN_IN), prepared([], SHOW_SIGN_IN, 303, 'production')],
  signIn: [prepared([SHOW_SIGN_IN], SIGN_IN, 303)],
  returnFromSignIn: [prepared([SHOW_SIGN_IN], SIGN_IN_RETURN, 303, 'production')],
  returnFromProvider: [prepared([SHOW_SIGN_IN], PROVIDER_RETURN, 303, 'provider')],
  returnFromSignOut: [prepared([SHOW_SIGN_IN, SIGN_IN], SIGNED_OUT, 303)],
  showGrants: [prepared([SHOW_SIGN_IN, SIGN_IN], SHOW_GRANTS), prepared([], SHOW_GRANTS, 303)],
  showLandingPage: [prepared([], SHOW_LANDING_PAGE)],
  showPersonalData: [
    prepared([SHOW_SIGN_IN, SIGN_IN], SHOW_PERSONAL_DATA),
    prepared([], SHOW_PERSONAL_DATA, 303),
  ],
  downloadPersonalData: [
    prepared([SHOW_SIGN_IN, SIGN_IN], DOWNLOAD_PERSONAL_DATA),
    prepared([], DOWNLOAD_PERSONAL_DATA, 303),
  ],
  erasePerson: [prepared([], ERASE_PERSON)],
  erasePersonalData: [
    prepared([SHOW_SIGN_IN, PROVIDER_RETURN, SHOW_PERSONAL_DATA], ERASE_PERSONAL_DATA, 200, 'provider'),
    prepared([], ERASE_PERSONAL_DATA, 403),
  ],
  changeGrants: [
    prepared([...LOG_IN, SHOW_SIGN_IN, SIGN_IN, SHOW_GRANTS], END_GRANT, 303),
    prepared([SHOW_SIGN_IN, PROVIDER_RETURN, SHOW_GRANTS], SIGN_OUT, 200, 'provider'),
  ],
};
