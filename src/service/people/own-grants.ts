/** What a person shares, by application, as they see it; ending it, and taking that back for a moment (V3, V11, S120). */
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import type { PersonGrant } from '../ports/store/grant-store.js';
import { effectiveScopes } from '../scopes/effective-scopes.js';

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

const MS_PER_SECOND = 1_000;
/** The latest that a person agreed to; who agrees every day sees a year and more. */
const MAX_GRANTS = 500;

/** The grants of one person. */
export function createPersonGrants(context: ServiceContext) {
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
