/** Brings the index of grants by pairwise identifier up to date: after an upgrade, another key, or another organization of an application. */
import type { Store } from '../ports/store/store.js';
import type { PairwiseIdentifiers } from '../subjects/pairwise-identifiers.js';

/** What indexing reads and writes. */
export interface IndexingPorts {
  readonly store: Pick<Store, 'listApplications' | 'listUnindexedGrants' | 'indexGrants'>;
  readonly identifiers: PairwiseIdentifiers;
}

const STEP_GRANTS = 500;

/**
 * Indexes every grant that is not indexed as its application's organization and the key now in use demand. Where all are, this takes a few
 * look-ups per application; otherwise it proceeds in small steps, each of which stays done when the process ends.
 */
export async function indexGrants({ store, identifiers }: IndexingPorts): Promise<void> {
  for (const { clientId, organizationId } of await store.listApplications()) {
    const sector = identifiers.sector(organizationId);
    for (;;) {
      const grants = await store.listUnindexedGrants(clientId, sector, STEP_GRANTS);
      if (grants.length === 0) break;
      await store.indexGrants(
        grants.map(({ authorizationId, userId }) => ({
          authorizationId,
          subject: identifiers.index(organizationId, identifiers.subject(organizationId, userId)),
        })),
      );
    }
  }
}
