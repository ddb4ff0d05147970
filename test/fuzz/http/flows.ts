/** Valid requests, drawn from the OpenAPI document with known values for parameters, and sequences of requests such as logins. */
import * as fc from 'fast-check';
import { DEFAULT_CLAIMS, OPERATOR_NAMES } from '../../../src/engine/index.js';
import { openApiDocument } from '../../../src/http/openapi.js';
import { ROUTES } from '../../../src/http/routes/catalogue.js';
import { mutatedQuery } from '../../../src/testing/index.js';
import { arbitraryOf } from '../../openapi/arbitrary-of.js';
import {
  type DocumentedParameter,
  documentedOperations,
  type OperationAt,
  readDocument,
  type Schema,
} from '../../openapi/document.js';
import { VALUES_BY_NAME } from '../../openapi/known-values.js';
import type { Pair, PlannedBody, PlannedRequest } from './planned-request.js';

const DOCUMENT = readDocument(openApiDocument(ROUTES, 'http://127.0.0.1/v2'));

const CALLBACK = '{{redirect_uri}}';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** `Authorization` headers of all kinds of callers. */
const AUTHORIZATIONS: readonly string[] = [
  'Bearer {{access}}',
  'Bearer {{access}}',
  'Bearer {{access_wide}}',
  'Bearer {{access_narrow}}',
  'Bearer {{administrator}}',
  'Bearer {{refresh}}',
  'Bearer {{id_token}}',
  'Basic {{basic}}',
];

const OPERATIONS = documentedOperations(DOCUMENT);

/** A request as the document describes it, with valid parameters and body, and mostly with the required caller. */
export function describedRequest(): fc.Arbitrary<PlannedRequest> {
  return fc.oneof(
    ...OPERATIONS.map((at) => ({
      // Most faults are in parameters and bodies.
      weight: at.operation.requestBody === undefined && at.operation.parameters === undefined ? 1 : 4,
      arbitrary: requestFor(at),
    })),
  );
}

function requestFor({ path, method, operation }: OperationAt): fc.Arbitrary<PlannedRequest> {
  const { operationId, parameters = [], requestBody, security } = operation;
  const inPath = parameters.find((one) => one.in === 'path');
  const inQuery = parameters.filter((one) => one.in === 'query');
  return fc.record(
    {
      operation: fc.constant(operationId),
      method: fc.constant(method),
      path:
        inPath === undefined
          ? fc.constant(path)
          : (arbitraryByName(inPath.name, inPath.schema) ?? arbitraryFor(inPath.schema)).map((text) =>
              path.replace(/\{\w+\}$/, () => encodeUnlessPlaceholder(String(text))),
            ),
      query: fc.tuple(...inQuery.map(parameterOf)).map((pairs) => pairs.filter((pair) => pair !== undefined)),
      headers: callerOf(operationId, security ?? []),
      ...(requestBody === undefined ? {} : { body: bodyOf(requestBody.content) }),
    },
    { noNullPrototype: true },
  ) as fc.Arbitrary<PlannedRequest>;
}

/** Percent-encodes a path parameter, except for a placeholder in braces. */
function encodeUnlessPlaceholder(text: string): string {
  return text.startsWith('{{') ? text : encodeURIComponent(text);
}

function parameterOf({ name, required, schema }: DocumentedParameter): fc.Arbitrary<Pair | undefined> {
  const pair = (arbitraryByName(name, schema) ?? arbitraryFor(schema)).map(
    (value): Pair => [name, textOf(value)],
  );
  return required ? pair : fc.option(pair, { nil: undefined, freq: 2 });
}

function callerOf(operation: string, security: readonly Schema[]): fc.Arbitrary<readonly Pair[]> {
  const kinds = security.flatMap((one) => Object.keys(one));
  const required = kinds.includes('administrator')
    ? ['Bearer {{administrator}}']
    : kinds.includes('bearer')
      ? ['Bearer {{access}}', 'Bearer {{access_wide}}']
      : kinds.includes('client')
        ? ['Basic {{basic}}']
        : [];
  const authorization = fc.oneof(
    { weight: 6, arbitrary: required.length === 0 ? fc.constant(undefined) : fc.constantFrom(...required) },
    { weight: kinds.includes('client') ? 4 : 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...AUTHORIZATIONS) },
  );
  const browser = /consent|sign|grants|authorize|decide|logout/i.test(operation)
    ? fc.constantFrom(true, true, true, false)
    : fc.constant(false);
  return fc
    .tuple(authorization, browser)
    .map(([header, cookie]) => [
      ...(header === undefined ? [] : [['Authorization', header] as const]),
      ...(cookie ? [['Cookie', '{{cookie}}'] as const] : []),
    ]);
}

