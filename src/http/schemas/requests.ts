/**
 * What callers send, as JSON Schemas (2020-12): they validate requests, they type what the routes read, and the OpenAPI document shows
 * them. A description completes the sentence "`member` is …", which is what a caller reads who sent something else.
 */

function text<const Description extends string>(description: Description) {
  return { type: 'string', description } as const;
}

const AUTHORIZATION_ID = text('The id of an authorization.');
const CLIENT_ID = text('The id under which the application is registered.');
const CLIENT_SECRET = text(
  'The secret of a confidential application; the header `Authorization: Basic` takes it as well.',
);
const ASSERTED = {
  client_assertion: text('A JWT that the application signed, in place of a secret (RFC 7523 §2.2).'),
  client_assertion_type: text('Always `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.'),
} as const;
const SCOPES = {
  type: 'array',
  items: text('The name of a scope.'),
  description: 'An array of names of scopes.',
} as const;
const UPDATED_SINCE = {
  type: 'string',
  format: 'date-time',
  description: 'An RFC 3339 date-time: nothing that changed before is listed.',
} as const;
const CREDENTIALS_UPDATED_SINCE = {
  ...UPDATED_SINCE,
  description:
    'An RFC 3339 date-time, rounded down as the timestamps of the items are: nothing that changed before is listed.',
} as const;
const LIMIT = {
  type: 'integer',
  minimum: 1,
  maximum: 100,
  default: 50,
  description: 'A whole number from 1 to 100: how many items a page has at most.',
} as const;
const CURSOR = text('The `next_cursor` of the page before.');

/** The parameters of an authorization request, sent by the browser or pushed by the client. */
const AUTHORIZATION = {
  response_type: { const: 'code', description: 'Always `code`.' },
  client_id: CLIENT_ID,
  redirect_uri: text('One that the application has registered, letter by letter.'),
  scope: text('Names of scopes, separated by blanks. Unknown ones are ignored when others are known.'),
  response_mode: {
    enum: ['query', 'form_post'],
    description: 'How the response reaches the client: `query` where absent, or `form_post`.',
  },
  code_challenge: text('S256 of the verifier (RFC 7636).'),
  code_challenge_method: { const: 'S256', description: 'Always `S256`.' },
  dpop_jkt: text(
    'The thumbprint of the key with whose DPoP proof alone the code can be redeemed (RFC 9449 §10).',
  ),
  state: {
    type: 'string',
    maxLength: 512,
    description: 'Handed back untouched; at most 512 bytes of UTF-8.',
  },
  nonce: {
    type: 'string',
    maxLength: 512,
    description: 'Handed back in the ID token; at most 512 bytes of UTF-8.',
  },
  login_hint: {
    type: 'string',
    maxLength: 256,
    description:
      'Who the person probably is: a name, an e-mail address, or `type|value` as `identifier` at user-token; at most 256 bytes of UTF-8.',
  },
  claims: text(
    'Single claims, as JSON (OpenID Connect Core §5.5): the standard scope of each is requested, as far as the application may.',
  ),
  locale: text('The language of the page.'),
  prompt: text(
    'How the person is to be asked: `login`, `consent`, `select_account`, separated by blanks. `none` is refused with `login_required`.',
  ),
  max_age: text('How many seconds ago the person may have signed in; `0` asks for a new sign-in.'),
} as const;

/** Members that OAuth's clients send beside those that are known are ignored (RFC 6749 §3.2, S38). */
const LENIENT = { additionalProperties: true } as const;
const STRICT = { additionalProperties: false } as const;

