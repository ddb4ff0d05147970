/** The sandbox: sign-in by choosing a sample person, palm verification by a button, and tokens without a browser (V1, V6). */

import { ProvisoError } from '../../util/proviso-error.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { PairwiseIdentifiers } from '../claims/organization-view.js';
import type { Clock, Digest, PalmVerifier, Random, SignIn } from '../ports/ports.js';
import type { Store } from '../ports/store/store.js';
import { createOpaqueId, createOpaqueToken } from '../tokens/opaque-token.js';
import { SANDBOX_PUBLIC_CLIENT_ID } from './applications.js';

/** Signs in the sample person named by `person`. */
export function createSandboxSignIn(store: Pick<Store, 'listPeople' | 'findPerson'>): SignIn {
  return {
    choices: () => store.listPeople(),
    verify: async (sent) => {
      const name = sent.get('person');
      return name === undefined ? undefined : await store.findPerson('name', name);
    },
  };
}

/** Rejects every sign-in, for deployments without their own. */
export const NO_SIGN_IN: SignIn = Object.freeze({
  choices: async () => [],
  verify: async () => undefined,
});

/** Accepts every verification. */
export const SANDBOX_PALM: PalmVerifier = Object.freeze({ verify: async () => true });

/** Rejects every verification, for deployments without a palm reader. */
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

/** Thrown for an unknown person or scope, where the message lists the known ones, and if the sandbox application is missing or revoked. */
export class SandboxError extends ProvisoError<'sandbox_input'> {
  override readonly name = 'SandboxError';

  constructor(message: string) {
    super('sandbox_input', message);
  }
}

/**
 * Records a grant of a sample person to the sandbox's public application.
 *
 * @param personName - The person's name.
 * @returns An access token that is valid for an hour, shown only once.
 * @throws {SandboxError} For an unknown person or scope, without a scope, or if the application is missing or revoked.
 */
export async function grantSandboxToken(
  personName: string,
  scopes: readonly string[],
  { store, clock, random, digest, catalogue, identifiers }: SandboxPorts,
): Promise<string> {
  const application = await store.findApplication(SANDBOX_PUBLIC_CLIENT_ID);
  if (application === undefined) {
    throw new SandboxError(
      `the store must be one of the sandbox (it has no application ${SANDBOX_PUBLIC_CLIENT_ID})`,
    );
  }
  if (application.revokedAt !== undefined) {
    throw new SandboxError(`the application ${SANDBOX_PUBLIC_CLIENT_ID} is revoked`);
  }
  const person = await store.findPerson('name', personName);
  if (person === undefined) {
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
