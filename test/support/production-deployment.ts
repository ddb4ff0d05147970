/** A production deployment with one application and people on whose behalf the administrator approves. */
import { PRODUCTION, type Store } from '../../src/service/index.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { begin, CONFIDENTIAL, postJson, redemption, type Tokens } from './oauth-client.js';
import { type StartedService, startService } from './start-service.js';

const ADMINISTRATOR = 'the-administrator-of-these-tests';

/** The headers of the administrator. */
export const AS_ADMINISTRATOR = { Authorization: `Bearer ${ADMINISTRATOR}` };
/** The members by which the application authenticates. */
export const CLIENT = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };
/** The deployment's key. */
export const DEPLOYMENT_KEY = 'k'.repeat(43);

/** The application as it is registered at the start. */
export const LENDER = {
  clientId: CONFIDENTIAL.clientId,
  name: 'Lender',
  organizationId: 'org-lender',
  redirectUris: [CONFIDENTIAL.redirectUri],
  secretHash: systemDigest.sha256(CONFIDENTIAL.secret),
  scopes: ['openid', 'identity:read', 'kyc:read'],
  createdAt: 1,
  idTokenAlgorithm: 'ES256' as const,
};

/** A person whose e-mail and wallet address are also attested by a credential. */
export const IRIS = {
  id: 'p-iris',
  name: 'iris',
  about: '',
  email: 'iris@people.example',
  evmAddress: `0x${'ab'.repeat(20)}`,
};

/** A second person, without a credential. */
export const OTTO = {
  id: 'p-otto',
  name: 'otto',
  about: '',
  email: 'otto@people.example',
  evmAddress: `0x${'cd'.repeat(20)}`,
};

/** @param wrap - Wraps the store. */
export async function startDeployment(wrap?: (store: Store) => Store): Promise<StartedService> {
  const started = await startService({
    environment: PRODUCTION,
    options: { administratorTokenHash: systemDigest.sha256(ADMINISTRATOR), key: DEPLOYMENT_KEY },
    ...(wrap === undefined ? {} : { wrap }),
  });
  const { store } = started;
  await store.upsertApplication(LENDER);
  for (const person of [IRIS, OTTO]) await store.getOrCreatePerson(person);
  const claims = {
    'identity.email': IRIS.email,
    'identity.wallet_addresses': [IRIS.evmAddress],
    'identity.primary_wallet_address': IRIS.evmAddress,
    'kyc.passed': true,
  };
  await store.addCredential(IRIS.id, { id: 'c-iris', source: 'Registry', issuedAt: 1, claims }, 1);
  return started;
}

/** Approves an authorization as the administrator, and returns the token request that redeems its code. */
export async function approveFor(
  started: StartedService,
  person: string,
  scope: string,
): Promise<ReturnType<typeof redemption>> {
  const client = { client_id: CONFIDENTIAL.clientId, redirect_uri: CONFIDENTIAL.redirectUri };
  const pending = await begin(started, { ...client, login_hint: person, scope });
  const body = { authorization_id: pending.authorizationId };
  const approved = await postJson(started, '/oauth/authorize/approve', body, AS_ADMINISTRATOR);
  const { code } = (await approved.json()) as { readonly code: string };
  return redemption(pending, code);
}

/** Creates a person's grant to the application, and returns its tokens. */
export async function grantFor(started: StartedService, person: string, scope: string): Promise<Tokens> {
  const response = await postJson(started, '/oauth/token', await approveFor(started, person, scope));
  if (response.status !== 200) throw new Error(`no tokens: ${await response.text()}`);
  return (await response.json()) as Tokens;
}
