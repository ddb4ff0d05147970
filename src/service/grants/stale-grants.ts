/** Grants with scopes or conditions that their application has lost. */
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Application } from '../clients/application.js';
import { type Condition, mayRequestConditions } from '../conditions/condition.js';
import type { Clock } from '../ports/ports.js';
import type { GrantRecord } from '../ports/store/grant-store.js';
import type { Store } from '../ports/store/store.js';
import { effectiveScopes } from '../scopes/scopes.js';
import type { Environment } from '../settings.js';

/** An active grant with scopes or conditions that are no longer in effect. */
export interface StaleGrant extends GrantRecord {
  /** Granted scopes that the application no longer has. */
  readonly withdrawnScopes: readonly string[];
  /** Granted conditions, if the application may no longer have conditions. */
  readonly withdrawnConditions: readonly Condition[];
}

/** Ports of the search. */
export interface StaleGrantPorts {
  readonly store: Pick<Store, 'listGrants'>;
  readonly clock: Clock;
  readonly environment: Environment;
}

/** Audit reason for a grant that ended because its application lost the granted scopes or conditions. */
export const SCOPES_WITHDRAWN = 'scopes_withdrawn';

const PAGE_GRANTS = 500;

/** Lists an application's active grants of scopes or conditions that it no longer has, page by page. Grants may be revoked during the iteration. */
export async function* listStaleGrants(
  application: Application,
  { store, clock, environment }: StaleGrantPorts,
): AsyncIterable<StaleGrant> {
  const { clientId } = application;
  const at = clock.now();
  const withConditions = !mayRequestConditions(application);
  for (let after: { updatedAt: number; authorizationId: string } | undefined; ; ) {
    const page = await store.listGrants({
      clientId,
      status: 'active',
      ...omitUndefined({ after }),
      limit: PAGE_GRANTS,
      at,
      withConditions,
    });
    for (const grant of page) {
      const effective = effectiveScopes(grant.scopes, application, environment);
      const withdrawnScopes = grant.scopes.filter((scope) => !effective.includes(scope));
      const withdrawnConditions = grant.conditions ?? [];
      if (withdrawnScopes.length > 0 || withdrawnConditions.length > 0)
        yield { ...grant, withdrawnScopes, withdrawnConditions };
    }
    after = page.at(-1);
    if (after === undefined || page.length < PAGE_GRANTS) return;
  }
}
