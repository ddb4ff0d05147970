/** Revokes the grants of an application, of a person, or of everyone, with their tokens and sessions, for an operator. */
import { omitUndefined } from '../../util/omit-undefined.js';
import { MS_PER_SECOND } from '../../util/time.js';
import { signOutAllAt } from '../people/sessions.js';
import type { Clock } from '../ports/ports.js';
import type { GrantQuery } from '../ports/store/grant-store.js';
import type { Store } from '../ports/store/store.js';
import { UNDO_LIMIT_SECONDS } from '../settings.js';

/** Selects the grants to revoke. Without members: all grants. */
export interface GrantSelection {
  readonly clientId?: string;
  readonly userId?: string;
}

/** Counts of a revocation. */
export interface RevokedGrants {
  /** Number of active grants that were revoked. Withdrawn grants are revoked as well, but not counted. */
  readonly grants: number;
  /** Number of selected people, whether or not they had sessions. */
  readonly people: number;
}

/** Ports of the revocation. */
export interface GrantRevocationPorts {
  readonly store: Pick<
    Store,
    'listApplications' | 'listGrants' | 'revokeAuthorization' | 'listPersonIds' | 'endSessions'
  >;
  readonly clock: Clock;
}

/** Audit reason for a grant that an operator revoked. */
const BY_OPERATOR = 'by_operator';

const PAGE = 500;

/** Grants that were withdrawn longer ago than this can no longer be restored. */
const LONGER_THAN_UNDO_MS = UNDO_LIMIT_SECONDS * MS_PER_SECOND;

/**
 * Revokes all selected grants for good, withdrawals that people could still undo included, and ends the sessions of the selected people; an
 * application alone selects no people. Ends sessions first, so that requests that start later can neither create nor restore a grant. Effective at
 * once, on all instances. Decrypts nothing, so that damaged values do not prevent it.
 */
export async function revokeGrants(
  { clientId, userId }: GrantSelection,
  ports: GrantRevocationPorts,
): Promise<RevokedGrants> {
  const people = await endSessions({ clientId, userId }, ports);
  const clientIds =
    clientId === undefined
      ? (await ports.store.listApplications()).map((application) => application.clientId)
      : [clientId];
  let grants = 0;
  for (const id of clientIds) {
    const query = { clientId: id, ...omitUndefined({ userId }) };
    const ended = new Set<string>();
    grants += await revokePages({ ...query, status: 'active' }, ended, ports);
    await revokePages(
      { ...query, status: 'revoked', updatedSince: ports.clock.now() - LONGER_THAN_UNDO_MS },
      ended,
      ports,
    );
    // Revokes grants that requests in progress have created or restored since the active grants were listed.
    grants += await revokePages({ ...query, status: 'active' }, ended, ports);
  }
  return { grants, people };
}

async function endSessions(
  { clientId, userId }: { clientId: string | undefined; userId: string | undefined },
  { store, clock }: GrantRevocationPorts,
): Promise<number> {
  if (userId !== undefined) {
    await store.endSessions(userId, signOutAllAt(clock.now()));
    return 1;
  }
  if (clientId !== undefined) return 0;
  let people = 0;
  for (let after: string | undefined; ; ) {
    const page = await store.listPersonIds(after, PAGE);
    await Promise.all(page.map((id) => store.endSessions(id, signOutAllAt(clock.now()))));
    people += page.length;
    if (page.length < PAGE) return people;
    after = page.at(-1);
  }
}

/**
 * Revokes grants page by page. A grant that ended for good meanwhile is not counted.
 *
 * @param ended - Ids of grants that ended for good, and need no further write. Adds those of the pages.
 */
async function revokePages(
  query: Pick<GrantQuery, 'clientId' | 'userId' | 'status' | 'updatedSince'>,
  ended: Set<string>,
  { store, clock }: GrantRevocationPorts,
): Promise<number> {
  const at = clock.now();
  let revoked = 0;
  for (let after: GrantQuery['after']; ; ) {
    const page = await store.listGrants({ ...query, ...omitUndefined({ after }), limit: PAGE, at });
    const ids = page.map(({ authorizationId }) => authorizationId).filter((id) => !ended.has(id));
    const outcomes = await Promise.all(
      ids.map((id) => store.revokeAuthorization(id, clock.now(), BY_OPERATOR)),
    );
    for (const id of ids) ended.add(id);
    revoked += outcomes.filter((outcome) => outcome?.done).length;
    after = page.at(-1);
    if (after === undefined || page.length < PAGE) return revoked;
  }
}
