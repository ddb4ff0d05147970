/** Endpoints for the metadata of the authorization server (RFC 8414) and of the service, the keys (RFC 7517), and the OpenAPI document (S181, S182). */
import { EVIDENCE_LEVELS } from '../../engine/index.js';
import {
  AUTHORIZATION_DETAILS_TYPES,
  ID_TOKEN_ALGORITHMS,
  JWKS_CACHE_SECONDS,
  PROMPT_VALUES,
  RESPONSE_MODES,
  type Service,
} from '../../service/index.js';
import { openApiDocument } from '../openapi.js';
import { PAGE_LANGUAGES } from '../pages/page-language.js';
import { serializeOnce } from '../request-context.js';
import { toScopeBody } from '../wire.js';
import { BASE_PATH, type Operation, type Route } from './route.js';

const CACHE = { 'Cache-Control': `public, max-age=${JWKS_CACHE_SECONDS}` };

/** Metadata paths: below the issuer's URL, and as required by RFC 8414 §3.1 for an issuer with a path. */
const METADATA_PATHS = [
  `${BASE_PATH}/.well-known/openid-configuration`,
  `${BASE_PATH}/.well-known/oauth-authorization-server`,
  `/.well-known/openid-configuration${BASE_PATH}`,
  `/.well-known/oauth-authorization-server${BASE_PATH}`,
];

const ASSERTION_ALGORITHMS = ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA'];

/** The members of ID tokens, and those members of user information that do not come from credentials. */
const CLAIMS = [
  'sub',
  'iss',
  'aud',
  'exp',
  'iat',
  'auth_time',
  'nonce',
  'at_hash',
  'authorization_id',
  'scopes',
];

const SERVICE_PATHS = [
  `${BASE_PATH}/.well-known/hp-configuration`,
  `/.well-known/hp-configuration${BASE_PATH}`,
];

export const discoveryRoutes: readonly Route[] = [
  ...METADATA_PATHS.map((path, index) =>
    document(path, standardMetadata, {
      id: `readServerMetadata${index === 0 ? '' : index + 1}`,
      summary: 'Get the metadata of the authorization server (RFC 8414, OpenID Connect Discovery).',
      caller: 'anyone',
      responses: ['AuthorizationServerMetadata'],
    }),
  ),
  ...SERVICE_PATHS.map((path, index) =>
    document(path, serviceMetadata, {
      id: `readServiceMetadata${index === 0 ? '' : index + 1}`,
      summary: 'Get the metadata of the service: its endpoints, scopes and presets.',
      caller: 'anyone',
      responses: ['ServiceMetadata'],
    }),
  ),
  {
    operations: {
      GET: {
        id: 'readKeys',
        summary: 'Get the public keys that verify ID tokens (RFC 7517).',
        caller: 'anyone',
        responses: ['KeySet'],
      },
    },
    path: `${BASE_PATH}/.well-known/jwks.json`,
    crossOrigin: 'anyone',
    handle: async (context) => ({
      kind: 'json',
      status: 200,
      headers: CACHE,
      body: { keys: await context.service.tokens.listPublicKeys() },
    }),
  },
];

function document(
  path: string,
  body: (service: Service) => Readonly<Record<string, unknown>>,
  operation: Operation,
): Route {
  return {
    operations: { GET: operation },
    path,
    crossOrigin: 'anyone',
    handle: async (context) => ({
      kind: 'json',
      status: 200,
      headers: CACHE,
      body: serializeOnce(path, context, () => body(context.service)),
    }),
  };
}

function confidentialMethods({ signedClients }: Service): readonly string[] {
  return ['client_secret_basic', 'client_secret_post', ...(signedClients ? ['private_key_jwt'] : [])];
}