function bodyOf(content: Readonly<Record<string, { readonly schema: Schema }>>): fc.Arbitrary<PlannedBody> {
  const bodies = Object.entries(content).map(([type, { schema }]) => {
    const value = arbitraryFor(schema);
    if (type !== FORM_TYPE) return value.map((json): PlannedBody => ({ json }));
    return value.map((members): PlannedBody => {
      const pairs = Object.entries(members as Schema).map(([name, one]): Pair => [name, textOf(one)]);
      return { form: pairs };
    });
  });
  return fc.oneof(...bodies);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function arbitraryFor(schema: Schema): fc.Arbitrary<unknown> {
  return arbitraryOf(schema, { schemas: DOCUMENT.components.schemas, arbitraryByName });
}

function arbitraryByName(name: string, schema: Schema): fc.Arbitrary<unknown> | undefined {
  if (name === 'query') return catalogueQuery();
  const known = VALUES_BY_NAME[name];
  return known === undefined || 'enum' in schema || 'const' in schema ? undefined : fc.constantFrom(...known);
}

const OPERANDS: readonly unknown[] = [
  18,
  -0,
  0.1,
  2 ** 53 - 1,
  true,
  null,
  'PT',
  'enhanced',
  '',
  '1990-02-30',
  '2026-01-01',
  '2026-01-01T00:00:00.000Z',
  '^[a-z]+$',
  '(a|b)*c',
  ['PT', 'ES'],
  [1, 'x', null, {}],
  [],
  { country: 'PT' },
];

/** A valid or almost valid query on the claims of the default catalogue. */
function catalogueQuery(): fc.Arbitrary<unknown> {
  const claim = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...DEFAULT_CLAIMS.map(({ path }) => path)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('identity.constructor', 'identity.address_full.country', 'kyc.toString'),
    },
  );
  const check = fc.record(
    {
      claim,
      operator: fc.constantFrom<string>(...OPERATOR_NAMES),
      value: fc.constantFrom(...OPERANDS),
    },
    { requiredKeys: ['claim', 'operator'], noNullPrototype: true },
  );
  const { item } = fc.letrec<{ item: unknown }>((tie) => ({
    item: fc.oneof(
      { maxDepth: 4 },
      check,
      fc.record({ allOf: fc.array(tie('item'), { maxLength: 3 }) }, { noNullPrototype: true }),
      fc.record({ anyOf: fc.array(tie('item'), { maxLength: 3 }) }, { noNullPrototype: true }),
      fc.record({ not: tie('item') }, { noNullPrototype: true }),
    ),
  }));
  const plain = { noNullPrototype: true };
  const projection = fc.oneof(
    fc.record({ claim, lens: fc.constantFrom('pluck', 'pluck', 'constructor') }, plain),
    fc.record(
      { claim, lens: fc.constant('pick'), fields: fc.constantFrom(['country', 'street'], ['__proto__'], []) },
      plain,
    ),
    fc.record({ claim, lens: fc.constant('at'), index: fc.constantFrom(0, -1, 2, 0.5) }, plain),
  );
  return fc.oneof(
    { weight: 4, arbitrary: check.map((one) => ({ check: one })) },
    { weight: 4, arbitrary: item.map((policy) => ({ policy })) },
    { weight: 2, arbitrary: fc.array(projection, { maxLength: 3 }).map((projections) => ({ projections })) },
    { weight: 1, arbitrary: mutatedQuery() },
  );
}

const authorize = (client: string, redirect: string, extra: readonly Pair[] = []): PlannedRequest => ({
  operation: 'authorize',
  method: 'GET',
  path: '/v2/oauth/authorize',
  query: [
    ['response_type', 'code'],
    ['client_id', client],
    ['redirect_uri', redirect],
    ['scope', 'openid identity:read kyc:read data.read'],
    ['code_challenge', '{{challenge}}'],
    ['code_challenge_method', 'S256'],
    ['state', 's?t&a=t e'],
    ['login_hint', 'ada'],
    ...extra,
  ],
  headers: [['Cookie', '{{cookie}}']],
});

