/** Grants: lists for applications (S145) and people, withdrawal and restoration by the person (V3, V11, S120), index by pairwise identifier. */
import { omitUndefined } from '../../util/omit-undefined.js';
import { MS_PER_SECOND } from '../../util/time.js';
import type { PairwiseIdentifiers } from '../claims/organization-view.js';
import type { Application } from '../clients/application.js';
import { type Condition, effectiveConditions } from '../conditions/condition.js';
import type { ServiceContext } from '../context.js';
import type { ListRequest } from '../credentials/list-credentials.js';
import { ServiceError } from '../errors.js';
import { createCursors, type Page, toPage } from '../paging.js';
import type { GrantRecord, GrantStatus, PersonGrant } from '../ports/store/grant-store.js';
import type { Store } from '../ports/store/store.js';
import { effectiveScopes } from '../scopes/scopes.js';

/** The caller who lists grants. */
export interface GrantListCaller {
  readonly clientId: string;
  readonly organizationId: string;
  /** Restricts the list to one person's grants. */
  readonly userId?: string;
}

export interface GrantListRequest extends ListRequest {
  readonly status?: GrantStatus;
}

/** A grant as shown to its application. */
export interface GrantView extends Omit<GrantRecord, 'userId' | 'scopes' | 'conditions'> {
  readonly organizationId: string;
  /** Pairwise identifier of the person (V5). */
  readonly subject: string;
}

/** Creates the use cases of grants, for applications and for people. */
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
      const cursors = createCursors(digest, serviceKey.derive('cursors'), list);
      const after = cursor === undefined ? undefined : cursors.decode(cursor);
      if (cursor !== undefined && after === undefined) throw new ServiceError('cursor_invalid');
      const records = await store.listGrants({
        clientId,
        ...omitUndefined({ userId, status, updatedSince }),
        ...(after === undefined ? {} : { after: { updatedAt: after.updatedAt, authorizationId: after.id } }),
        limit: limit + 1,
        at: clock.now(),
      });
      const rows = records.map(({ userId: person, scopes: _scopes, conditions: _conditions, ...record }) => ({
        position: { updatedAt: record.updatedAt, id: record.authorizationId },
        item: { ...record, organizationId, subject: identifiers.subject(organizationId, person) },
      }));
      return toPage(rows, limit, cursors);
    },
  };
}

/**
 * The access of one application to a person's claims, now or in the past, combined from the grants in one state: the active grants if there are some,
 * otherwise those that can still be restored, otherwise all. Instants in epoch milliseconds.
 */
export interface ApplicationAccess {
  readonly application: Application;
  /** `withdrawn`: by the person, who can still undo it; `ended`: for good. */
  readonly state: 'active' | 'withdrawn' | 'ended';
  /** The effective scopes of these grants; for `ended`, the scopes that were granted. */
  readonly scopes: readonly string[];
  /** The effective conditions of these grants; for `ended`, the granted conditions. Each query once, with the purpose of the latest grant. */
  readonly conditions: readonly Condition[];
  /** The first approval among these grants. */
  readonly since: number;
  /** When a token was last issued; absent if no token was issued. */
  readonly lastUsedAt?: number;
  /** When access ended; absent for `active`. */
  readonly endedAt?: number;
  /** For `withdrawn`: the first instant at which it can no longer be undone. */
  readonly undoUntil?: number;
}

/** Maximum number of grants considered; the latest to each application come first. */
const MAX_GRANTS = 500;

/** Creates the use cases of a person's own grants. */
function createPersonAccess(context: ServiceContext) {
  return {
    /** Lists the applications that have or had access to a person's claims: withdrawn access first, then active, then ended. */
    async listAccess(userId: string): Promise<readonly ApplicationAccess[]> {
      const now = context.clock.now();
      const byApplication = new Map<string, PersonGrant[]>();
      for (const grant of await context.store.listPersonGrants(userId, MAX_GRANTS, now)) {
        const { clientId } = grant.application;
        const grants = byApplication.get(clientId);
        if (grants === undefined) byApplication.set(clientId, [grant]);
        else grants.push(grant);
      }
      const accesses = [...byApplication.values()].map((grants) => toAccess(grants, context, now));
      const inState = (state: ApplicationAccess['state']) =>
        accesses.filter((access) => access.state === state);
      return [
        ...inState('withdrawn'),
        ...inState('active'),
        // Without an issued token, nothing was ever shared.
        ...inState('ended').filter(({ lastUsedAt }) => lastUsedAt !== undefined),
      ];
    },

    /** Withdraws all grants of a person to an application; returns whether there were any. */
    async withdraw(userId: string, clientId: string): Promise<boolean> {
      const { store, clock, settings } = context;
      const at = clock.now();
      const until = at + settings.undoSeconds * MS_PER_SECOND;
      return (await store.withdrawGrants({ userId, clientId, until, at })) > 0;
    },

    /** Undoes `withdraw`; returns whether that was still possible. */
    async restore(userId: string, clientId: string): Promise<boolean> {
      const { store, clock } = context;
      return (await store.restoreGrants({ userId, clientId }, clock.now())) > 0;
    },
  };
}

/** @param grants - Grants of one person to one application, the latest first; at least one. */
function toAccess(
  grants: readonly PersonGrant[],
  { catalogue, environment }: ServiceContext,
  now: number,
): ApplicationAccess {
  const active = grants.filter(({ status }) => status === 'active');
  // Grants to a revoked application cannot be restored (V11).
  const undoable = grants.filter(
    ({ restorableUntil = 0, application }) => restorableUntil > now && application.revokedAt === undefined,
  );
  const [state, shown] =
    active.length > 0
      ? (['active', active] as const)
      : undoable.length > 0
        ? (['withdrawn', undoable] as const)
        : (['ended', grants] as const);
  const [latest] = shown as readonly [PersonGrant, ...PersonGrant[]];
  const granted = shown.flatMap(({ scopes }) => scopes);
  const scopes = new Set(
    state === 'ended' ? granted : effectiveScopes(granted, latest.application, environment),
  );
  const conditions = shown.flatMap((grant) =>
    state === 'ended' ? (grant.conditions ?? []) : effectiveConditions(grant.conditions, latest.application),
  );
  const used = shown.flatMap(({ lastTokenIssuedAt }) => lastTokenIssuedAt ?? []);
  return {
    application: latest.application,
    state,
    scopes: [
      // In the order of the catalogue; scopes that it no longer has come last.
      ...catalogue.scopes.scopes.filter((scope) => scopes.has(scope)),
      ...[...scopes].filter((scope) => catalogue.findScope(scope) === undefined),
    ],
    conditions: [
      ...new Map(conditions.toReversed().map((condition) => [condition.query, condition])).values(),
    ],
    since: Math.min(...shown.map(({ approvedAt }) => approvedAt)),
    ...(used.length === 0 ? {} : { lastUsedAt: Math.max(...used) }),
    ...(state === 'active' ? {} : { endedAt: Math.max(...shown.map(({ updatedAt }) => updatedAt)) }),
    ...(state === 'withdrawn' && latest.restorableUntil !== undefined
      ? { undoUntil: latest.restorableUntil }
      : {}),
  };
}

/** Ports of the indexing. */
export interface IndexingPorts {
  readonly store: Pick<Store, 'listApplications' | 'listUnindexedGrants' | 'indexGrants'>;
  readonly identifiers: PairwiseIdentifiers;
}

const STEP_GRANTS = 500;

/**
 * Indexes every grant whose index is missing or was derived for another organization or key, in small durable steps. Takes a few look-ups per
 * application if all grants are indexed.
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