/** Returns the capabilities that are listed in both documents: the metadata of the authorization server and those of the service. */
function capabilities(service: Service): Readonly<Record<string, unknown>> {
  return {
    scopes_supported: service.catalogue.scopes.scopes,
    authorization_details_types_supported: AUTHORIZATION_DETAILS_TYPES,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: [...confidentialMethods(service), 'none'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
    // OpenID Connect Core §5.6: neither aggregated nor distributed claims.
    claim_types_supported: ['normal'],
    claims_supported: [...CLAIMS, ...service.queries.listUserInfoMembers()],
  };
}

/** The metadata of RFC 8414 and OpenID Connect Discovery. Lists exactly what the service supports. */
function standardMetadata(service: Service): Readonly<Record<string, unknown>> {
  const { settings, signedClients, dpopAlgorithms } = service;
  const { issuer } = settings;
  const confidential = confidentialMethods(service);
  const algorithms = signedClients ? ASSERTION_ALGORITHMS : undefined;
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
    require_pushed_authorization_requests: false,
    token_endpoint: `${issuer}/oauth/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    end_session_endpoint: `${issuer}/oauth/logout`,
    ...capabilities(service),
    response_modes_supported: RESPONSE_MODES,
    prompt_values_supported: PROMPT_VALUES,
    ui_locales_supported: PAGE_LANGUAGES,
    revocation_endpoint_auth_methods_supported: [...confidential, 'none'],
    introspection_endpoint_auth_methods_supported: confidential,
    token_endpoint_auth_signing_alg_values_supported: algorithms,
    revocation_endpoint_auth_signing_alg_values_supported: algorithms,
    introspection_endpoint_auth_signing_alg_values_supported: algorithms,
    dpop_signing_alg_values_supported: dpopAlgorithms.length > 0 ? dpopAlgorithms : undefined,
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: true,
  };
}

function serviceMetadata(service: Service): Readonly<Record<string, unknown>> {
  const { settings, catalogue } = service;
  const { issuer } = settings;
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revoke_endpoint: `${issuer}/oauth/revoke`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    end_session_endpoint: `${issuer}/oauth/logout`,
    userinfo_endpoint: `${issuer}/userinfo`,
    hp_configuration_endpoint: `${issuer}/.well-known/hp-configuration`,
    queries_endpoint: `${issuer}/queries/evaluate`,
    presets_endpoint: `${issuer}/presets`,
    presets_batch_endpoint: `${issuer}/presets/batch`,
    credentials_endpoint: `${issuer}/credentials`,
    authorizations_endpoint: `${issuer}/authorizations`,
    client_user_token_endpoint: `${issuer}/oauth/client/user-token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    openapi_uri: `${issuer}/openapi.json`,
    ...capabilities(service),
    evidence_levels_supported: EVIDENCE_LEVELS,
    scopes_catalog: catalogue.scopes.scopes.map((scope) => toScopeBody(scope, catalogue)),
    inference_bounds: catalogue.definition.claims.flatMap(({ path, inferenceBound }) =>
      inferenceBound === undefined ? [] : [{ claim: path, ...inferenceBound }],
    ),
    presets_available: catalogue.presets.map(({ name, scope, type, description, consentText }) => ({
      name,
      scope,
      type,
      description,
      consent_text: consentText,
    })),
    rate_limit_default: settings.rateLimitPerMinute,
    rate_limit_unit: 'requests_per_minute',
  };
}

const OPENAPI_CACHE = { 'Cache-Control': 'public, max-age=300' };

const OPENAPI_PATH = `${BASE_PATH}/openapi.json`;

/** Creates the route of the OpenAPI document. @param routes - Returns all routes, including this one; called at the first request. */
export function openapi(routes: () => readonly Route[]): Route {
  return {
    operations: {
      GET: {
        id: 'readOpenApi',
        summary: 'Get the OpenAPI document.',
        caller: 'anyone',
        responses: ['OpenApi'],
      },
    },
    path: OPENAPI_PATH,
    crossOrigin: 'anyone',
    handle: async (context) => ({
      kind: 'json',
      status: 200,
      headers: OPENAPI_CACHE,
      body: serializeOnce(OPENAPI_PATH, context, () =>
        openApiDocument(routes(), context.service.settings.issuer, context.deployment.version),
      ),
    }),
  };
}
