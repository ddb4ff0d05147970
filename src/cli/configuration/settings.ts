/**
 * The table of all settings of a deployment. Environment variables, members of the settings file, validation and documentation derive from it
 * (V1, V2).
 */

import { availableParallelism } from 'node:os';
import type { EnvironmentName } from '../../service/index.js';
import { SECONDS_PER_DAY } from '../../util/time.js';
import type { SettingType } from './setting-types.js';
import * as types from './setting-types.js';

/** A setting. Without `defaults`, it may be absent; see also `requiredInProduction`. */
export interface Setting<Value> {
  readonly subject: Subject;
  readonly description: string;
  readonly type: SettingType<Value>;
  /** Masked in output. A variable with the suffix `_FILE` can name a file that contains the value. */
  readonly secret: boolean;
  /** The default of each environment. */
  readonly defaults?: Readonly<Record<EnvironmentName, string>>;
  /** Allowed in production only. */
  readonly productionOnly: boolean;
  /** Required to start in production. */
  readonly requiredInProduction: boolean;
  /** The response to a caller who exceeds the limit. */
  readonly exceeded?: string;
}

type Subject = 'service' | 'production' | 'lifetimes' | 'rate limits' | 'limits' | 'operations';

type Options = Partial<
  Pick<Setting<unknown>, 'secret' | 'productionOnly' | 'requiredInProduction' | 'exceeded'>
>;

interface WithDefaults {
  readonly defaults: Readonly<Record<EnvironmentName, string>>;
}

const YEAR_SECONDS = 31_536_000;
const LIMIT_PER_MINUTE = types.integer(0, 1_000_000_000, 'no limit');
const REJECTED_429 = '429 `rate_limited` (E4029), with `Retry-After`';

