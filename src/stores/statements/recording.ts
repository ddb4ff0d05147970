/** Applications and people that a deployment brings: recorded, and changed where they are there (V2). */
import type { Kysely } from 'kysely';
import type { Application } from '../../service/index.js';
import type { Store } from '../../service/ports/store/store.js';
import type { Schema } from '../schema.js';
import type { Sealing } from '../sealing/sealing.js';
import type { Auditing } from './auditing.js';
import { addressesToFind, toAddressColumns, toApplicationRow, toPersonRow, toUser } from './rows.js';

/** When it was registered stays what it was; one that was revoked stays so; `changed_at` is updated only where something changes. */
export async function recordApplication(
  database: Kysely<Schema>,
  application: Parameters<Store['recordApplication']>[0],
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
    const before = await transaction
      .selectFrom('application')
      .selectAll()
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    const isRevokedNow = revokedAt !== null && (before?.revoked_at ?? null) === null;
    const isChanged = isRevokedNow || (before !== undefined && differs(before, changes));
    await transaction
      .insertInto('application')
      .values(toApplicationRow(application))
      .onConflict((conflict) =>
        conflict.column('client_id').doUpdateSet((columns) => ({
          ...changes,
          ...(isChanged && changedAt !== null ? { changed_at: changedAt } : {}),
          revoked_at: columns.fn.coalesce('application.revoked_at', columns.val(revokedAt)),
        })),
      )
      .execute();
    await recordOrigins(transaction, application);
    if (before === undefined)
      await auditing.add(transaction, [{ at: createdAt, kind: 'application_registered', clientId, scopes }]);
    if (isRevokedNow)
      await auditing.add(transaction, [{ at: revokedAt, kind: 'application_revoked', clientId }]);
  });
}

function differs<Row extends object>(row: Row, changes: Partial<Row>): boolean {
  return (Object.keys(changes) as (keyof Row)[]).some((column) => row[column] !== changes[column]);
}

/** What is there already is left as it is. */
export async function registerApplication(
  database: Kysely<Schema>,
  application: Parameters<Store['registerApplication']>[0],
  auditing: Auditing,
): Promise<boolean> {
  const { clientId, scopes, createdAt } = application;
  return await database.transaction().execute(async (transaction) => {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('application')
      .values(toApplicationRow(application))
      .onConflict((conflict) => conflict.column('client_id').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows !== 1n) return false;
    await recordOrigins(transaction, application);
    await auditing.add(transaction, [{ at: createdAt, kind: 'application_registered', clientId, scopes }]);
    return true;
  });
}

/** Records the origins of an application's redirect URIs in place of those recorded before. */
export async function recordOrigins(
  transaction: Kysely<Schema>,
  { clientId, redirectUris }: Application,
): Promise<void> {
  await transaction.deleteFrom('application_origin').where('client_id', '=', clientId).execute();
  // The origin of a URI with a private-use scheme is `null`, which no page may claim.
  const origins = new Set(redirectUris.filter((uri) => URL.canParse(uri)).map((uri) => new URL(uri).origin));
  origins.delete('null');
  if (origins.size === 0) return;
  const rows = [...origins].map((origin) => ({ origin, client_id: clientId }));
  await transaction.insertInto('application_origin').values(rows).execute();
}

/** Never moves the instant back. */
export async function endSessions(database: Kysely<Schema>, personId: string, until: number): Promise<void> {
  await database
    .updateTable('person')
    .set({ signed_out_at: until })
    .where('id', '=', personId)
    .where((where) => where.or([where('signed_out_at', 'is', null), where('signed_out_at', '<', until)]))
    .execute();
}

/** What another person has already stays theirs: an address is no proof of being somebody. */
export async function recordPerson(
  database: Kysely<Schema>,
  user: Parameters<Store['recordPerson']>[0],
  sealing: Sealing,
): ReturnType<Store['recordPerson']> {
  return await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('person')
      .values(toPersonRow({ id: user.id, name: user.name, about: user.about }, sealing))
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const known = () =>
      transaction.selectFrom('person').selectAll().where('name', '=', user.name).executeTakeFirstOrThrow();
    const { id } = await known();
    for (const [column, value] of [
      ['email', user.email],
      ['evm_address', user.evmAddress],
    ] as const) {
      if (value === undefined) continue;
      await transaction
        .updateTable('person')
        .set(toAddressColumns(column, value, id, sealing))
        .where('id', '=', id)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('person as other')
                .select('other.id')
                .where(`other.${column}`, 'in', addressesToFind(column, value, sealing)),
            ),
          ),
        )
        .execute();
    }
    return toUser(await known(), sealing);
  });
}
