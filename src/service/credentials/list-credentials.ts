/** Lists a person's credentials for the application that presents an access token, restricted to claims that the granted scopes cover. */
import type { Credential } from '../../engine/index.js';
import { findEnclosing } from '../catalogue/known-claims.js';
import type { OrganizationView } from '../claims/organization-view.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { createCursors, type Page, toPage } from '../paging.js';
import type { CredentialRecord } from '../ports/store/registry-store.js';
import { disclosesValues } from '../queries/evidence-level.js';
import { isCoveredBy } from '../scopes/scopes.js';
import type { Grant } from '../tokens/tokens.js';
import { type CredentialStatus, credentialStatusAt } from './credential-status.js';

/** A request for one page of a list. */
export interface ListRequest {
  /**
   * Selects items that changed at this instant or later; epoch milliseconds. For credentials, both this instant and `updatedAt` of the items are
   * rounded down before they are compared, so that no item is missed.
   */
  readonly updatedSince?: number;
  readonly limit: number;
  readonly cursor?: string;
}

/** A credential as shown to a caller. */
export interface CredentialView {
  readonly credential: Credential;
  readonly status: CredentialStatus;
  readonly updatedAt: number;
}

const SCOPE = 'data.read';

/** Creates the use case that lists the credentials of a grant's person. */
export function createCredentialLists(context: ServiceContext) {
  return {
    /**
     * Lists credentials in the order of their last change. Instants, `updatedSince` included, are rounded down, so that neither items nor page
     * boundaries reveal the exact instants. Expiries in the near future are rounded to a smaller unit, or not at all.
     *
     * A credential is listed if it has a claim that the granted scopes cover and whose value may be disclosed under these scopes and to this
     * application (`max_evidence`). Claims are shown only while the credential is active (L10).
     *
     * @throws {ServiceError} `insufficient_scope` without `data.read`; `cursor_invalid`.
     */
    async list(request: ListRequest, grant: Grant): Promise<Page<CredentialView>> {
      const { catalogue, store, clock, digest, identifiers, serviceKey, view } = context;
      const expandedScopes = catalogue.scopes.expand(grant.grantedScopes);
      if (!expandedScopes.has(SCOPE))
        throw new ServiceError('insufficient_scope', { missing: [{ scopes: [SCOPE] }] });
      const { updatedSince = 0, limit, cursor } = request;
      const list = ['credentials', grant.authorizationId, [...expandedScopes].sort(), updatedSince];
      const cursors = createCursors(digest, serviceKey.derive('cursors'), list);
      const after = cursor === undefined ? undefined : cursors.decode(cursor);
      if (cursor !== undefined && after === undefined) throw new ServiceError('cursor_invalid');
      const now = clock.now();
      const [isGranted, isDisclosed] = [
        isCoveredBy(grant.grantedScopes, catalogue.scopes),
        disclosesValues(grant, catalogue),
      ];
      const isCovered = (path: string) =>
        isGranted(path) &&
        isDisclosed(path) &&
        // Attested before the catalogue derived the claim: queries compute it.
        findEnclosing(path, (claim) => catalogue.findClaim(claim)?.derived) === undefined;
      const rows = (await store.listCredentials(grant.userId))
        .filter(({ credential }) => Object.keys(credential.claims).some(isCovered))
        .map((record) => {
          const id = identifiers.credential(grant.organizationId, record.credential.id);
          const item = toView(record, now, isCovered, grant.organizationId, view);
          return {
            position: { updatedAt: item.updatedAt, id },
            item: { ...item, credential: { ...item.credential, id } },
          };
        })
        // Ordered by visible values only, so that page boundaries reveal nothing else.
        .sort(
          (one, other) =>
            one.position.updatedAt - other.position.updatedAt ||
            (one.position.id < other.position.id ? -1 : 1),
        )
        .filter(({ position }) => position.updatedAt >= view.roundDown(updatedSince))
        .filter(
          ({ position }) =>
            after === undefined ||
            position.updatedAt > after.updatedAt ||
            (position.updatedAt === after.updatedAt && position.id > after.id),
        );
      return toPage(rows.slice(0, limit + 1), limit, cursors);
    },
  };
}

function toView(
  { credential, updatedAt }: CredentialRecord,
  now: number,
  isCovered: (path: string) => boolean,
  organizationId: string,
  view: OrganizationView,
): CredentialView {
  const status = credentialStatusAt(credential, now);
  // `pseudonymize` returns as many credentials as it receives; the default is only for the type checker.
  const [visible = credential] = view.pseudonymize([credential], organizationId, now);
  const { issuedAt, revokedAt } = credential;
  const claims = Object.entries(visible.claims).filter(([path]) => status === 'active' && isCovered(path));
  return {
    credential: {
      ...visible,
      issuedAt: view.roundDown(issuedAt),
      ...(revokedAt === undefined ? {} : { revokedAt: view.roundExpiry(revokedAt, now) }),
      claims: Object.fromEntries(claims),
    },
    status,
    updatedAt: view.roundDown(updatedAt),
  };
}
