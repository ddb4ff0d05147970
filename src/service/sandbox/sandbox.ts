/** The sandbox: a person picks who they are and presses a button, and tokens are granted without a browser, since everybody is a sample person (V1, V6). */
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { PairwiseIdentifiers } from '../claims/organization-view.js';
import type { Clock, Digest, PalmVerifier, Random, SignIn } from '../ports/ports.js';
import type { Store } from '../ports/store/store.js';
import { createOpaqueId, createOpaqueToken } from '../tokens/opaque-token.js';
import { SANDBOX_PUBLIC_CLIENT_ID } from './applications.js';

/** Takes whoever `person` names for that person. */
export function createSandboxSignIn(store: Pick<Store, 'listPeople' | 'findPerson'>): SignIn {
  return {
    choices: () => store.listPeople(),
    verify: async (sent) => {
      const name = sent.get('person');
      return name === undefined ? undefined : await store.findPerson('name', name);
    },
  };
}

/** Where a deployment brings no sign-in, nobody is known. */
export const NO_SIGN_IN: SignIn = Object.freeze({
  choices: async () => [],
  verify: async () => undefined,
});

/** The button is pressed: that is all there is to it. */
export const SANDBOX_PALM: PalmVerifier = Object.freeze({ verify: async () => true });

/** Where a deployment brings no reader, nobody is verified. */
export const NO_PALM: PalmVerifier = Object.freeze({ verify: async () => false });

const ACCESS_TOKEN_LIFETIME_MS = 3_600_000;

export interface SandboxPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly catalogue: ServiceCatalogue;
  readonly identifiers: PairwiseIdentifiers;
}

/** Thrown where a person or a scope is asked for that the sandbox does not have; the message lists what it has. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/**
 * Records that a made-up person has granted scopes to the sandbox's public application.
 *
 * @param personName - The person's name.
 * @returns An access token that is good for an hour, shown this once.
 * @throws {SandboxError} When there is no such person or scope, or no scope was asked for.
 */
export async function grantSandboxToken(
  personName: string,
  scopes: readonly string[],
  { store, clock, random, digest, catalogue, identifiers }: SandboxPorts,
): Promise<string> {
  const person = await store.findPerson('name', personName);
  const application = await store.findApplication(SANDBOX_PUBLIC_CLIENT_ID);
  if (person === undefined || application === undefined) {
    const people = await store.listPeople();
    throw new SandboxError(
      `unknown person ${personName}; the sandbox has ${people.map(({ name }) => name).join(', ')}`,
    );
  }
  const known = catalogue.scopes.scopes;
  const unknown = scopes.filter((scope) => !known.includes(scope));
  if (scopes.length === 0 || unknown.length > 0) {
    throw new SandboxError(
      `${unknown.length > 0 ? `unknown scope ${unknown.join(', ')}` : 'a scope is required'}; the catalogue has ${known.join(', ')}`,
    );
  }
  const { organizationId } = application;
  const { token, tokenHash } = createOpaqueToken(random, digest);
  const issuedAt = clock.now();
  const granted = [...new Set(scopes)];
  await store.recordDirectGrant({
    authorizationId: createOpaqueId(random),
    clientId: SANDBOX_PUBLIC_CLIENT_ID,
    userId: person.id,
    subject: identifiers.index(organizationId, identifiers.subject(organizationId, person.id)),
    scopes: granted,
    token: { tokenHash, scopes: granted, issuedAt, expiresAt: issuedAt + ACCESS_TOKEN_LIFETIME_MS },
  });
  return token;
}
