/** The services that are checked: a sandbox, a production deployment with external sign-in, and one with an OpenID Connect provider. */
import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import {
  PRODUCTION,
  SANDBOX_ADMINISTRATOR_TOKEN,
  type Settings,
  type SignInProvider,
} from '../../src/service/index.js';
import { createAssertionVerifier } from '../../src/system/assertion-verifier.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { createServiceMetrics } from '../../src/telemetry/service-metrics.js';
import { CONFIDENTIAL, PUBLIC } from '../support/oauth-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

const DEPLOYMENT_NAMES = ['sandbox', 'production', 'provider'] as const;

export type DeploymentName = (typeof DEPLOYMENT_NAMES)[number];

export interface CheckedDeployment {
  readonly name: DeploymentName;
  readonly started: StartedService;
  /** Values that a client knows initially, by their placeholder names in planned requests. */
  readonly known: Readonly<Record<string, string>>;
  /** Returns a new number each time, for values that a deployment accepts only once. */
  readonly nextNumber: () => number;
  /** Signs the assertion of the external login for a nonce; absent without an external login. */
  readonly signIn?: (nonce: string) => Promise<string>;
}

const VERIFIER = 'a-verifier-that-every-authorization-of-this-check-has';
const ADMINISTRATOR = 'the-administrator-of-the-checked-deployment';
const SIGN_IN_URL = 'https://login.example/enter';
const SCOPES = ['openid', 'profile.full', 'data.read', 'identity:read', 'kyc:read', 'identity:date_of_birth'];
/** The check is not about rate limits. */
const UNLIMITED: Partial<Settings> = { rateLimitPerMinute: 1_000_000_000 };
const PERSON = { id: 'p-ada', name: 'ada', about: '', email: 'ada@people.example' };
const KNOWN = {
  verifier: VERIFIER,
  challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  access_narrow: 'n'.repeat(43),
  redirect_uri: PUBLIC.redirectUri,
  public_client: PUBLIC.clientId,
  post_logout_redirect: 'http://localhost:3000/signed-out',
  confidential_client: CONFIDENTIAL.clientId,
  confidential_secret: CONFIDENTIAL.secret,
  confidential_redirect: CONFIDENTIAL.redirectUri,
  basic: Buffer.from(`${CONFIDENTIAL.clientId}:${CONFIDENTIAL.secret}`).toString('base64'),
};

/** Starts a deployment on a new store, of the kind in `PROVISO_TEST_STORE`. */
async function startDeployment(name: DeploymentName): Promise<CheckedDeployment> {
  switch (name) {
    case 'sandbox':
      return await startSandbox();
    case 'production':
      return await startProduction();
    case 'provider':
      return await startWithProvider();
  }
}

/** Starts all deployments, one after the other. */
export async function startDeployments(): Promise<readonly CheckedDeployment[]> {
  const started: CheckedDeployment[] = [];
  for (const name of DEPLOYMENT_NAMES) started.push(await startDeployment(name));
  return started;
}

function listener() {
  const { read } = createServiceMetrics(() => 0);
  // Other tests cover the content of the page.
  return {
    metrics: read,
    playground: { page: '<!doctype html><title>Playground</title>', assets: new Map() },
  };
}

async function startSandbox(): Promise<CheckedDeployment> {
  const started = await startService({ settings: UNLIMITED, listener: listener() });
  return {
    name: 'sandbox',
    started,
    known: { ...KNOWN, administrator: SANDBOX_ADMINISTRATOR_TOKEN },
    nextNumber: createCounter(),
  };
}

/** Starts a production deployment without metrics and playground. */
async function startProduction(): Promise<CheckedDeployment> {
  const login = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(login.publicKey)), kid: 'login', alg: 'ES256' };
  const started = await startService({
    environment: PRODUCTION,
    settings: UNLIMITED,
    options: {
      administratorTokenHash: systemDigest.sha256(ADMINISTRATOR),
      administratorApproval: 'always',
      externalSignIn: { url: SIGN_IN_URL, assertions: createAssertionVerifier({ keys: [jwk] }) },
    },
  });
  const registered = { scopes: SCOPES, createdAt: 1, idTokenAlgorithm: 'ES256' } as const;
  await started.store.upsertApplication({
    ...registered,
    clientId: PUBLIC.clientId,
    name: 'Harbour',
    organizationId: 'o1',
    redirectUris: [PUBLIC.redirectUri],
    postLogoutRedirectUris: [KNOWN.post_logout_redirect],
  });
  await started.store.upsertApplication({
    ...registered,
    clientId: CONFIDENTIAL.clientId,
    name: 'Meridian',
    organizationId: 'o2',
    redirectUris: [CONFIDENTIAL.redirectUri],
    secretHash: systemDigest.sha256(CONFIDENTIAL.secret),
  });
  await started.store.getOrCreatePerson(PERSON);
  const nextNumber = createCounter();
  return {
    name: 'production',
    started,
    known: { ...KNOWN, administrator: ADMINISTRATOR },
    nextNumber,
    signIn: async (nonce) => {
      const now = Math.floor(started.clock.now() / 1_000);
      return await new SignJWT({
        ...{ sub: PERSON.id, aud: started.url, jti: `sign-in-${nextNumber()}`, nonce },
        ...{ iat: now, exp: now + 60, auth_time: now, amr: ['palm'] },
      })
        .setProtectedHeader({ alg: 'ES256', kid: 'login', typ: 'sign-in+jwt' })
        .sign(login.privateKey);
    },
  };
}

/** Starts a production deployment whose provider accepts every response. Other tests cover providers. */
async function startWithProvider(): Promise<CheckedDeployment> {
  const provider: SignInProvider = {
    settings: {
      id: 'sso',
      name: 'Accounts',
      issuer: 'https://sso.example',
      clientId: 'proviso',
      scopes: ['openid'],
      claims: { name: '/sub', email: '/email', emailVerified: '/email_verified' },
      linkBy: [],
      endSession: true,
    },
    createAuthorizationUrl: async ({ state }) =>
      `https://sso.example/auth?code_challenge=c&${new URLSearchParams({ state })}`,
    redeemResponse: async () => ({
      accepted: true,
      // An erasure requires a recent authentication.
      identity: { subject: PERSON.id, amr: [], claims: { sub: PERSON.id }, authenticatedAt: STARTED_AT },
    }),
    createLogoutUrl: async () => 'https://sso.example/end',
  };
  const started = await startService({
    environment: PRODUCTION,
    settings: UNLIMITED,
    options: { administratorTokenHash: systemDigest.sha256(ADMINISTRATOR), signInProviders: [provider] },
  });
  const known = { ...KNOWN, administrator: ADMINISTRATOR };
  return { name: 'provider', started, known, nextNumber: createCounter() };
}

function createCounter(): () => number {
  let count = 0;
  return () => {
    count += 1;
    return count;
  };
}
