/**
 * JSON Schemas (2020-12) of requests: they validate requests, type the validated parameters, and are part of the OpenAPI document.
 */

function text<const Description extends string>(description: Description) {
  return { type: 'string', description } as const;
}

const AUTHORIZATION_ID = text('The id of an authorization.');
const CLIENT_ID = text('The client id of the application.');
const CLIENT_SECRET = text(
  'The secret of a confidential application; may be sent in the header `Authorization: Basic` instead.',
);
const CLIENT_ASSERTION_MEMBERS = {
  client_assertion: text('A JWT signed by the application, instead of a secret (RFC 7523 §2.2).'),
  client_assertion_type: text('Must be `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.'),
} as const;
const SCOPES = {
  type: 'array',
  items: text('The name of a scope.'),
  description: 'The granted scopes: a subset of the requested ones. Default: all.',
} as const;
const GRANTS_UPDATED_SINCE = {
  type: 'string',
  format: 'date-time',
  description:
    'An RFC 3339 date-time: lists only items whose `updated_at` is this instant or later. A grant whose code expires unredeemed becomes `revoked`, but keeps its `updated_at`: to find it, pass an instant ten minutes earlier.',
} as const;
const CREDENTIALS_UPDATED_SINCE = {
  ...GRANTS_UPDATED_SINCE,
  description:
    'An RFC 3339 date-time: lists only items that changed at this instant or later. Before the comparison, it is rounded down as `updated_at` of the items is.',
} as const;
const LIMIT = {
  type: 'integer',
  minimum: 1,
  maximum: 100,
  default: 50,
  description: 'The maximum number of items of a page, from 1 to 100.',
} as const;
const CURSOR = text('The `next_cursor` of the previous page.');

/** Without `default`: client generators would treat the member as required. */
const EVIDENCE = {
  type: 'string',
  enum: ['full', 'checks', 'none'],
  description:
    'The evidence of the result: `full` (default), `checks` for outcomes without values, or `none`. The result never has more than the client and the scopes allow.',
} as const;

/** The parameters of an authorization request, sent by the browser or pushed by the client. */
const AUTHORIZATION = {
  response_type: {
    const: 'code',
    description: 'Must be `code`.',
  },
  client_id: CLIENT_ID,
  redirect_uri: text(
    'A registered redirect URI of the application; compared exactly, except for the port on a loopback IP address.',
  ),
  scope: text(
    'Scope names, separated by spaces. Unknown scopes are ignored if at least one is known. Optional with `authorization_details`.',
  ),
  authorization_details: text(
    'Conditions, as a JSON array of 1 to 10 objects `{"type": "claims_condition", "query": …, "purpose": …}` (RFC 9396); at most 4096 bytes of UTF-8.',
  ),
  response_mode: {
    enum: ['query', 'form_post'],
    description: 'How the response is delivered to the client: `query` (default) or `form_post`.',
  },
  code_challenge: text('The S256 code challenge (RFC 7636).'),
  code_challenge_method: { const: 'S256', description: 'Must be `S256`.' },
  dpop_jkt: text('The thumbprint of the DPoP key to which the code is bound (RFC 9449 §10).'),
  state: {
    type: 'string',
    maxLength: 512,
    description: 'Returned unchanged; at most 512 bytes of UTF-8.',
  },
  nonce: {
    type: 'string',
    maxLength: 512,
    description: 'Returned in the ID token; at most 512 bytes of UTF-8.',
  },
  login_hint: {
    type: 'string',
    maxLength: 256,
    description:
      'A hint about the person: a name, an e-mail address, or `type|value` as in `identifier` of `client/user-token`; at most 256 bytes of UTF-8.',
  },
  claims: text(
    'Individual claims, as JSON (OpenID Connect Core §5.5). Adds the standard scope of each claim, if the application may request it.',
  ),
  ui_locales: text(
    'The preferred languages of the pages: BCP 47 tags, separated by spaces. Unsupported languages have no effect.',
  ),
  locale: text('The preferred language of the pages; `ui_locales` takes precedence.'),
  prompt: text(
    'Required interaction: `login`, `consent`, `select_account`, separated by spaces. `none` is rejected with `login_required`.',
  ),
  max_age: text('The maximum age of the sign-in, in seconds; `0` requires a new sign-in.'),
} as const;

