/** A service in a separate process, and client sessions with every kind of secret and token. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import { runStatement } from '../../support/postgres-cluster.js';
import {
  openRawConnection,
  type RawConnection,
  type RawResponse,
  type ResponseError,
  sendBytes,
} from '../../support/raw-connection.js';
import { runCommand } from '../../support/run-command.js';
import { DRAFT_ISSUER } from '../../support/specification-credentials.js';
import { startWatched, type WatchedService } from '../../support/watched-service.js';
import type { Finding, TargetContext } from '../fuzz-target.js';
import { LOG_IN, LOG_IN_CONFIDENTIAL } from './flows.js';
import type { RedirectTargets } from './judge-response.js';
import { needsSeparateConnection, type PlannedRequest, type SentRequest, toSent } from './planned-request.js';
import { learn, type Session } from './session.js';

/** A request without a response after this time counts as hanging. */
export const HANG_MS = 10_000;

export type DeploymentName = 'sandbox' | 'production';

export interface Deployment extends RedirectTargets {
  readonly host: string;
  readonly issuer: string;
  /** The current process of the service, which is replaced after a crash. */
  readonly service: () => WatchedService;
  /** Creates a session with new tokens of the public client, and a token of the confidential client that sessions share. */
  readonly newSession: () => Promise<Session>;
  /**
   * Sends a request and reads its responses.
   *
   * @throws {ResponseError}
   */
  readonly send: (request: SentRequest) => Promise<readonly RawResponse[]>;
  /** Sends a planned request, and updates the session from its response without checking it. */
  readonly sendAndLearn: (request: PlannedRequest, session: Session) => Promise<RawResponse | undefined>;
  /** Updates the session from a response, and signs the sign-in assertion for a new nonce. */
  readonly follow: (session: Session, request: SentRequest, response: RawResponse) => Promise<void>;
  /** Turns a connection fault into a finding. Restarts the service if it has ended. */
  readonly explainFault: (fault: ResponseError, at: string) => Promise<Finding>;
  /** Signs a header and payload as the trusted issuer, without checking them. */
  readonly signAsIssuer: (header: object, payload: string) => Promise<string>;
  /** Signs as the application that authenticates with keys. */
  readonly signAsClient: (header: object, payload: string) => Promise<string>;
  /** Signs as the external login. */
  readonly signAsLogin: (header: object, payload: string) => Promise<string>;
  /** Stops the service. @returns A finding if it does not exit with 0. */
  readonly stop: () => Promise<Finding | undefined>;
}

export const ISSUER_OF_CREDENTIALS = 'https://registry.example';
export const CREDENTIAL_TYPE = 'https://registry.example/types/person';
const SIGNING_CLIENT = 'signing';
const ADMINISTRATOR = 'the-administrator-of-what-is-fuzzed';
const SECRET = 'the-secret-of-what-is-fuzzed-0123456789';
const VERIFIER = 'a-verifier-that-is-good-for-every-request-here';
const SIGN_IN_URL = 'https://login.example/enter';
const DAY = '86400';
/** Number of sessions that share a token of the confidential client: in the sandbox, each of its logins costs an RSA signature. */
const SESSIONS_PER_WIDE_TOKEN = 50;

interface Profile {
  /** Returns the origin: in the sandbox with the port of the current process, in production as configured. */
  readonly origin: (port: number) => string;
  readonly env: Readonly<Record<string, string>>;
  readonly known: Readonly<Record<string, string>>;
  readonly redirects: RegExp;
}

interface Keys {
  readonly issuer: CryptoKey;
  readonly client: CryptoKey;
  readonly login: CryptoKey;
}

