/** Statements on applications, and on the origins of their redirect URIs. */
import type { Kysely } from 'kysely';
import type { Application } from '../../service/index.js';
import type { ApplicationChanges } from '../../service/ports/store/registry-store.js';
import type { Store } from '../../service/ports/store/store.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { StoreDialect } from '../migrate.js';
import type { Schema } from '../schema.js';
import type { Auditing } from './auditing.js';
import { compileOnce } from './conditions.js';
import { APPLICATION_COLUMNS, byCodeUnits, toApplication, toApplicationRow } from './rows.js';

export async function listApplications(database: Kysely<Schema>): Promise<readonly Application[]> {
  const rows = await database.selectFrom('application').selectAll().execute();
  return rows.map(toApplication).sort((left, right) => byCodeUnits(left.clientId, right.clientId));
}

export async function isRegisteredOrigin(database: Kysely<Schema>, origin: string): Promise<boolean> {
  const row = await database
    .selectFrom('application_origin as o')
    .innerJoin('application as c', 'c.client_id', 'o.client_id')
    .select('c.client_id')
    .where('o.origin', '=', origin)
    .where('c.revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Prepares the look-up of an application, which most requests need. */
export function prepareApplication(
  database: Kysely<Schema>,
): (clientId: string) => Promise<Application | undefined> {
  const find = compileOnce(({ clientId }: { readonly clientId: string }) =>
    database.selectFrom('application').select(APPLICATION_COLUMNS).where('client_id', '=', clientId),
  );
  return async (clientId) => {
    const [row] = (await database.executeQuery(find({ clientId }))).rows;
    return row && toApplication(row);
  };
}

/**
 * Inserts or updates an application. Does not change the instant of registration; a revoked application stays revoked. Updates `changed_at` only if
 * something changes. Of concurrent calls, one inserts the application; the others wait, and then compare their values with the stored ones.
 */
export async function upsertApplication(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  application: Parameters<Store['upsertApplication']>[0],
  auditing: Auditing,
): Promise<void> {
  const {
    client_id: _id,
    created_at: _created,
    revoked_at: revokedAt,
    changed_at: changedAt,
    ...changes
  } = toApplicationRow(application);
  const { clientId, scopes, createdAt } = application;
  await database.transaction().execute(async (transaction) => {
    const isNew = await insertUnlessTaken(transaction, application, auditing);
    const read = transaction.selectFrom('application').selectAll().where('client_id', '=', clientId);
    // On SQLite, the transaction is the only one that writes.
    const before = isNew
      ? undefined
      : await (dialect === 'postgres' ? read.forUpdate() : read).executeTakeFirstOrThrow();
    const isRevokedNow = revokedAt !== null && (before?.revoked_at ?? null) === null;
    if (before !== undefined) {
      const changed = changedColumns(before, changes);
      if (isRevokedNow || changed.length > 0)
        await transaction
          .updateTable('application')
          .set({
            ...changes,
            changed_at: changedAt ?? before.changed_at,
            revoked_at: before.revoked_at ?? revokedAt,
          })
          .where('client_id', '=', clientId)
          .execute();
      await recordOrigins(transaction, application);
      if (changed.length > 0)
        await auditing.append(transaction, [
          {
            at: changedAt ?? createdAt,
            kind: 'application_changed',
            clientId,
            scopes,
            reason: changed.join(' '),
          },
        ]);
    }
    if (isRevokedNow)
      await auditing.append(transaction, [{ at: revokedAt, kind: 'application_revoked', clientId }]);
  });
}

function changedColumns<Row extends object>(row: Row, changes: Partial<Row>): readonly (keyof Row)[] {
  return (Object.keys(changes) as (keyof Row)[]).filter((column) => row[column] !== changes[column]);
}

/** Inserts an application. Returns `false`, and changes nothing, if its id exists. */
export async function insertApplication(
  database: Kysely<Schema>,
  application: Parameters<Store['insertApplication']>[0],
  auditing: Auditing,
): Promise<boolean> {
  return await database
    .transaction()
    .execute((transaction) => insertUnlessTaken(transaction, application, auditing));
}

async function insertUnlessTaken(
  transaction: Kysely<Schema>,
  application: Application,
  auditing: Auditing,
): Promise<boolean> {
  const { clientId, scopes, createdAt } = application;
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('application')
    .values(toApplicationRow(application))
    .onConflict((conflict) => conflict.column('client_id').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await recordOrigins(transaction, application);
  await auditing.append(transaction, [{ at: createdAt, kind: 'application_registered', clientId, scopes }]);
  return true;
}

export async function updateApplication(
  database: Kysely<Schema>,
  clientId: string,
  { secretHash, revokedAt, updatedAt }: ApplicationChanges,
  auditing: Auditing,
): Promise<Application | undefined> {
  return await database.transaction().execute(async (transaction) => {
    let update = transaction
      .updateTable('application')
      .set({ ...omitUndefined({ secret_hash: secretHash, revoked_at: revokedAt }), changed_at: updatedAt })
      .where('client_id', '=', clientId)
      .where('revoked_at', 'is', null);
    if (secretHash !== undefined) update = update.where('secret_hash', 'is not', null);
    const row = await update.returningAll().executeTakeFirst();
    if (row === undefined) return undefined;
    const application = toApplication(row);
    const { scopes } = application;
    if (secretHash !== undefined)
      await auditing.append(transaction, [
        { at: updatedAt, kind: 'application_changed', clientId, scopes, reason: 'secret_hash' },
      ]);
    if (revokedAt !== undefined)
      await auditing.append(transaction, [{ at: revokedAt, kind: 'application_revoked', clientId }]);
    return application;
  });
}

/** Replaces the recorded origins of an application's redirect URIs. */
export async function recordOrigins(
  transaction: Kysely<Schema>,
  { clientId, redirectUris }: Application,
): Promise<void> {
  await transaction.deleteFrom('application_origin').where('client_id', '=', clientId).execute();
  // A URI with a private-use scheme has the origin `null`, which every sandboxed frame sends as well.
  const origins = new Set(redirectUris.filter((uri) => URL.canParse(uri)).map((uri) => new URL(uri).origin));
  origins.delete('null');
  if (origins.size === 0) return;
  const rows = [...origins].map((origin) => ({ origin, client_id: clientId }));
  await transaction.insertInto('application_origin').values(rows).execute();
}
