/** A person's own claims: the person's pages show what an application would see. */
import { indexCredentials } from '../../engine/claims/claim-set.js';
import type { JsonValue } from '../../engine/index.js';
import type { ServiceContext } from '../context.js';
import { valuesOf } from './claim-values.js';

/**
 * Returns the values of claims that are defined now, as an organization would see them, by path. For the person only: no grant is required, and
 * nothing is recorded.
 */
export async function readOwnClaims(
  userId: string,
  organizationId: string,
  paths: readonly string[],
  { store, clock, view, derivedClaims }: ServiceContext,
): Promise<ReadonlyMap<string, JsonValue>> {
  const now = clock.now();
  const visible = view.pseudonymize(await store.readCredentials(userId), organizationId, now);
  const claims = indexCredentials(derivedClaims.addTo(visible, now, paths), now);
  return valuesOf(paths, claims);
}