/** Starts the service with a new store. */
export async function openDeployment(
  name: DeploymentName,
  { folder, coverageFolder, postgresUrl }: TargetContext,
): Promise<Deployment> {
  mkdirSync(folder, { recursive: true });
  const keys = await writeKeys(folder);
  const profile = name === 'sandbox' ? sandbox(folder) : await production(folder, postgresUrl);
  const env = {
    ...profile.env,
    PROVISO_ACCESS_TOKEN_LIFETIME_SECONDS: DAY,
    ...(coverageFolder === undefined ? {} : { NODE_V8_COVERAGE: coverageFolder }),
  };
  let service = await startWatched(folder, env);
  const connections = new Map<number, RawConnection>();
  const connection = () => {
    const one = connections.get(service.port) ?? openRawConnection(service.port, HANG_MS);
    connections.set(service.port, one);
    return one;
  };
  const origin = () => profile.origin(service.port);
  let sessions = 0;
  let wide = '';
  const sign = (key: CryptoKey) => (header: object, payload: string) => signRaw(key, header, payload);
  const deployment: Deployment = {
    get origin() {
      return origin();
    },
    get host() {
      return new URL(origin()).host;
    },
    get issuer() {
      return `${origin()}/v2`;
    },
    redirects: profile.redirects,
    service: () => service,
    send: async (sent) =>
      needsSeparateConnection(sent)
        ? await sendBytes(service.port, sent.bytes, HANG_MS)
        : [await connection().send(sent.bytes, sent.method)],
    sendAndLearn: async (planned, session) => {
      const sent = toSent(planned, deployment.host, session.known);
      const [response] = await deployment.send(sent);
      if (response !== undefined) await deployment.follow(session, sent, response);
      return response;
    },
    follow: async (session, request, response) => {
      const before = session.known.get('nonce');
      learn(session, request, response);
      const nonce = session.known.get('nonce');
      if (nonce !== undefined && nonce !== before)
        session.known.set('sign_in', await signIn(deployment, nonce, `${sessions}-${nonce}`));
    },
    newSession: async () => {
      sessions += 1;
      const session: Session = {
        known: new Map(Object.entries({ ...profile.known, nonce_text: String(sessions) })),
        secrets: new Set(
          [ADMINISTRATOR, SECRET, VERIFIER].filter((one) => Object.values(profile.known).includes(one)),
        ),
        invalidated: new Set(),
      };
      session.known.set('client_assertion', await assertion(deployment, String(sessions)));
      session.known.set('signed_credential', await credential(deployment, String(sessions)));
      if (sessions % SESSIONS_PER_WIDE_TOKEN === 1) wide = await wideToken(deployment, session);
      session.known.set('access_wide', wide);
      await logIn(deployment, LOG_IN, session);
      return session;
    },
    explainFault: async (fault, at) => {
      const { message, kind } = fault;
      // The exit of a process is reported with a delay.
      if (kind === 'closed') await new Promise((resolve) => setTimeout(resolve, 200));
      const ended = service.ended();
      if (ended === undefined) return { kind: `${kind}: ${at}`, detail: message };
      const said = service.stderr().slice(-600);
      service = await startWatched(folder, env);
      return { kind: `the process exited: ${at}`, detail: `${ended}; output: ${said}` };
    },
    signAsIssuer: sign(keys.issuer),
    signAsClient: sign(keys.client),
    signAsLogin: sign(keys.login),
    stop: async () => {
      for (const one of connections.values()) one.close();
      const outcome = await service.stop('SIGTERM');
      if (outcome === 0) return undefined;
      const said = service.stderr().slice(-600);
      return { kind: `${name}: does not exit with 0 on SIGTERM`, detail: `${outcome}: ${said}` };
    },
  };
  return deployment;
}

async function wideToken(deployment: Deployment, session: Session): Promise<string> {
  await logIn(deployment, LOG_IN_CONFIDENTIAL, session);
  return session.known.get('access') ?? '';
}

async function logIn(
  deployment: Deployment,
  requests: readonly PlannedRequest[],
  session: Session,
): Promise<void> {
  session.known.set('cookie', '');
  session.known.delete('access');
  for (const request of requests) await deployment.sendAndLearn(request, session);
  if (!session.known.has('access'))
    throw new Error(`login failed: ${deployment.service().stderr().slice(-600)}`);
}

