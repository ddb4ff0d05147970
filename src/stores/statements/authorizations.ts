/** Statements on authorizations: each transition is a compare-and-set (V3, S186). */
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { STATES_IN_FORCE, statesAllowing } from '../../service/authorization/authorization.js';
import type { AuthorizationStatus } from '../../service/index.js';
import type { Approval, TransitionOutcome } from '../../service/ports/store/authorization-store.js';
import type { Store } from '../../service/ports/store/store.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Schema } from '../schema.js';
import type { Sealing } from '../sealing/sealing.js';
import type { Auditing } from './auditing.js';
import type { CombinedStatements } from './combined.js';
import { compileOnce } from './conditions.js';
import {
  APPLICATION_COLUMNS,
  AUTHORIZATION_COLUMNS,
  sealDetails,
  toApplication,
  toAuthorization,
  toAuthorizationRow,
  toSubjectColumns,
} from './rows.js';

/** Prepares the insert and the reads of authorizations, which many requests need. */
export function prepareAuthorizations(
  database: Kysely<Schema>,
  sealing: Sealing,
): Pick<Store, 'createAuthorization' | 'findAuthorization' | 'findAuthorizationDetail'> {
  const insert = compileOnce((row: Schema['authorization_record']) =>
    database.insertInto('authorization_record').values(
      // TypeScript does not infer the type of the row from its entries. Columns that are not listed have defaults.
      Object.fromEntries(
        AUTHORIZATION_COLUMNS.map((column) => [column, row[column]]),
      ) as Schema['authorization_record'],
    ),
  );
  const find = compileOnce(({ id }: { readonly id: string }) =>
    database.selectFrom('authorization_record').select(AUTHORIZATION_COLUMNS).where('id', '=', id),
  );
  const findDetail = compileOnce(({ id }: { readonly id: string }) =>
    database
      .selectFrom('authorization_record as a')
      .innerJoin('application as c', 'c.client_id', 'a.client_id')
      .select(AUTHORIZATION_COLUMNS.map((column) => `a.${column}` as const))
      .select(APPLICATION_COLUMNS.map((column) => `c.${column} as application_${column}` as const))
      .where('a.id', '=', id),
  );
  return {
    createAuthorization: async (authorization) =>
      void (await database.executeQuery(insert(toAuthorizationRow(authorization, sealing)))),
    findAuthorization: async (id) => {
      const { rows } = await database.executeQuery(find({ id }));
      return rows[0] && toAuthorization(rows[0], sealing);
    },
    findAuthorizationDetail: async (id) => {
      const { rows } = await database.executeQuery(findDetail({ id }));
      const [row] = rows;
      if (row === undefined) return undefined;
      const columns = APPLICATION_COLUMNS.map((column) => [column, row[`application_${column}`]]);
      // TypeScript does not infer the type of the row from its entries.
      const application = toApplication(Object.fromEntries(columns) as Schema['application']);
      return { authorization: toAuthorization(row, sealing), application };
    },
  };
}

/** The parts of the store that an approval uses. */
interface ApprovalContext {
  readonly auditing: Auditing;
  readonly combined: CombinedStatements | undefined;
  readonly sealing: Sealing;
}

type ApprovedColumns = ReturnType<typeof toApprovedColumns>;

export function prepareApproval(
  database: Kysely<Schema>,
  { auditing, combined, sealing }: ApprovalContext,
): Store['approveAuthorization'] {
  const approvePrepared = compileOnce(
    (values: ApprovedColumns & { readonly id: string; readonly at: number }) =>
      approvePending(database, values.id, values, values.at),
  );
  return async (approval) => {
    const { authorizationId: id, at } = approval;
    const approved = toApprovedColumns(approval, sealing);
    if ((await combined?.approve(approval)) === true) return { done: true };
    return await database.transaction().execute(async (transaction) => {
      const { numAffectedRows = 0n } = await transaction.executeQuery(
        approvePrepared({ ...approved, id, at }),
      );
      if (numAffectedRows === 0n) {
        await endExpiredRequest(transaction, id, at);
        return await rejectTransition(transaction, id);
      }
      await auditing.appendEvent(transaction, { authorizationId: id, kind: 'authorization_granted', at });
      return { done: true };
    });
  };
}

/** The columns that an approval changes, besides the state. */
export function toApprovedColumns(approval: Approval, sealing: Sealing) {
  return {
    person_id: approval.userId,
    ...toSubjectColumns(approval.subject),
    granted_scopes: JSON.stringify(approval.scopes),
    granted_details: sealDetails(approval.conditions, 'granted_details', approval.authorizationId, sealing),
    code_hash: approval.codeHash,
    code_expires_at: approval.codeExpiresAt,
    approved_at: approval.at,
    authenticated_at: approval.authenticatedAt ?? null,
  } as const;
}

