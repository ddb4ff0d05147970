/** Statements on answers about claims with an inference bound (S350). */
import type { Kysely } from 'kysely';
import type {
  InferenceKey,
  InferenceRecord,
  OrganizationInference,
} from '../../service/ports/store/inference-store.js';
import type { Schema } from '../schema.js';
import * as associatedData from '../sealing/associated-data.js';
import type { Sealing } from '../sealing/sealing.js';

export async function findInference(
  database: Kysely<Schema>,
  key: InferenceKey,
  sealing: Sealing,
): Promise<InferenceRecord | undefined> {
  const row = await database
    .selectFrom('inference')
    .selectAll()
    .where('id', '=', toId(key))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { version: row.version, answers: sealing.open(row.answers, associatedData.ofInference(row)) };
}

export async function listInference(
  database: Kysely<Schema>,
  userId: string,
  sealing: Sealing,
): Promise<readonly OrganizationInference[]> {
  const rows = await database
    .selectFrom('inference')
    .selectAll()
    .where('person_id', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    organizationId: toOrganizationId(row.id),
    answers: sealing.open(row.answers, associatedData.ofInference(row)),
  }));
}

/** The comparison of the version decides which of concurrent calls succeeds. */
export async function replaceInference(
  database: Kysely<Schema>,
  key: InferenceKey,
  version: number | undefined,
  answers: string,
  sealing: Sealing,
): Promise<boolean> {
  const row = { id: toId(key), person_id: key.userId, version: (version ?? 0) + 1 };
  const sealed = { ...row, answers: sealing.seal(answers, associatedData.ofInference(row)) };
  if (version === undefined) {
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('inference')
      .values(sealed)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }
  const { numUpdatedRows } = await database
    .updateTable('inference')
    .set({ version: sealed.version, answers: sealed.answers })
    .where('id', '=', row.id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Returns the organization of an id that `toId` created. */
function toOrganizationId(id: string): string {
  const [organizationId] = JSON.parse(id) as [organizationId: string, userId: string];
  return organizationId;
}

function toId({ organizationId, userId }: InferenceKey): string {
  return JSON.stringify([organizationId, userId]);
}