export const REQUEST_SCHEMAS = {
  TokenRequest: {
    type: 'object',
    ...LENIENT,
    required: ['grant_type'],
    properties: {
      grant_type: text('Either `authorization_code` or `refresh_token`.'),
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      ...ASSERTED,
      code: text('The authorization code, with `authorization_code`.'),
      redirect_uri: text('The redirect URI of the request for authorization.'),
      code_verifier: text('The verifier of the code challenge (RFC 7636).'),
      refresh_token: text('The refresh token, with `refresh_token`.'),
      scope: text('A part of the granted scopes, separated by blanks.'),
    },
  },
  RevocationRequest: {
    type: 'object',
    ...LENIENT,
    properties: {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      ...ASSERTED,
      token: text('An access or refresh token.'),
      tokens: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: text('An access or refresh token.'),
        description: 'An array of 1 to 100 access or refresh tokens.',
      },
      token_type_hint: text(
        'One of `access_token`, `refresh_token` and `authorization`; others are ignored.',
      ),
      authorization_id: text('The id of an authorization; requires the client.'),
      cascade: {
        type: ['string', 'boolean'],
        enum: [true, false, 'true', 'false', '1', '0'],
        description:
          'One of `true`, `false`, `1` and `0`: whether the whole authorization is revoked with a token; requires the client.',
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
      ...ASSERTED,
      token: text('An access or refresh token.'),
    },
  },
  UserTokenRequest: {
    type: 'object',
    ...STRICT,
    properties: {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      ...ASSERTED,
      identifier: text(
        'A text `type|value`, of type `id`, `user`, `user_id`, `email`, `evm`, `evm_addr` or `wallet`.',
      ),
      user_id: text('The person’s `app_scoped_user_id`.'),
      email: text('The person’s e-mail address; matches where their grant covers `identity.email`.'),
      evm_address: text(
        'A wallet address, `0x` and 40 hexadecimal digits; matches where their grant covers the wallet claims.',
      ),
    },
  },
  ApprovalRequest: {
    type: 'object',
    ...STRICT,
    required: ['authorization_id'],
    properties: { authorization_id: AUTHORIZATION_ID, scopes: SCOPES },
  },
  DenialRequest: {
    type: 'object',
    ...STRICT,
    required: ['authorization_id'],
    properties: {
      authorization_id: AUTHORIZATION_ID,
      reason: text('A text that is for the caller’s own records.'),
    },
  },
  AudienceRequest: {
    type: 'object',
    required: ['client_id', 'query'],
    additionalProperties: false,
    properties: {
      client_id: CLIENT_ID,
      query: { type: 'object', description: 'A check or a policy, an object.' },
    },
  },
  EvaluationRequest: {
    type: 'object',
    ...STRICT,
    required: ['query'],
    properties: { query: { description: 'A query of the language.' } },
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
        description: 'An array of 1 to 100 names of presets, each once.',
      },
    },
  },
  IngestionRequest: {
    type: 'object',
    ...STRICT,
    required: ['identifier', 'credential'],
    properties: {
      identifier: text('A text `type|value` that names the person: `id|…`, `email|…` or `wallet|…`.'),
      format: {
        type: 'string',
        enum: ['json', 'jwt_vc_json', 'dc+sd-jwt'],
        default: 'json',
        description: 'One of `json`, `jwt_vc_json` and `dc+sd-jwt`: how the credential is written.',
      },
      credential: {
        description:
          'An object with `id`, `source`, `issuedAt`, `expiresAt`?, `revokedAt`? and `claims`; or, signed, the text of the token.',
      },
      subject: text('A non-empty string: the subject (`sub`) that a signed credential must state.'),
      audience: text(
        'A non-empty string, with `nonce`: the `aud` that the key-binding JWT of an SD-JWT VC must have.',
      ),
      nonce: text(
        'A non-empty string, with `audience`: the `nonce` that the key-binding JWT of an SD-JWT VC must have.',
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
  GrantListParameters: {
    type: 'object',
    ...STRICT,
    properties: {
      status: {
        type: 'string',
        enum: ['active', 'revoked'],
        description: 'One of `active` and `revoked`.',
      },
      updated_since: UPDATED_SINCE,
      limit: LIMIT,
      cursor: CURSOR,
    },
  },
} as const;

/**
 * What browsers bring, and the parameters that a client pushes in their place. The routes read these by rules of their own: what is wrong with
 * a request for authorization is told to the client that sent the browser, and not to the person who sits before it (RFC 6749 §4.1.2.1).
 */
export const BROWSER_SCHEMAS = {
  AuthorizationParameters: {
    type: 'object',
    ...LENIENT,
    properties: {
      ...AUTHORIZATION,
      request_uri: text('What pushing the request returned; only `client_id` is read beside it.'),
      authorization_id: text('An authorization to go on with; nothing else is read.'),
    },
  },
  PushedAuthorizationParameters: {
    type: 'object',
    ...LENIENT,
    properties: { ...AUTHORIZATION, client_secret: CLIENT_SECRET, ...ASSERTED },
  },
  ConsentForm: {
    type: 'object',
    ...LENIENT,
    required: ['authorization_id', 'proof', 'action'],
    properties: {
      authorization_id: AUTHORIZATION_ID,
      proof: text('What the page put into its form.'),
      action: { enum: ['approve', 'deny', 'palm'], description: 'What the person pressed.' },
      person: text('In the sandbox: who the person is.'),
    },
  },
  LogoutParameters: {
    type: 'object',
    ...LENIENT,
    properties: {
      id_token_hint: text('An ID token that the application was issued for the person; it may have expired.'),
      client_id: CLIENT_ID,
      post_logout_redirect_uri: text(
        'Where the browser is sent afterwards: a URI that the application has registered, letter by letter, port included.',
      ),
      state: text('Handed back untouched at `post_logout_redirect_uri`.'),
      logout_hint: text('Ignored.'),
      ui_locales: text('Ignored.'),
    },
  },
  SignOutForm: {
    type: 'object',
    ...LENIENT,
    required: ['proof'],
    properties: {
      proof: text('What the page put into its form.'),
      client_id: CLIENT_ID,
      post_logout_redirect_uri: text('Where the browser is sent afterwards; checked again.'),
      state: text('Handed back untouched at `post_logout_redirect_uri`.'),
    },
  },
  SignInParameters: {
    type: 'object',
    ...LENIENT,
    properties: {
      authorization_id: text('The id of the authorization that waits for the person.'),
      verify: { const: 'palm', description: 'Always `palm`: the person is to be verified so.' },
    },
  },
  SignInReturnParameters: {
    type: 'object',
    ...LENIENT,
    required: ['assertion'],
    properties: {
      assertion: text('A JWT of type `sign-in+jwt`, by the deployment’s own login.'),
      authorization_id: text('The id of the authorization that waits for the person.'),
    },
  },
  SignInForm: {
    type: 'object',
    ...LENIENT,
    required: ['proof'],
    properties: {
      proof: text('What the page put into its form.'),
      person: text('In the sandbox: who the person is.'),
      authorization_id: text('The id of the authorization that waits for the person.'),
    },
  },
  UserInfoForm: {
    type: 'object',
    ...LENIENT,
    properties: {
      access_token: text('The access token, where the header `Authorization` is absent (RFC 6750 §2.2).'),
    },
  },
  GrantsForm: {
    type: 'object',
    ...LENIENT,
    required: ['proof', 'action'],
    properties: {
      proof: text('What the page put into its form.'),
      action: { enum: ['end', 'undo', 'sign_out'], description: 'What the person pressed.' },
      client_id: text('The id of the application, to end and to undo.'),
    },
  },
} as const;

export type RequestName = keyof typeof REQUEST_SCHEMAS;

/** What a route reads once a request has been validated. */
export type ValidRequest<Name extends RequestName> = Members<(typeof REQUEST_SCHEMAS)[Name]>;

/** The members of an object's schema: those that are required, and those that may be absent. */
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
