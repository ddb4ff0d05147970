/** What people agreed to towards one application: a client sees all of it, a bearer that of its own person (S145). */
import type { ServiceContext } from '../context.js';
import type { ListRequest } from '../credentials/list-credentials.js';
import { ServiceError } from '../errors.js';
import { createCursors, type Page, toPage } from '../paging.js';
import { createPersonGrants } from '../people/own-grants.js';
import type { GrantRecord, GrantStatus } from '../ports/store/grant-store.js';

/** Who asks. */
export interface GrantAudience {
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
    ...createPersonGrants(context),

    /** Lists grants in the order of their last change. @throws {ServiceError} `cursor_invalid` */
    async list(
      request: GrantListRequest,
      { clientId, organizationId, userId }: GrantAudience,
    ): Promise<Page<GrantView>> {
      const { store, clock, digest, identifiers, cursorKey } = context;
      const { status, updatedSince, limit, cursor } = request;
      const list = ['grants', clientId, userId ?? null, status ?? null, updatedSince ?? null];
      const cursors = createCursors(digest, cursorKey, list);
      const after = cursor === undefined ? undefined : cursors.read(cursor);
      if (cursor !== undefined && after === undefined) throw new ServiceError('cursor_invalid');
      const records = await store.listGrants({
        clientId,
        ...(userId === undefined ? {} : { userId }),
        ...(status === undefined ? {} : { status }),
        ...(updatedSince === undefined ? {} : { updatedSince }),
        ...(after === undefined ? {} : { after: { updatedAt: after.updatedAt, authorizationId: after.id } }),
        limit: limit + 1,
        at: clock.now(),
      });
      const rows = records.map(({ userId: person, scopes: _scopes, ...record }) => ({
        place: { updatedAt: record.updatedAt, id: record.authorizationId },
        item: { ...record, organizationId, subject: identifiers.subject(organizationId, person) },
      }));
      return toPage(rows, limit, cursors);
    },
  };
}
