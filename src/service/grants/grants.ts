/** Grants: listed for an application (S145) and for the person who gave them, withdrawn and restored (V3, V11, S120), and indexed by pairwise identifier. */
import { omitUndefined } from '../../util/omit-undefined.js';
import { MS_PER_SECOND } from '../../util/time.js';
import type { PairwiseIdentifiers } from '../claims/organization-view.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import type { ListRequest } from '../credentials/list-credentials.js';
import { ServiceError } from '../errors.js';
import { createCursors, type Page, toPage } from '../paging.js';
import type { GrantRecord, GrantStatus, PersonGrant } from '../ports/store/grant-store.js';
import type { Store } from '../ports/store/store.js';
import { effectiveScopes } from '../scopes/scopes.js';

/** Who asks. */
export interface GrantListCaller {
  readonly clientId: string;
  readonly organizationId: string;
  /** The person, where the caller may see one person's grants only. */
  readonly userId?: string;
}

export interface GrantListRequest extends ListRequest {
  readonly status?: GrantStatus;
}

/** A grant as its application sees it. */
export interface GrantView extends Omit<GrantRecord, 'userId' | 'scopes'> {
  readonly organizationId: string;
  /** The person as the application's organisation knows them (V5). */
  readonly subject: string;
}

/** The grants: listed for an application, and for the person who gave them. */
export function createGrants(context: ServiceContext) {
  return {
    ...createPersonAccess(context),

    /** Lists grants in the order of their last change. @throws {ServiceError} `cursor_invalid` */
    async list(
      request: GrantListRequest,
      { clientId, organizationId, userId }: GrantListCaller,
    ): Promise<Page<GrantView>> {
      const { store, clock, digest, identifiers, serviceKey } = context;
      const { status, updatedSince, limit, cursor } = request;
      const list = ['grants', clientId, userId ?? null, status ?? null, updatedSince ?? null];
      const cursors = createCursors(digest, serviceKey, list);
      const after = cursor === undefined ? undefined : cursors.decode(cursor);
      if (cursor !== undefined && after === undefined) throw new ServiceError('cursor_invalid');
      const records = await store.listGrants({
        clientId,
        ...omitUndefined({ userId, status, updatedSince }),
        ...(after === undefined ? {} : { after: { updatedAt: after.updatedAt, authorizationId: after.id } }),
        limit: limit + 1,
        at: clock.now(),
      });
      const rows = records.map(({ userId: person, scopes: _scopes, ...record }) => ({
        position: { updatedAt: record.updatedAt, id: record.authorizationId },
        item: { ...record, organizationId, subject: identifiers.subject(organizationId, person) },
      }));
      return toPage(rows, limit, cursors);
    },
  };
}

/** All that a person shares, or shared, with one application. Instants in epoch milliseconds. */
export interface ApplicationAccess {
  readonly application: Application;
  /** `shared` now; `ended` by the person a moment ago, which they may take back; `over` for good. */
  readonly state: 'shared' | 'ended' | 'over';
  /** What it may look at, over all that was agreed to and that it may still ask for; what it might, where it no longer may. */
  readonly scopes: readonly string[];
  /** Since when; of what is over, when it was agreed to first. */
  readonly since: number;
  /** When it last asked for access; absent where it never did. */
  readonly lastUsedAt?: number;
  /** When it ended. */
  readonly endedAt?: number;
  /** Where `ended`: the first instant at which that can no longer be taken back. */
  readonly undoUntil?: number;
}

/** The latest that a person agreed to; who agrees every day sees a year and more. */
const MAX_GRANTS = 500;

/** The grants of one person. */
function createPersonAccess(context: ServiceContext) {
  return {
    /** Lists what a person shares by application, the latest first, then what they no longer share. */
    async listAccess(userId: string): Promise<readonly ApplicationAccess[]> {
      const now = context.clock.now();
      const byApplication = new Map<string, PersonGrant[]>();
      for (const grant of await context.store.listPersonGrants(userId, MAX_GRANTS, now)) {
        const { clientId } = grant.application;
        byApplication.set(clientId, [...(byApplication.get(clientId) ?? []), grant]);
      }
      const accesses = [...byApplication.values()].map((grants) => toAccess(grants, context, now));
      const inState = (state: ApplicationAccess['state']) =>
        accesses.filter((access) => access.state === state);
      return [
        ...inState('ended'),
        ...inState('shared'),
        // What never gave a token away was never shared.
        ...inState('over').filter(({ lastUsedAt }) => lastUsedAt !== undefined),
      ];
    },

    /** Ends all that a person shares with an application, at once; returns whether there was anything. */
    async withdraw(userId: string, clientId: string): Promise<boolean> {
      const { store, clock, settings } = context;
      const at = clock.now();
      const until = at + settings.undoSeconds * MS_PER_SECOND;
      return (await store.withdrawGrants({ userId, clientId, until, at })) > 0;
    },

    /** Undoes `withdraw`; returns whether it still could. */
    async restore(userId: string, clientId: string): Promise<boolean> {
      const { store, clock } = context;
      return (await store.restoreGrants({ userId, clientId }, clock.now())) > 0;
    },
  };
}

/** @param grants - One person's, to one application, the latest first; one at least. */
function toAccess(
  grants: readonly PersonGrant[],
  { catalogue, environment }: ServiceContext,
  now: number,
): ApplicationAccess {
  const active = grants.filter(({ status }) => status === 'active');
  const undoable = grants.filter(({ withdrawnUntil = 0 }) => withdrawnUntil > now);
  const [state, shown] =
    active.length > 0
      ? (['shared', active] as const)
      : undoable.length > 0
        ? (['ended', undoable] as const)
        : (['over', grants] as const);
  const [latest] = shown as readonly [PersonGrant, ...PersonGrant[]];
  const granted = shown.flatMap(({ scopes }) => scopes);
  const asked = new Set(
    state === 'over' ? granted : effectiveScopes(granted, latest.application, environment),
  );
  const used = shown.flatMap(({ lastTokenIssuedAt }) => lastTokenIssuedAt ?? []);
  return {
    application: latest.application,
    state,
    scopes: [
      // In the catalogue's order; what it no longer has comes last.
      ...catalogue.scopes.scopes.filter((scope) => asked.has(scope)),
      ...[...asked].filter((scope) => catalogue.findScope(scope) === undefined),
    ],
    since: Math.min(...shown.map(({ approvedAt }) => approvedAt)),
    ...(used.length === 0 ? {} : { lastUsedAt: Math.max(...used) }),
    ...(state === 'shared' ? {} : { endedAt: Math.max(...shown.map(({ updatedAt }) => updatedAt)) }),
    ...(state === 'ended' && latest.withdrawnUntil !== undefined ? { undoUntil: latest.withdrawnUntil } : {}),
  };
}

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