/** Approves a pending request that has not expired. */
export function approvePending(database: Kysely<Schema>, id: string, columns: ApprovedColumns, at: number) {
  return database
    .updateTable('authorization_record')
    .set({
      person_id: columns.person_id,
      subject_sector: columns.subject_sector,
      subject_hash: columns.subject_hash,
      granted_scopes: columns.granted_scopes,
      granted_details: columns.granted_details,
      code_hash: columns.code_hash,
      code_expires_at: columns.code_expires_at,
      approved_at: columns.approved_at,
      authenticated_at: columns.authenticated_at,
      updated_at: at,
      status: 'approved',
    })
    .where('id', '=', id)
    .where('status', '=', 'pending_admin')
    .where('request_expires_at', '>', at);
}

export async function denyAuthorization(
  database: Kysely<Schema>,
  id: string,
  at: number,
  auditing: Auditing,
): Promise<TransitionOutcome | undefined> {
  return await database.transaction().execute(async (transaction) => {
    await endExpiredRequest(transaction, id, at);
    const { numUpdatedRows } = await transaction
      .updateTable('authorization_record')
      .set({ status: 'denied', updated_at: at })
      .where('id', '=', id)
      .where('status', 'in', statesAllowing('deny'))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return await rejectTransition(transaction, id);
    await auditing.appendEvent(transaction, { authorizationId: id, kind: 'authorization_denied', at });
    return { done: true };
  });
}

/**
 * @param database - A transaction if the store has an audit log.
 * @param reason - Reason in the audit log.
 */
export async function revokeAuthorization(
  database: Kysely<Schema>,
  id: string,
  at: number,
  auditing: Auditing,
  reason?: string,
): Promise<TransitionOutcome | undefined> {
  for (;;) {
    const revoked = await database
      .updateTable('authorization_record')
      .set({ status: 'revoked', revoked_at: at, updated_at: at, withdrawn_until: null })
      .where('id', '=', id)
      .where(isRevocable)
      .executeTakeFirstOrThrow();
    if (revoked.numUpdatedRows > 0n) {
      const event = omitUndefined({ authorizationId: id, kind: 'grant_revoked' as const, at, reason });
      await auditing.appendEvent(database, event);
      return { done: true };
    }
    const status = await statusOf(database, id);
    if (status === undefined) return undefined;
    // With concurrent writers, another transition may have led to a state that allows this one.
    if (!STATES_IN_FORCE.includes(status)) return { done: false, status };
  }
}

/**
 * Condition: in a state in force, or withdrawn by the person, which a restoration might undo. Revoking both in one statement excludes races with
 * concurrent withdrawals and restorations.
 */
export function isRevocable(where: ExpressionBuilder<Schema, 'authorization_record'>) {
  return where.or([where('status', 'in', STATES_IN_FORCE), where('withdrawn_until', 'is not', null)]);
}

export async function recordPalmVerification(
  database: Kysely<Schema>,
  id: string,
  personId: string,
  at: number,
): Promise<void> {
  await database
    .updateTable('authorization_record')
    .set({ palm_verified_at: at, palm_verified_person_id: personId, updated_at: at })
    .where('id', '=', id)
    .where('status', '=', 'pending_admin')
    .execute();
}

/** The exact condition of the partial index, which SQLite does not use for conditions with parameters. */
const PENDING_AND_PALM_VERIFIED = sql<boolean>`status = 'pending_admin' AND palm_verified_person_id IS NOT NULL`;

export async function clearPalmVerifications(
  database: Kysely<Schema>,
  browserHash: string,
  personId: string,
): Promise<void> {
  await database
    .updateTable('authorization_record')
    .set({ palm_verified_at: null, palm_verified_person_id: null })
    .where('browser_hash', '=', browserHash)
    .where(PENDING_AND_PALM_VERIFIED)
    .where('palm_verified_person_id', '!=', personId)
    .execute();
}

/** Returns the state that does not allow a transition. */
async function rejectTransition(
  database: Kysely<Schema>,
  id: string,
): Promise<TransitionOutcome | undefined> {
  const status = await statusOf(database, id);
  return status && { done: false, status };
}

async function statusOf(database: Kysely<Schema>, id: string): Promise<AuthorizationStatus | undefined> {
  const row = await database
    .selectFrom('authorization_record')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.status;
}

/** Denies an expired request (V3). */
async function endExpiredRequest(database: Kysely<Schema>, id: string, at: number): Promise<void> {
  await database
    .updateTable('authorization_record')
    .set({ status: 'denied', updated_at: at })
    .where('id', '=', id)
    .where('status', 'in', statesAllowing('request_expired'))
    .where('request_expires_at', '<=', at)
    .execute();
}