/** For OAuth requests, whose unknown parameters are ignored (RFC 6749 §3.2, S38). */
const LENIENT = { additionalProperties: true } as const;
const STRICT = { additionalProperties: false } as const;

export const REQUEST_SCHEMAS = {
  TokenRequest: {
    type: 'object',
    ...LENIENT,
    required: ['grant_type'],
    properties: {
      grant_type: text('Must be `authorization_code` or `refresh_token`.'),
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      ...CLIENT_ASSERTION_MEMBERS,
      code: text('With `authorization_code`: the authorization code.'),
      redirect_uri: text('With `authorization_code`: the redirect URI of the authorization request.'),
      code_verifier: text('With `authorization_code`: the code verifier (RFC 7636).'),
      refresh_token: text('With `refresh_token`: the refresh token.'),
      scope: text('With `refresh_token`: a subset of the granted scopes, separated by spaces.'),
      authorization_details: text(
        'With `refresh_token`: a subset of the granted conditions, as a JSON array (RFC 9396 §6).',
      ),
    },
  },
  RevocationRequest: {
    type: 'object',
    ...LENIENT,
    properties: {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      ...CLIENT_ASSERTION_MEMBERS,
      token: text(
        'An access or refresh token; with the hint `authorization`, also the id of an authorization.',
      ),
      tokens: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: text('An access or refresh token.'),
        description: 'From 1 to 100 access or refresh tokens.',
      },
      token_type_hint: text(
        'The kind of token: `access_token`, `refresh_token` or `authorization`; other values are ignored.',
      ),
      authorization_id: text('The id of an authorization to revoke; requires client authentication.'),
      cascade: {
        type: ['string', 'boolean'],
        enum: [true, false, 'true', 'false', '1', '0'],
        description:
          'Whether to revoke the whole authorization of each token: `true`, `false`, `1` or `0`. Requires client authentication.',
      },
    },
  },
  IntrospectionRequest: {
    type: 'object',
    ...LENIENT,
    required: ['token'],
    properties: {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      ...CLIENT_ASSERTION_MEMBERS,
      token: text('An access or refresh token.'),
    },
  },
  UserTokenRequest: {
    type: 'object',
    ...STRICT,
    properties: {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      ...CLIENT_ASSERTION_MEMBERS,
      identifier: text(
        'A string `type|value`: `id`, `user` or `user_id` with an `app_scoped_user_id`; `email`; `wallet`, `evm` or `evm_addr`.',
      ),
      user_id: text('The person’s `app_scoped_user_id`.'),
      email: text('The person’s e-mail address; matches only if their grant covers `identity.email`.'),
      evm_address: text(
        'A wallet address: `0x` and 40 hexadecimal digits, with a correct EIP-55 checksum if upper and lower case are mixed; matches only if their grant covers the wallet claims.',
      ),
    },
  },
  ApprovalRequest: {
    type: 'object',
    ...STRICT,
    required: ['authorization_id'],
    properties: {
      authorization_id: AUTHORIZATION_ID,
      scopes: SCOPES,
      authorization_details: {
        type: 'array',
        maxItems: 10,
        items: { description: 'A requested condition.' },
        description: 'The granted conditions: a subset of the requested ones. Default: all.',
      },
    },
  },
  DenialRequest: {
    type: 'object',
    ...STRICT,
    required: ['authorization_id'],
    properties: {
      authorization_id: AUTHORIZATION_ID,
      reason: text('Accepted and ignored.'),
    },
  },
  AudienceRequest: {
    type: 'object',
    required: ['client_id', 'query'],
    additionalProperties: false,
    properties: {
      client_id: CLIENT_ID,
      query: { type: 'object', description: 'A check or a policy.' },
    },
  },
  EvaluationRequest: {
    type: 'object',
    ...STRICT,
    required: ['query'],
    properties: { query: { description: 'A query: a check, a policy or projections.' }, evidence: EVIDENCE },
  },
  PresetBatchRequest: {
    type: 'object',
    ...STRICT,
    required: ['presets'],
    properties: {
      presets: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        items: text('The name of a preset.'),
        description: 'From 1 to 100 preset names, without duplicates.',
      },
      evidence: EVIDENCE,
    },
  },
  IngestionRequest: {
    type: 'object',
    ...STRICT,
    required: ['identifier', 'credential'],
    properties: {
      identifier: text('The person, as `type|value`: `id|…`, `email|…` or `wallet|…`.'),
      format: {
        type: 'string',
        enum: ['json', 'jwt_vc_json', 'dc+sd-jwt'],
        description: 'The format of the credential: `json` (default), `jwt_vc_json` or `dc+sd-jwt`.',
      },
      credential: {
        description:
          'An object with `id`, `source`, `issuedAt`, `expiresAt`?, `revokedAt`? and `claims`; for a signed format, the token as a string.',
      },
      subject: text('The `sub` that a signed credential must have; not empty.'),
      audience: text(
        'The `aud` that the key-binding JWT of an SD-JWT VC must have; not empty. Requires `nonce`.',
      ),
      nonce: text(
        'The `nonce` that the key-binding JWT of an SD-JWT VC must have; not empty. Requires `audience`.',
      ),
    },
  },
  ContextParameters: {
    type: 'object',
    ...LENIENT,
    required: ['authorization_id'],
    properties: { authorization_id: AUTHORIZATION_ID },
  },
  CredentialListParameters: {
    type: 'object',
    ...STRICT,
    properties: { updated_since: CREDENTIALS_UPDATED_SINCE, limit: LIMIT, cursor: CURSOR },
  },
  PersonListParameters: {
    type: 'object',
    ...STRICT,
    properties: {
      after: { type: 'string', description: 'The `next` of the previous page.' },
      limit: { ...LIMIT, default: 100 },
    },
  },
  GrantListParameters: {
    type: 'object',
    ...STRICT,
    properties: {
      status: {
        type: 'string',
        enum: ['active', 'revoked'],
        description: 'Lists only grants with this status: `active` or `revoked`.',
      },
      updated_since: GRANTS_UPDATED_SINCE,
      limit: LIMIT,
      cursor: CURSOR,
    },
  },
} as const;