const form = (operation: string, path: string, pairs: readonly Pair[]): PlannedRequest => ({
  operation,
  method: 'POST',
  path,
  query: [],
  headers: [['Cookie', '{{cookie}}']],
  body: { form: pairs },
});

const post = (
  operation: string,
  path: string,
  json: unknown,
  headers: readonly Pair[] = [],
): PlannedRequest => ({ operation, method: 'POST', path, query: [], headers, body: { json } });

export const AUTHORIZE = authorize('{{public_client}}', CALLBACK);
const AUTHORIZE_CONFIDENTIAL = authorize('{{confidential_client}}', '{{confidential_redirect}}');
export const PUSH = form('pushAuthorizationRequest', '/v2/oauth/par', AUTHORIZE.query);
export const AUTHORIZE_PUSHED: PlannedRequest = {
  ...AUTHORIZE,
  query: [
    ['client_id', '{{public_client}}'],
    ['request_uri', '{{request_uri}}'],
  ],
};
const ADMINISTRATOR: readonly Pair[] = [['Authorization', 'Bearer {{administrator}}']];
const BEARER: readonly Pair[] = [['Authorization', 'Bearer {{access}}']];
export const APPROVE = post(
  'approveAuthorization',
  '/v2/oauth/authorize/approve',
  { authorization_id: '{{authorization}}' },
  ADMINISTRATOR,
);
export const REDEEM = post('issueTokens', '/v2/oauth/token', {
  grant_type: 'authorization_code',
  client_id: '{{public_client}}',
  redirect_uri: CALLBACK,
  code: '{{code}}',
  code_verifier: '{{verifier}}',
});
const REDEEM_CONFIDENTIAL: PlannedRequest = {
  ...form('issueTokens', '/v2/oauth/token', [
    ['grant_type', 'authorization_code'],
    ['redirect_uri', '{{confidential_redirect}}'],
    ['code', '{{code}}'],
    ['code_verifier', '{{verifier}}'],
  ]),
  headers: [['Authorization', 'Basic {{basic}}']],
};
const REFRESH = form('issueTokens', '/v2/oauth/token', [
  ['grant_type', 'refresh_token'],
  ['client_id', '{{public_client}}'],
  ['refresh_token', '{{refresh}}'],
]);
export const QUERY = post(
  'evaluateQuery',
  '/v2/queries/evaluate',
  { query: { check: { claim: 'kyc.level', operator: '==', value: 'enhanced' } } },
  BEARER,
);
const USER_INFO: PlannedRequest = {
  operation: 'readUserInfo',
  method: 'GET',
  path: '/v2/userinfo',
  query: [],
  headers: BEARER,
};
export const REVOKE = form('revoke', '/v2/oauth/revoke', [
  ['token', '{{access}}'],
  ['client_id', '{{public_client}}'],
]);
const REVOKE_REFRESH = form('revoke', '/v2/oauth/revoke', [
  ['token', '{{refresh}}'],
  ['client_id', '{{public_client}}'],
]);
export const INTROSPECT: PlannedRequest = {
  ...form('introspect', '/v2/oauth/introspect', [['token', '{{access}}']]),
  headers: [['Authorization', 'Basic {{basic}}']],
};
export const CONTEXT: PlannedRequest = {
  operation: 'readAuthorizationContext',
  method: 'GET',
  path: '/v2/oauth/authorize/context',
  query: [['authorization_id', '{{authorization}}']],
  headers: ADMINISTRATOR,
};
export const DENY = post(
  'denyAuthorization',
  '/v2/oauth/authorize/deny',
  { authorization_id: '{{authorization}}' },
  ADMINISTRATOR,
);
export const RESULT: PlannedRequest = {
  ...CONTEXT,
  operation: 'readAuthorizationResult',
  path: '/v2/oauth/authorize/result',
  headers: [['Cookie', '{{cookie}}']],
};
export const SHOW_CONSENT: PlannedRequest = { ...RESULT, operation: 'showConsent', path: '/consent' };
export const CONSENT = form('decideConsent', '/consent', [
  ['authorization_id', '{{authorization}}'],
  ['proof', '{{proof}}'],
  ['action', 'approve'],
  ['scope.openid', 'on'],
  ['scope.identity:read', 'on'],
  ['scope.kyc:read', 'on'],
  ['person', '{{person}}'],
]);
const CONSENT_SIGNED_IN = form('decideConsent', '/consent', [
  ['authorization_id', '{{authorization}}'],
  ['proof', '{{proof}}'],
  ['action', 'approve'],
  ['scope.openid', 'on'],
]);
export const USER_TOKEN = post('issueUserToken', '/v2/oauth/client/user-token', {
  client_id: '{{confidential_client}}',
  client_secret: '{{confidential_secret}}',
  user_id: '{{subject}}',
});
export const INGEST = post(
  'ingestCredential',
  '/v2/credentials',
  {
    identifier: 'id|ada',
    credential: {
      id: 'journey-{{nonce_text}}',
      source: 'Registry',
      issuedAt: '2020-01-01T00:00:00Z',
      claims: { 'kyc.level': 'basic' },
    },
  },
  ADMINISTRATOR,
);
const INGEST_SIGNED = post(
  'ingestCredential',
  '/v2/credentials',
  { identifier: 'id|ada', format: 'jwt_vc_json', credential: '{{signed_credential}}' },
  ADMINISTRATOR,
);
export const REVOKE_CREDENTIAL: PlannedRequest = {
  operation: 'revokeCredential',
  method: 'DELETE',
  path: '/v2/credentials/{{credential}}',
  query: [],
  headers: ADMINISTRATOR,
};
export const LIST_CREDENTIALS: PlannedRequest = {
  operation: 'listCredentials',
  method: 'GET',
  path: '/v2/credentials',
  query: [['limit', '1']],
  headers: BEARER,
};
const LIST_MORE: PlannedRequest = { ...LIST_CREDENTIALS, query: [['cursor', '{{cursor}}']] };
export const LIST_GRANTS: PlannedRequest = {
  ...LIST_CREDENTIALS,
  operation: 'listAuthorizations',
  path: '/v2/authorizations',
};
export const AUDIENCE = post(
  'evaluateAudience',
  '/v2/audiences/evaluate',
  { client_id: '{{public_client}}', query: { check: { claim: 'kyc.level', operator: 'isDefined' } } },
  ADMINISTRATOR,
);
const ASSERTED_INTROSPECTION = form('introspect', '/v2/oauth/introspect', [
  ['token', '{{access}}'],
  ['client_assertion', '{{client_assertion}}'],
  ['client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'],
]);
export const SHOW_SIGN_IN: PlannedRequest = {
  operation: 'showSignIn',
  method: 'GET',
  path: '/sign-in',
  query: [],
  headers: [['Cookie', '{{cookie}}']],
};
export const SIGN_IN = form('signIn', '/sign-in', [
  ['proof', '{{proof}}'],
  ['person', '{{person}}'],
]);
export const SHOW_LANDING_PAGE: PlannedRequest = {
  ...SHOW_SIGN_IN,
  operation: 'showLandingPage',
  path: '/',
  headers: [['Accept', 'text/html']],
};
export const SHOW_GRANTS: PlannedRequest = { ...SHOW_SIGN_IN, operation: 'showGrants', path: '/grants' };
export const END_GRANT = form('changeGrants', '/grants', [
  ['proof', '{{proof}}'],
  ['action', 'end'],
  ['client_id', '{{public_client}}'],
]);
const UNDO_GRANT = form('changeGrants', '/grants', [
  ['proof', '{{proof}}'],
  ['action', 'undo'],
  ['client_id', '{{public_client}}'],
]);
export const LOG_OUT: PlannedRequest = {
  ...SHOW_SIGN_IN,
  operation: 'logout',
  path: '/v2/oauth/logout',
  query: [
    ['client_id', '{{public_client}}'],
    ['post_logout_redirect_uri', '{{post_logout_redirect}}'],
    ['state', 's-1'],
  ],
};
export const CONFIRM_SIGN_OUT = form('confirmSignOut', '/sign-out', [
  ['proof', '{{proof}}'],
  ['client_id', '{{public_client}}'],
  ['post_logout_redirect_uri', '{{post_logout_redirect}}'],
]);
export const SIGN_IN_RETURN: PlannedRequest = {
  operation: 'returnFromSignIn',
  method: 'GET',
  path: '/sign-in/return',
  query: [['assertion', '{{sign_in}}']],
  headers: [['Cookie', '{{cookie}}']],
};
/** The return from the OpenID Connect provider of the deployment `provider` in test/openapi/deployments.ts. */
export const PROVIDER_RETURN: PlannedRequest = {
  ...SIGN_IN_RETURN,
  operation: 'returnFromProvider',
  path: '/sign-in/callback/sso',
  query: [
    ['state', '{{provider_state}}'],
    ['code', 'c'],
  ],
};
export const SIGN_OUT = form('changeGrants', '/grants', [
  ['proof', '{{proof}}'],
  ['action', 'sign_out'],
]);
export const SIGNED_OUT: PlannedRequest = {
  ...SHOW_SIGN_IN,
  operation: 'returnFromSignOut',
  path: '/signed-out',
};