async function writeKeys(folder: string): Promise<Keys> {
  const [issuer, client, login] = await Promise.all(
    Array.from({ length: 3 }, () => generateKeyPair('ES256', { extractable: true })),
  );
  if (issuer === undefined || client === undefined || login === undefined) throw new Error('no keys');
  const jwk = async (key: CryptoKey) => ({ ...(await exportJWK(key)), alg: 'ES256' });
  const claimMappings = {
    '/kyc_level': 'kyc.level',
    '/address': 'identity.address_full',
    '/nationalities/0': 'identity.nationality',
    '/birthdate': 'identity.date_of_birth',
    '/accounts': 'identity.social_accounts',
  };
  const registryIssuer = {
    issuer: ISSUER_OF_CREDENTIALS,
    source: 'Registry',
    keys: [await jwk(issuer.publicKey)],
    credentials: [{ type: CREDENTIAL_TYPE, claims: claimMappings }],
  };
  const { mappings, holderBinding, ...published } = DRAFT_ISSUER;
  const draftIssuer = { ...published, credentials: mappings, holder_binding: holderBinding };
  writeJson(folder, 'issuers.json', { issuers: [registryIssuer, draftIssuer] });
  writeJson(folder, 'login.json', { keys: [{ ...(await jwk(login.publicKey)), kid: 'login' }] });
  const common = { scopes: SCOPES };
  writeJson(folder, 'applications.json', {
    applications: [
      {
        ...common,
        client_id: 'harbour',
        name: 'Harbour <b>Wallet</b> & "Sons"',
        organization_id: 'o1',
        redirect_uris: ['http://127.0.0.1/callback', 'https://harbour.example/callback?x=1'],
        post_logout_redirect_uris: ['https://harbour.example/signed-out'],
      },
      {
        ...common,
        client_id: 'meridian',
        name: 'Meridian',
        organization_id: 'o2',
        redirect_uris: ['https://meridian.example/oauth/callback'],
        secret_sha256: createHash('sha256').update(SECRET).digest('hex'),
        id_token_signed_response_alg: 'ES256',
      },
      {
        ...common,
        client_id: SIGNING_CLIENT,
        name: 'Signing',
        organization_id: 'o3',
        redirect_uris: ['https://signing.example/callback'],
        jwks: { keys: [{ ...(await jwk(client.publicKey)), kid: 'k1' }] },
      },
    ],
  });
  return { issuer: issuer.privateKey, client: client.privateKey, login: login.privateKey };
}

const SCOPES = ['openid', 'profile.full', 'data.read', 'identity:read', 'kyc:read', 'identity:date_of_birth'];

function writeJson(folder: string, file: string, value: unknown): void {
  writeFileSync(join(folder, file), JSON.stringify(value), { mode: 0o600 });
}

const COMMON = {
  verifier: VERIFIER,
  challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  access_narrow: 'n'.repeat(43),
  access_revoked: 'r'.repeat(43),
  redirect_uri: 'http://127.0.0.1:9/callback',
};

function sandbox(folder: string): Profile {
  const [client, secret] = ['sandbox-confidential', 'sandbox-client-secret-not-confidential'];
  return {
    origin: (port) => `http://127.0.0.1:${port}`,
    env: {
      PROVISO_DATABASE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
      PROVISO_ISSUERS: join(folder, 'issuers.json'),
    },
    known: {
      ...COMMON,
      public_client: 'sandbox-public',
      post_logout_redirect: 'http://localhost:3000/signed-out',
      confidential_client: client,
      confidential_secret: secret,
      confidential_redirect: 'https://meridian.example/oauth/callback',
      basic: Buffer.from(`${client}:${secret}`).toString('base64'),
      administrator: 'sandbox-administrator-token',
    },
    redirects:
      /^(?:http:\/\/127\.0\.0\.1(?::\d{1,5})?\/callback|http:\/\/localhost:3000\/callback|https:\/\/meridian\.example\/oauth\/callback)\?|^(?:http:\/\/localhost:3000|https:\/\/meridian\.example)\/signed-out(?:\?state=|$)/,
  };
}