/**
 * Schemas of requests by browsers, of pushed requests and of user information; bodies are forms only. These schemas only document the requests, which
 * the routes validate, since most errors of an authorization request must be returned to the client instead of the person (RFC 6749 §4.1.2.1).
 */
export const BROWSER_SCHEMAS = {
  AuthorizationParameters: {
    type: 'object',
    ...LENIENT,
    properties: {
      ...AUTHORIZATION,
      request_uri: text(
        'The `request_uri` of a pushed request; all other parameters except `client_id` are ignored.',
      ),
      authorization_id: text(
        'The id of a pending authorization to resume; all other parameters are ignored.',
      ),
    },
  },
  PushedAuthorizationParameters: {
    type: 'object',
    ...LENIENT,
    properties: { ...AUTHORIZATION, client_secret: CLIENT_SECRET, ...CLIENT_ASSERTION_MEMBERS },
  },
  ConsentForm: {
    type: 'object',
    ...LENIENT,
    required: ['authorization_id', 'proof', 'action'],
    properties: {
      authorization_id: AUTHORIZATION_ID,
      proof: text('The CSRF token of the form.'),
      action: { enum: ['approve', 'deny', 'palm'], description: 'The button that the person pressed.' },
      person: text('The name of the sample person; sandbox only.'),
    },
  },
  LogoutParameters: {
    type: 'object',
    ...LENIENT,
    properties: {
      id_token_hint: text('An ID token of the person, issued to the application; may have expired.'),
      client_id: CLIENT_ID,
      post_logout_redirect_uri: text(
        'The URI to redirect to afterwards: must be registered, and is compared exactly, including the port.',
      ),
      state: text('Returned unchanged to `post_logout_redirect_uri`.'),
      logout_hint: text('Ignored.'),
      ui_locales: text('The preferred languages of the pages: BCP 47 tags, separated by spaces.'),
    },
  },
  SignOutForm: {
    type: 'object',
    ...LENIENT,
    required: ['proof'],
    properties: {
      proof: text('The CSRF token of the form.'),
      client_id: CLIENT_ID,
      post_logout_redirect_uri: text('The URI to redirect to afterwards; validated again.'),
      state: text('Returned unchanged to `post_logout_redirect_uri`.'),
    },
  },
  SignInParameters: {
    type: 'object',
    ...LENIENT,
    properties: {
      authorization_id: text('The id of the pending authorization.'),
      verify: { const: 'palm', description: 'Must be `palm`: requires palm verification.' },
      provider: text('The id of the OpenID Connect provider at which the person signs in.'),
      prompt: {
        const: 'login',
        description:
          'Must be `login`: the person must authenticate again, even if they have a session at the login.',
      },
    },
  },
  SignInReturnParameters: {
    type: 'object',
    ...LENIENT,
    required: ['assertion'],
    properties: {
      assertion: text('A JWT of type `sign-in+jwt`, signed by the deployment’s login.'),
      authorization_id: text('The id of the pending authorization.'),
    },
  },
  ProviderResponseParameters: {
    type: 'object',
    ...LENIENT,
    required: ['state'],
    properties: {
      state: text('The state of the request to the provider; accepted once, from the browser that sent it.'),
      code: text('The authorization code of the provider.'),
      iss: text('The issuer of the response (RFC 9207).'),
      error: text('The error of the provider, in place of a code.'),
    },
  },
  SignedOutParameters: {
    type: 'object',
    ...LENIENT,
    properties: {
      state: text(
        '`client_id`, `post_logout_redirect_uri` and `state` of the application, form-encoded; validated again.',
      ),
    },
  },
  SignInForm: {
    type: 'object',
    ...LENIENT,
    required: ['proof'],
    properties: {
      proof: text('The CSRF token of the form.'),
      person: text('The name of the sample person; sandbox only.'),
      authorization_id: text('The id of the pending authorization.'),
    },
  },
  UserInfoForm: {
    type: 'object',
    ...LENIENT,
    properties: {
      access_token: text('The access token, if it is not in the header `Authorization` (RFC 6750 §2.2).'),
    },
  },
  PersonalDataForm: {
    type: 'object',
    ...LENIENT,
    required: ['proof', 'confirm'],
    properties: {
      proof: text('The CSRF token of the form.'),
      confirm: { const: 'erase', description: 'Must be `erase` to erase.' },
    },
  },
  GrantsForm: {
    type: 'object',
    ...LENIENT,
    required: ['proof', 'action'],
    properties: {
      proof: text('The CSRF token of the form.'),
      action: {
        enum: ['end', 'undo', 'forget', 'sign_out'],
        description: 'The button that the person pressed.',
      },
      client_id: text('The client id of the application, for `end`, `undo` and `forget`.'),
    },
  },
} as const;

export type RequestName = keyof typeof REQUEST_SCHEMAS;

/** The type of a validated request. */
export type ValidRequest<Name extends RequestName> = Members<(typeof REQUEST_SCHEMAS)[Name]>;

/** The type of the objects that an object schema describes. */
type Members<Schema> = Schema extends { readonly properties: infer Properties }
  ? {
      readonly [Name in keyof Properties & RequiredName<Schema>]: ValueOf<Properties[Name]>;
    } & {
      readonly [Name in Exclude<keyof Properties, RequiredName<Schema>>]?: ValueOf<Properties[Name]>;
    }
  : never;

type RequiredName<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;

type ValueOf<Schema> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { readonly type: 'string' }
    ? string
    : Schema extends { readonly type: 'integer' }
      ? number
      : Schema extends { readonly type: 'array'; readonly items: infer Item }
        ? readonly ValueOf<Item>[]
        : unknown;
