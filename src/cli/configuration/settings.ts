/** Every setting of a deployment, in one table: environment, file, start-up checks and documentation read it (V1, V2). */

import type { EnvironmentName } from '../../service/index.js';
import { SECONDS_PER_DAY } from '../../util/time.js';
import type { SettingType } from './setting-types.js';
import * as types from './setting-types.js';

/** A setting without a fallback may be absent. */
export interface Setting<Value> {
  readonly subject: Subject;
  readonly description: string;
  readonly type: SettingType<Value>;
  /** Not printed; may come from a file that is named by the variable with `_FILE` behind it. */
  readonly secret: boolean;
  /** What each environment does without it. */
  readonly defaults?: Readonly<Record<EnvironmentName, string>>;
  /** Only production takes it. */
  readonly productionOnly: boolean;
  /** Production does not start without it. */
  readonly requiredInProduction: boolean;
  /** How whoever exceeds it is answered. */
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
const MINUTE = types.integer(0, 1_000_000_000, 'no limit');
const REFUSED_429 = '429 `rate_limited` (E4029), with `Retry-After`';

export const SETTINGS = {
  environment: setting(
    'service',
    types.oneOf('sandbox', 'production'),
    'sandbox',
    'Made-up people on this machine, or real ones.',
  ),
  host: setting(
    'service',
    types.singleLine,
    '127.0.0.1',
    'The address to listen on. The sandbox answers loopback names only, wherever it listens.',
  ),
  port: setting('service', types.integer(0, 65_535, 'any free port'), '8080', 'The port to listen on.'),
  databaseUrl: setting('service', types.database, 'sqlite:.proviso/proviso.sqlite', 'Where the store is.', {
    secret: true,
  }),
  encryptionKeys: optional(
    'service',
    types.encryptionKeys,
    'Keys under which the store keeps claims, addresses and its own keys encrypted; without them these stand in clear.',
    { secret: true },
  ),
  encryption: setting(
    'service',
    types.oneOf('optional', 'required'),
    'optional',
    'Whether everything in the store must be encrypted. `required` refuses a start without keys, a store that was not encrypted completely, and every value in clear, whatever the store says of itself.',
  ),
  catalogue: optional('service', types.file, 'A file of scopes, claims and presets; as `serve --catalogue`.'),
  issuers: optional(
    'service',
    types.file,
    'A file of issuers whose signed credentials are taken in; as `serve --issuers`.',
  ),
  administratorSha256: optional(
    'service',
    types.sha256,
    'SHA-256 of the administrator’s token; the sandbox has one of its own.',
    { secret: true, requiredInProduction: true },
  ),
  playground: setting(
    'service',
    types.oneOf('on', 'off'),
    { sandbox: 'on', production: 'off' },
    'Whether `/playground` is served: policies to try on made-up people, in the browser alone.',
  ),
  timestampGranularitySeconds: setting(
    'service',
    types.integer(1, 30 * SECONDS_PER_DAY),
    String(SECONDS_PER_DAY),
    'How coarse the timestamps of people’s credentials are that an organization sees, in seconds: the finer, the easier two organizations match people by them.',
  ),
  dpopNonce: setting(
    'service',
    types.oneOf('on', 'off'),
    'off',
    'Whether DPoP proofs must have a nonce of the service, which costs a client one more request whenever it has none that is current.',
  ),
  commit: optional('service', types.singleLine, 'The commit that runs, told at `/v2/health` in the sandbox.'),

  issuer: optional(
    'production',
    types.issuer,
    'Where the service is reached: its base URL, and the issuer in what it signs.',
    { productionOnly: true, requiredInProduction: true },
  ),
  key: optional(
    'production',
    types.key,
    'The deployment’s own key: people’s pairwise names and lists’ cursors are derived from it. Whoever changes it gives everybody another name.',
    { secret: true, productionOnly: true, requiredInProduction: true },
  ),
  applications: optional(
    'production',
    types.file,
    'A file of the applications that may ask, recorded at each start.',
    { productionOnly: true },
  ),
  signInUrl: optional('production', types.httpsUrl, 'Where a browser is sent to sign in: your own login.', {
    productionOnly: true,
  }),
  signInKeys: optional(
    'production',
    types.file,
    'A file with the public keys (a JWK Set) of your own login, which signs who signed in.',
    { productionOnly: true },
  ),
  administratorApproval: setting(
    'production',
    types.oneOf('without-sign-in', 'always'),
    'without-sign-in',
    'When the administrator may approve for a person: only without `PROVISO_SIGN_IN_URL`, or always.',
    { productionOnly: true },
  ),
  hstsSeconds: setting(
    'production',
    types.integer(0, 2 * YEAR_SECONDS, 'none'),
    String(YEAR_SECONDS),
    'How long browsers ask for this host by https only (`Strict-Transport-Security`).',
    { productionOnly: true },
  ),

  requestLifetimeSeconds: setting(
    'lifetimes',
    types.integer(1, SECONDS_PER_DAY),
    '900',
    'How long a request for authorization can be approved.',
  ),
  pushedRequestLifetimeSeconds: setting(
    'lifetimes',
    types.integer(1, 600),
    '60',
    'How long the `request_uri` of a pushed authorization request can be used.',
  ),
  codeLifetimeSeconds: setting('lifetimes', types.integer(1, 600), '60', 'How long a code can be redeemed.'),
  accessTokenLifetimeSeconds: setting(
    'lifetimes',
    types.integer(1, SECONDS_PER_DAY),
    '3600',
    'How long an access token is good.',
  ),
  refreshTokenLifetimeSeconds: setting(
    'lifetimes',
    types.integer(1, YEAR_SECONDS),
    String(30 * SECONDS_PER_DAY),
    'How long a family of refresh tokens lives, from its first issue.',
  ),

  rateLimitPerMinute: setting(
    'rate limits',
    types.integer(1, 1_000_000_000),
    { sandbox: '6000000', production: '300' },
    'Requests of one access token, told by discovery as `rate_limit_default`; each started 5 ms of work on a request count as one.',
    { exceeded: REFUSED_429 },
  ),
  clientRateLimitPerMinute: setting(
    'rate limits',
    MINUTE,
    { sandbox: '0', production: '3000' },
    'Requests of one client together: those that it authenticated or, for a client without a secret, whose code or token was accepted, and those of its access tokens.',
    { exceeded: REFUSED_429 },
  ),
  addressRateLimitPerMinute: setting(
    'rate limits',
    MINUTE,
    { sandbox: '0', production: '6000' },
    'Requests of one address, whoever it is; of one /64 of IPv6.',
    { exceeded: REFUSED_429 },
  ),
  secretFailuresPerMinute: setting(
    'rate limits',
    MINUTE,
    { sandbox: '0', production: '10' },
    'Wrong secrets for one client from one address, and wrong administrator’s tokens from one address; for all clients together, ten times as many. At least the number of instances.',
    { exceeded: REFUSED_429 },
  ),
  authorizationRateLimitPerMinute: setting(
    'rate limits',
    MINUTE,
    { sandbox: '0', production: '120' },
    'Authorization requests (`GET /v2/oauth/authorize`) from one address, and those that public clients push (`POST /v2/oauth/par`); each is stored.',
    { exceeded: REFUSED_429 },
  ),
  userTokenMissesPerMinute: setting(
    'rate limits',
    MINUTE,
    { sandbox: '0', production: '60' },
    'User-token requests of one client that found no grant.',
    { exceeded: REFUSED_429 },
  ),

  maxConnections: setting(
    'limits',
    types.integer(1, 1_000_000),
    '20000',
    'Open connections; further ones are closed at once.',
    { exceeded: 'closed without an answer' },
  ),
  maxConnectionsPerAddress: setting(
    'limits',
    types.integer(0, 1_000_000, 'no limit'),
    { sandbox: '0', production: '256' },
    'Open connections of one address, which is the connection’s peer; of one /64 of IPv6. Connections of `trustedProxies` are not counted: name your proxy there, or set 0, since all callers come through it.',
    { exceeded: 'closed without an answer' },
  ),
  maxConcurrentRequests: setting(
    'limits',
    types.integer(1, 1_000_000),
    '1000',
    'Requests under way at once.',
    { exceeded: '503 `temporarily_unavailable` (E5003), with `Retry-After`' },
  ),
  maxHeaderBytes: setting(
    'limits',
    types.integer(1_024, 1_048_576),
    '16384',
    'Bytes of a request’s line and headers.',
    { exceeded: '431 `headers_too_large` (E4013), closed' },
  ),
  maxHeaders: setting('limits', types.integer(10, 1_000), '100', 'Header lines.', {
    exceeded: '431 `headers_too_large` (E4013), closed',
  }),
  maxUrlLength: setting('limits', types.integer(256, 65_536), '8192', 'Characters of a URL.', {
    exceeded: '414 `url_too_large` (E4013)',
  }),
  maxBodyBytes: setting(
    'limits',
    types.integer(1_024, 16_777_216),
    '65536',
    'Bytes of a body; the rest is not read.',
    { exceeded: '413 `body_too_large` (E4013), closed' },
  ),
  headTimeoutSeconds: setting('limits', types.integer(1, 3_600), '10', 'Until a request’s head is there.', {
    exceeded: '408 (E4000), closed',
  }),
  requestTimeoutSeconds: setting('limits', types.integer(1, 3_600), '30', 'Until a whole request is there.', {
    exceeded: '408 (E4000), closed',
  }),
  keepAliveSeconds: setting(
    'limits',
    types.integer(1, 3_600),
    '5',
    'How long a connection may be idle between requests.',
    { exceeded: 'closed without an answer' },
  ),
  sendTimeoutSeconds: setting(
    'limits',
    types.integer(1, 3_600),
    '30',
    'How long an answer may wait without the peer reading any of it.',
    { exceeded: 'closed' },
  ),
  queryMaxChecks: setting('limits', types.integer(1, 100_000), '256', 'Checks of a query.', {
    exceeded: '400 `query_too_large` (E4002)',
  }),
  queryMaxDepth: setting('limits', types.integer(1, 256), '16', 'Policies inside policies.', {
    exceeded: '400 `query_too_large` (E4002)',
  }),
  queryMaxMatchCost: setting(
    'limits',
    types.integer(1, 1_000_000_000),
    '2000000',
    'Instructions of a query’s patterns × characters of the claims that they read: about 25 ns each.',
    { exceeded: '400 `query_too_large` (E4002)' },
  ),

  audit: setting(
    'operations',
    types.oneOf('off', 'changes', 'all'),
    { sandbox: 'off', production: 'all' },
    'What the audit log tells: nothing; what changes grants, tokens, applications, credentials and keys; or that, and each answer and refusal before it leaves.',
  ),
  auditRetentionDays: setting(
    'operations',
    types.integer(0, 36_500, 'for ever'),
    '365',
    'How long entries of the audit log are kept.',
  ),
  trustedProxies: optional(
    'operations',
    types.networks,
    'Proxies whose `X-Forwarded-For` tells who asks. Of others it counts for nothing.',
  ),
  logLevel: setting(
    'operations',
    types.oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    { sandbox: 'warn', production: 'info' },
    'The least that is logged, as JSON on standard error: each request at `info`, refusals that matter to security at `warn`, failures at `error`.',
  ),
  metricsHost: setting('operations', types.singleLine, '127.0.0.1', 'The address of the metrics’ own port.'),
  metricsPort: optional(
    'operations',
    types.integer(0, 65_535, 'any free port'),
    'A port of its own for Prometheus, without authentication. Its `Host` must be a loopback name, an IP address or `metricsHost`. `/v2/metrics` is there for the administrator in any case.',
  ),
  drainSeconds: setting(
    'operations',
    types.integer(0, 600),
    '2',
    'How long, after SIGTERM, requests are still taken while `/v2/ready` says no.',
  ),
  graceSeconds: setting(
    'operations',
    types.integer(1, 3_600),
    '35',
    'After SIGTERM: when what is still under way is cut off.',
  ),
} as const;

type SettingName = keyof typeof SETTINGS;

/** Every setting with its value. */
export type Configuration = {
  readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]>;
};

type ValueOf<Definition> =
  Definition extends Setting<infer Value>
    ? Definition extends WithDefaults
      ? Value
      : Value | undefined
    : never;

/** The settings by name, for who walks the table. */
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
  const both = typeof defaults === 'string' ? { sandbox: defaults, production: defaults } : defaults;
  return { ...optional(subject, type, description, options), defaults: both };
}

function optional<Value>(
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