export const SHOW_PERSONAL_DATA: PlannedRequest = {
  ...SHOW_SIGN_IN,
  operation: 'showPersonalData',
  path: '/my-data',
};
export const DOWNLOAD_PERSONAL_DATA: PlannedRequest = {
  ...SHOW_SIGN_IN,
  operation: 'downloadPersonalData',
  path: '/my-data/export',
};
export const ERASE_PERSONAL_DATA = form('erasePersonalData', '/my-data', [
  ['proof', '{{proof}}'],
  ['confirm', 'erase'],
]);
export const ERASE_PERSON: PlannedRequest = {
  operation: 'erasePerson',
  method: 'DELETE',
  path: '/v2/people/jun',
  query: [],
  headers: [['Authorization', 'Bearer {{administrator}}']],
};

/** Sequences of requests in which each step provides the values for the next. */
export const JOURNEYS: readonly (readonly PlannedRequest[])[] = [
  [AUTHORIZE, APPROVE, REDEEM, QUERY, REVOKE, QUERY],
  [AUTHORIZE, APPROVE, REDEEM, REFRESH, REFRESH, USER_INFO, REVOKE_REFRESH, REFRESH, USER_INFO],
  [AUTHORIZE, APPROVE, APPROVE, REDEEM, REDEEM, USER_INFO],
  [AUTHORIZE_CONFIDENTIAL, APPROVE, REDEEM_CONFIDENTIAL, INTROSPECT, REVOKE, INTROSPECT],
  [AUTHORIZE, CONTEXT, DENY, APPROVE, RESULT],
  [PUSH, AUTHORIZE_PUSHED, AUTHORIZE_PUSHED, APPROVE, REDEEM, USER_INFO],
  [AUTHORIZE, SHOW_CONSENT, CONSENT, REDEEM, USER_INFO, SHOW_CONSENT],
  [SHOW_SIGN_IN, SIGN_IN, LOG_OUT, CONFIRM_SIGN_OUT, SHOW_GRANTS],
  [SHOW_SIGN_IN, SIGN_IN, SHOW_GRANTS, END_GRANT, USER_INFO, SHOW_GRANTS, UNDO_GRANT, USER_INFO],
  [AUTHORIZE, SHOW_SIGN_IN, SIGN_IN_RETURN, SHOW_CONSENT, CONSENT_SIGNED_IN, REDEEM],
  [AUTHORIZE_CONFIDENTIAL, APPROVE, REDEEM_CONFIDENTIAL, USER_TOKEN, QUERY, REVOKE],
  [INGEST, LIST_CREDENTIALS, LIST_MORE, REVOKE_CREDENTIAL, LIST_CREDENTIALS, LIST_GRANTS],
  [INGEST_SIGNED, REVOKE_CREDENTIAL, QUERY, AUDIENCE, ASSERTED_INTROSPECTION, ASSERTED_INTROSPECTION],
];

/** The requests of a login that only obtains tokens. */
export const LOG_IN: readonly PlannedRequest[] = [AUTHORIZE, APPROVE, REDEEM];
export const LOG_IN_CONFIDENTIAL: readonly PlannedRequest[] = [
  AUTHORIZE_CONFIDENTIAL,
  APPROVE,
  REDEEM_CONFIDENTIAL,
];