export const SETTINGS = {
  environment: setting(
    'service',
    types.oneOf('sandbox', 'production'),
    'sandbox',
    '`sandbox`: sample people, on this machine only. `production`: real people.',
  ),
  host: setting(
    'service',
    types.singleLine,
    '127.0.0.1',
    'The address to listen on. Whatever it is, the sandbox accepts only requests whose `Host` is a loopback name or address.',
  ),
  port: setting('service', types.integer(0, 65_535, 'any free port'), '8080', 'The port to listen on.'),
  databaseUrl: setting('service', types.database, 'sqlite:.proviso/proviso.sqlite', 'The store.', {
    secret: true,
  }),
  encryptionKeys: withoutDefault(
    'service',
    types.encryptionKeys,
    'Keys that encrypt claims, addresses and private keys in the store; without them, these are stored in plaintext.',
    { secret: true },
  ),
  encryption: setting(
    'service',
    types.oneOf('optional', 'required'),
    'optional',
    'Whether all values that `encryptionKeys` encrypts must be encrypted. With `required`, the service does not start without keys or on a store that is not completely encrypted, and rejects every plaintext value.',
  ),
  catalogue: withoutDefault(
    'service',
    types.file,
    'A file of scopes, claims and presets; same as `serve --catalogue`.',
  ),
  issuers: withoutDefault(
    'service',
    types.file,
    'A file of issuers whose signed credentials are accepted; same as `serve --issuers`.',
  ),
  administratorSha256: withoutDefault(
    'service',
    types.sha256,
    'SHA-256 of the administrator’s token; the sandbox generates its own.',
    { secret: true, requiredInProduction: true },
  ),
  playground: setting(
    'service',
    types.oneOf('on', 'off'),
    { sandbox: 'on', production: 'off' },
    'Whether `/playground` is served: a page to try policies on sample people; it runs in the browser only.',
  ),
  signIns: setting(
    'service',
    types.oneOf('on', 'off'),
    'on',
    'Whether people can sign in and approve. With `off`, the endpoints and pages for that return 503 `temporarily_unavailable`; tokens, refreshes and queries continue. For incidents.',
  ),
  timestampGranularitySeconds: setting(
    'service',
    types.integer(1, 30 * SECONDS_PER_DAY),
    String(SECONDS_PER_DAY),
    'Granularity of the timestamps of credentials that organizations see, in seconds. With a finer granularity, two organizations can match people more easily.',
  ),
  dpopNonce: setting(
    'service',
    types.oneOf('on', 'off'),
    'off',
    'Whether DPoP proofs must contain a nonce from the service. A client without a current nonce needs one more request.',
  ),
  commit: withoutDefault(
    'service',
    types.singleLine,
    'The commit of the build, shown at `/v2/health` in the sandbox.',
  ),

  issuer: withoutDefault(
    'production',
    types.issuer,
    'The base URL of the service, and the issuer in the tokens that it signs.',
    { productionOnly: true, requiredInProduction: true },
  ),
  key: withoutDefault(
    'production',
    types.key,
    'The key of the deployment, from which pairwise subject identifiers, cursors and the key of the audit log are derived. After a change, every person has another identifier, and the seals of the audit log can no longer be verified.',
    { secret: true, productionOnly: true, requiredInProduction: true },
  ),
  applications: withoutDefault(
    'production',
    types.file,
    'A file of applications, registered at each start.',
    {
      productionOnly: true,
    },
  ),
  signInUrl: withoutDefault(
    'production',
    types.httpsUrl,
    'The URL of your login page, to which browsers are sent to sign in.',
    {
      productionOnly: true,
    },
  ),
  signInKeys: withoutDefault(
    'production',
    types.file,
    'A file with the public keys (a JWK Set) that verify the assertions of your login page.',
    { productionOnly: true },
  ),
  signInProviders: withoutDefault(
    'production',
    types.file,
    'A file of OpenID Connect providers at which people sign in, such as Keycloak.',
    { productionOnly: true },
  ),
  administratorApproval: setting(
    'production',
    types.oneOf('without-sign-in', 'always'),
    'without-sign-in',
    'When the administrator may approve on behalf of a person: only without `PROVISO_SIGN_IN_URL` and `PROVISO_SIGN_IN_PROVIDERS`, or always.',
    { productionOnly: true },
  ),
  hstsSeconds: setting(
    'production',
    types.integer(0, 2 * YEAR_SECONDS, 'none'),
    String(YEAR_SECONDS),
    'How long browsers must use https for this host (`max-age` of `Strict-Transport-Security`).',
    { productionOnly: true },
  ),

  requestLifetimeSeconds: setting(
    'lifetimes',
    types.integer(1, SECONDS_PER_DAY),
    '900',
    'How long an authorization request can be approved.',
  ),
  pushedRequestLifetimeSeconds: setting(
    'lifetimes',
    types.integer(1, 600),
    '60',
    'How long the `request_uri` of a pushed authorization request can be used.',
  ),
  codeLifetimeSeconds: setting(
    'lifetimes',
    types.integer(1, 600),
    '60',
    'How long an authorization code can be redeemed.',
  ),
  accessTokenLifetimeSeconds: setting(
    'lifetimes',
    types.integer(1, SECONDS_PER_DAY),
    '3600',
    'The lifetime of an access token.',
  ),
  refreshTokenLifetimeSeconds: setting(
    'lifetimes',
    types.integer(1, YEAR_SECONDS),
    String(30 * SECONDS_PER_DAY),
    'The lifetime of a family of refresh tokens, from its first issue.',
  ),

  rateLimitPerMinute: setting(
    'rate limits',
    types.integer(1, 1_000_000_000),
    { sandbox: '6000000', production: '300' },
    'Requests per access token, shown by discovery as `rate_limit_default`. A query or a request for presets counts as one request per 5 ms of its processing time, rounded up.',
    { exceeded: REJECTED_429 },
  ),
  clientRateLimitPerMinute: setting(
    'rate limits',
    LIMIT_PER_MINUTE,
    { sandbox: '0', production: '3000' },
    'Requests per client: authenticated requests, requests with its access tokens and, for a public client, requests with an accepted code or token.',
    { exceeded: REJECTED_429 },
  ),
  addressRateLimitPerMinute: setting(
    'rate limits',
    LIMIT_PER_MINUTE,
    { sandbox: '0', production: '6000' },
    'Requests per address, or per /64 for IPv6.',
    { exceeded: REJECTED_429 },
  ),
  secretFailuresPerMinute: setting(
    'rate limits',
    LIMIT_PER_MINUTE,
    { sandbox: '0', production: '10' },
    'Wrong secrets from one address for one client, for one person, or for the administrator. For all clients together, and for all people together, the limit is ten times as high. Must be 0 or at least the number of processes of all instances, since each process may count a secret as wrong while it verifies the secret.',
    { exceeded: REJECTED_429 },
  ),
  authorizationRateLimitPerMinute: setting(
    'rate limits',
    LIMIT_PER_MINUTE,
    { sandbox: '0', production: '120' },
    'Authorization requests from one address: `GET /v2/oauth/authorize`, and `POST /v2/oauth/par` by public clients. Each is stored.',
    { exceeded: REJECTED_429 },
  ),
  userTokenMissesPerMinute: setting(
    'rate limits',
    LIMIT_PER_MINUTE,
    { sandbox: '0', production: '60' },
    'Requests to `client/user-token` for which no grant is found or whose selectors do not all identify the same person, per client.',
    { exceeded: REJECTED_429 },
  ),

  maxConnections: setting(
    'limits',
    types.integer(1, 1_000_000),
    '20000',
    'Open connections; further ones are closed immediately.',
    { exceeded: 'closed without a response' },
  ),
  maxConnectionsPerAddress: setting(
    'limits',
    types.integer(0, 1_000_000, 'no limit'),
    { sandbox: '0', production: '256' },
    'Open connections per peer address, or per /64 for IPv6. Connections of `trustedProxies` are not counted. Behind a proxy, list it there or set 0, since all callers share its address.',
    { exceeded: 'closed without a response' },
  ),
  maxConcurrentRequests: setting('limits', types.integer(1, 1_000_000), '1000', 'Concurrent requests.', {
    exceeded: '503 `temporarily_unavailable` (E5003), with `Retry-After`',
  }),
  maxHeaderBytes: setting(
    'limits',
    types.integer(1_024, 1_048_576),
    '16384',
    'Size of the request line and headers, in bytes.',
    { exceeded: '431 `headers_too_large` (E4013), closed' },
  ),
  maxHeaders: setting('limits', types.integer(10, 1_000), '100', 'Number of header lines.', {
    exceeded: '431 `headers_too_large` (E4013), closed',
  }),
  maxUrlLength: setting('limits', types.integer(256, 65_536), '8192', 'Length of a URL, in characters.', {
    exceeded: '414 `url_too_large` (E4013)',
  }),
  maxBodyBytes: setting(
    'limits',
    types.integer(1_024, 16_777_216),
    '65536',
    'Size of a body, in bytes; the rest is discarded.',
    {
      exceeded:
        '413 `body_too_large` (E4013); closed if more than 1 MiB would be discarded, or the request has `Expect`',
    },
  ),
  headTimeoutSeconds: setting(
    'limits',
    types.integer(1, 3_600),
    '10',
    'Time to receive the head of a request.',
    {
      exceeded: '408 (E4000), closed',
    },
  ),
  requestTimeoutSeconds: setting(
    'limits',
    types.integer(1, 3_600),
    '30',
    'Time to receive a complete request.',
    {
      exceeded: '408 (E4000), closed',
    },
  ),
  keepAliveSeconds: setting(
    'limits',
    types.integer(1, 3_600),
    '5',
    'How long a connection may be idle between requests.',
    { exceeded: 'closed without a response' },
  ),
  sendTimeoutSeconds: setting(
    'limits',
    types.integer(1, 3_600),
    '30',
    'How long the peer may pause while it reads a response.',
    { exceeded: 'closed' },
  ),
  queryMaxChecks: setting('limits', types.integer(1, 100_000), '256', 'Number of checks in a query.', {
    exceeded: '400 `query_too_large` (E4002)',
  }),
  queryMaxDepth: setting('limits', types.integer(1, 256), '16', 'Depth of nested policies.', {
    exceeded: '400 `query_too_large` (E4002)',
  }),
  queryMaxMatchCost: setting(
    'limits',
    types.integer(1, 1_000_000_000),
    '2000000',
    'Cost of the patterns of a query: the sum of pattern size × code units of the matched claim. A cost of 1 takes about 25 ns.',
    { exceeded: '400 `query_too_large` (E4002)' },
  ),

  processes: setting(
    'operations',
    types.integer(0, 256, 'one per processor'),
    '1',
    'Processes that share the port; same as `serve --processes`. Limits of connections and concurrent requests apply to each.',
  ),
  queryCacheBytes: setting(
    'operations',
    types.integer(0, 1_073_741_824, 'no cache'),
    '16777216',
    'Capacity of the cache of compiled queries, in bytes. The least recently used queries are evicted.',
  ),
  readCacheBytes: setting(
    'operations',
    types.integer(0, 1_073_741_824, 'no cache'),
    '67108864',
    'Capacity of the cache of tokens and credentials that a SQLite store has read, in bytes. A full cache is cleared.',
  ),
  audit: setting(
    'operations',
    types.oneOf('off', 'changes', 'all'),
    { sandbox: 'off', production: 'all' },
    'What the audit log contains. `off`: nothing; `changes`: changes to grants, tokens, applications, credentials and keys, and erasures; `all`: also each disclosure and rejection, logged before the response is sent.',
  ),
  auditRetentionDays: setting(
    'operations',
    types.integer(0, 36_500, 'forever'),
    '365',
    'How long entries of the audit log are kept.',
  ),
  ledger: setting(
    'operations',
    types.oneOf('on', 'off'),
    'on',
    'Whether the ledger records what each application learns, so that people can see it at `/grants`. With `off`, the page says that nothing is recorded.',
  ),
  ledgerRetentionDays: setting(
    'operations',
    types.integer(0, 36_500, 'forever'),
    '365',
    'How long an entry of the ledger is kept after the application last learned its content.',
  ),
  endedGrantRetentionDays: setting(
    'operations',
    types.integer(0, 36_500, 'forever'),
    '0',
    'How long grants are kept after they ended, with their tokens and their part of the ledger.',
  ),
  endedCredentialRetentionDays: setting(
    'operations',
    types.integer(0, 36_500, 'forever'),
    '0',
    'How long credentials are kept after they expired or were revoked. A revoked one leaves a keyed hash of its id, so that it cannot be ingested again.',
  ),
  trustedProxies: withoutDefault(
    'operations',
    types.networks,
    'Proxies whose `X-Forwarded-For` determines the caller’s address. The header of other peers is ignored.',
  ),
  logLevel: setting(
    'operations',
    types.oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    { sandbox: 'warn', production: 'info' },
    'The lowest level that is logged, as JSON on standard error: requests at `info`, security-relevant rejections at `warn`, failures at `error`.',
  ),
  metricsHost: setting(
    'operations',
    types.singleLine,
    '127.0.0.1',
    'The address to listen on for `metricsPort`.',
  ),
  metricsPort: withoutDefault(
    'operations',
    types.integer(0, 65_535, 'any free port'),
    'A separate port for Prometheus, without authentication. The `Host` of requests must be a loopback name, an IP address or `metricsHost`. The administrator can always read `/v2/metrics`.',
  ),
  drainSeconds: setting(
    'operations',
    types.integer(0, 600),
    '2',
    'How long new requests are accepted after SIGTERM, while `/v2/ready` reports `not_ready`.',
  ),
  graceSeconds: setting(
    'operations',
    types.integer(1, 3_600),
    '35',
    'How long after SIGTERM the service waits before it aborts pending requests. Must be larger than `drainSeconds`.',
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** The values of all settings. */
export type Configuration = {
  readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]>;
};

type ValueOf<Definition> =
  Definition extends Setting<infer Value>
    ? Definition extends WithDefaults
      ? Value
      : Value | undefined
    : never;

/** Lists all settings by name. */
export function settingEntries(): readonly (readonly [SettingName, Setting<unknown>])[] {
  return Object.entries(SETTINGS) as unknown as (readonly [SettingName, Setting<unknown>])[];
}

/** The environment variable of a setting: `maxBodyBytes` → `PROVISO_MAX_BODY_BYTES`. */
export function variableOf(name: string): string {
  return `PROVISO_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

function setting<Value>(
  subject: Subject,
  type: SettingType<Value>,
  defaults: string | Readonly<Record<EnvironmentName, string>>,
  description: string,
  options: Options = {},
): Setting<Value> & WithDefaults {
  const byEnvironment = typeof defaults === 'string' ? { sandbox: defaults, production: defaults } : defaults;
  return { ...withoutDefault(subject, type, description, options), defaults: byEnvironment };
}

function withoutDefault<Value>(
  subject: Subject,
  type: SettingType<Value>,
  description: string,
  options: Options = {},
): Setting<Value> {
  return {
    subject,
    type,
    description,
    secret: false,
    productionOnly: false,
    requiredInProduction: false,
    ...options,
  };
}

/** Returns the number of processes of a configuration. */
export function countProcesses({ processes }: Pick<Configuration, 'processes'>): number {
  return processes === 0 ? availableParallelism() : processes;
}