async function production(folder: string, postgresUrl: string | undefined): Promise<Profile> {
  const env = {
    PROVISO_ENVIRONMENT: 'production',
    PROVISO_DATABASE_URL:
      postgresUrl === undefined
        ? `sqlite:${join(folder, 'store.sqlite')}`
        : await createEmptyDatabase(postgresUrl),
    PROVISO_ISSUER: 'https://fuzz.example/v2',
    PROVISO_KEY: createHash('sha256').update(folder).digest('hex'),
    PROVISO_ADMINISTRATOR_SHA256: createHash('sha256').update(ADMINISTRATOR).digest('hex'),
    PROVISO_APPLICATIONS: join(folder, 'applications.json'),
    PROVISO_ISSUERS: join(folder, 'issuers.json'),
    PROVISO_SIGN_IN_URL: SIGN_IN_URL,
    PROVISO_SIGN_IN_KEYS: join(folder, 'login.json'),
    PROVISO_ADMINISTRATOR_APPROVAL: 'always',
    PROVISO_RATE_LIMIT_PER_MINUTE: '1000000000',
    PROVISO_CLIENT_RATE_LIMIT_PER_MINUTE: '0',
    PROVISO_ADDRESS_RATE_LIMIT_PER_MINUTE: '0',
    PROVISO_SECRET_FAILURES_PER_MINUTE: '0',
    PROVISO_AUTHORIZATION_RATE_LIMIT_PER_MINUTE: '0',
    PROVISO_USER_TOKEN_MISSES_PER_MINUTE: '0',
    PROVISO_DRAIN_SECONDS: '0',
    PROVISO_LOG_LEVEL: 'error',
  };
  const person = ['person', 'create', 'ada', '--email', 'ada@people.example'];
  const recorded = await runCommand(person, { cwd: folder, env });
  if (recorded.exitCode !== 0) throw new Error(`recording the person failed: ${recorded.stderr}`);
  return {
    origin: () => 'https://fuzz.example',
    env,
    known: {
      ...COMMON,
      public_client: 'harbour',
      post_logout_redirect: 'https://harbour.example/signed-out',
      confidential_client: 'meridian',
      confidential_secret: SECRET,
      confidential_redirect: 'https://meridian.example/oauth/callback',
      basic: Buffer.from(`meridian:${SECRET}`).toString('base64'),
      administrator: ADMINISTRATOR,
    },
    redirects:
      /^(?:http:\/\/127\.0\.0\.1(?::\d{1,5})?\/callback\?|https:\/\/harbour\.example\/callback\?x=1&|https:\/\/(?:meridian\.example\/oauth|signing\.example)\/callback\?|https:\/\/login\.example\/enter\?|https:\/\/harbour\.example\/signed-out(?:\?state=|$))/,
  };
}

async function createEmptyDatabase(server: string): Promise<string> {
  const name = `fuzz_${randomUUID().replaceAll('-', '')}`;
  await runStatement(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Signs a JWT without the checks of jose, so that invalid contents can be signed. */
async function signRaw(key: CryptoKey, header: object, payload: string): Promise<string> {
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const signed = `${encode(JSON.stringify(header))}.${encode(payload)}`;
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
  const signature = await crypto.subtle.sign(algorithm, key, Buffer.from(signed));
  return `${signed}.${Buffer.from(signature).toString('base64url')}`;
}

function seconds(): number {
  return Math.floor(Date.now() / 1_000);
}

export function assertionClaims(issuer: string, id: string): Readonly<Record<string, unknown>> {
  const [iss, sub] = [SIGNING_CLIENT, SIGNING_CLIENT];
  return { iss, sub, aud: issuer, jti: id, iat: seconds(), exp: seconds() + 240 };
}

export const ASSERTION_HEADER = { alg: 'ES256', kid: 'k1' };
export const SIGN_IN_HEADER = { alg: 'ES256', kid: 'login', typ: 'sign-in+jwt' };
export const CREDENTIAL_HEADER = { alg: 'ES256', typ: 'vc+jwt' };

export function signInClaims(issuer: string, id: string, nonce: string): Readonly<Record<string, unknown>> {
  const [now, amr] = [seconds(), ['palm']];
  return { sub: 'ada', aud: issuer, jti: id, nonce, iat: now, exp: now + 60, auth_time: now, amr };
}

export function credentialClaims(id: string): Readonly<Record<string, unknown>> {
  return {
    iss: ISSUER_OF_CREDENTIALS,
    jti: id,
    type: ['VerifiableCredential', CREDENTIAL_TYPE],
    nbf: seconds() - 60,
    exp: seconds() + 86_400,
    credentialSubject: {
      kyc_level: 'basic',
      address: { country: 'PT', street: 'Rua A' },
      nationalities: ['PT'],
      birthdate: '1990-01-31',
      accounts: [{ network: 'x' }],
    },
  };
}

async function assertion({ issuer, signAsClient }: Deployment, id: string): Promise<string> {
  return await signAsClient(ASSERTION_HEADER, JSON.stringify(assertionClaims(issuer, `stock-${id}`)));
}

async function signIn({ issuer, signAsLogin }: Deployment, nonce: string, id: string): Promise<string> {
  return await signAsLogin(SIGN_IN_HEADER, JSON.stringify(signInClaims(issuer, id, nonce)));
}

async function credential({ signAsIssuer }: Deployment, id: string): Promise<string> {
  return await signAsIssuer(CREDENTIAL_HEADER, JSON.stringify(credentialClaims(`stock-${id}`)));
}
