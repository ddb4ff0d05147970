/** Statements on the audit log: entries are appended in the transaction of the change, listed, sealed, and removed after retention. */
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type {
  AuditEntry,
  AuditKind,
  AuditLine,
  AuditQuery,
  AuditRecord,
  AuditRetention,
  AuditSeal,
  PositionRange,
} from '../../service/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { StoreDialect } from '../migrate.js';
import type { Schema } from '../schema.js';
import { compileOnce } from './conditions.js';
import { parseOptionalStringList } from './rows.js';

/** An event of an authorization; the statement adds its application, person and scopes. */
export interface AuthorizationEvent {
  readonly authorizationId: string;
  readonly kind: AuditKind;
  readonly at: number;
  /** The grant type or token type that the event concerns. */
  readonly about?: string;
  readonly reason?: string;
  /** Default: the granted scopes. */
  readonly scopes?: readonly string[];
}

/** Appends entries within the transaction of the change. */
export interface Auditing {
  /** Appends an event of an existing authorization. */
  appendEvent(transaction: Kysely<Schema>, event: AuthorizationEvent): Promise<void>;
  append(transaction: Kysely<Schema>, entries: readonly AuditEntry[]): Promise<void>;
}

/** Appends nothing, for a store without an audit log. */
const NO_AUDITING: Auditing = { appendEvent: async () => undefined, append: async () => undefined };

type EntryRow = Omit<Schema['audit_entry'], 'position'>;

const COLUMNS = [
  'at',
  'kind',
  'client_id',
  'person_id',
  'authorization_id',
  'scopes',
  'claims',
  'query_hash',
  'about',
  'reason',
] as const satisfies readonly (keyof EntryRow)[];

/** One statement for any number of entries, each a JSON array of its columns, so that it is prepared once. */
const ADD_ENTRIES: Readonly<Record<StoreDialect, string>> = {
  sqlite: addFrom('json_each(?)'),
  postgres: addFrom(
    'json_array_elements($1::json) with ordinality as entries (value, ordinal) order by ordinal',
  ),
};

function addFrom(source: string): string {
  const values = COLUMNS.map((column, index) => toValue(column, `value ->> ${index}`));
  return `insert into audit_entry (${COLUMNS.join(', ')}) select ${values.join(', ')} from ${source}`;
}

function toValue(column: (typeof COLUMNS)[number], value: string): string {
  if (column === 'at') return `cast(${value} as bigint)`;
  // The pseudonym of the person: `NULL` for an entry that is added after the person was erased.
  if (column === 'person_id') return `(select p.audit_id from person as p where p.id = (${value}))`;
  return value;
}

/** @param enabled - Whether the store has an audit log. */
export function prepareAuditing(database: Kysely<Schema>, enabled: boolean, dialect: StoreDialect): Auditing {
  if (!enabled) return NO_AUDITING;
  const appendEvent = compileAppendEvent(database);
  return {
    appendEvent: async (transaction, event) => {
      const { about = null, reason = null, scopes } = event;
      const values = {
        ...event,
        about,
        reason,
        scopes: scopes === undefined ? null : JSON.stringify(scopes),
      };
      await transaction.executeQuery(appendEvent(values));
    },
    append: (transaction, entries) => addEntries(transaction, dialect, entries),
  };
}

export async function addEntries(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const rows = JSON.stringify(entries.map(toValues));
  await database.executeQuery(CompiledQuery.raw(ADD_ENTRIES[dialect], [rows]));
}

/** Lists entries in order of time. Filters by application, kind or query without a person have no index, so the log is searched in parts. */
export async function listEntries(
  database: Kysely<Schema>,
  query: AuditQuery,
): Promise<readonly AuditRecord[]> {
  const { clientId, userId, kinds, queryHash, limit } = query;
  const isFiltered = clientId !== undefined || kinds !== undefined || queryHash !== undefined;
  return isFiltered && userId === undefined
    ? await searchEntries(database, query, limit)
    : await selectEntries(database, query);
}

type AuditEnd = NonNullable<AuditQuery['after']>;

/** Number of entries in a part of a search. */
const SEARCHED_ENTRIES = 1_500;

/**
 * Searches by application, kind or query. There are no indexes for these filters, since an index would slow down every request. A statement reads
 * a part of the log, so that a search of a long log neither exceeds the statement timeout nor blocks the process.
 */
async function searchEntries(
  database: Kysely<Schema>,
  query: AuditQuery,
  limit: number,
): Promise<readonly AuditRecord[]> {
  const found: AuditRecord[] = [];
  for (let { after } = query; ; ) {
    const range = { ...query, ...omitUndefined({ after }) };
    // Finds the end of a part before its entries, so that no entry is skipped if others are added or removed between the two statements.
    const end: AuditEnd | undefined = await selectRange(database, range)
      .select(['at', 'position'])
      .orderBy('at')
      .orderBy('position')
      .offset(SEARCHED_ENTRIES - 1)
      .limit(1)
      .executeTakeFirst();
    found.push(...(await selectEntries(database, { ...range, limit: limit - found.length }, { end })));
    if (end === undefined || found.length === limit) return found;
    after = end;
    // Lets the process handle signals and requests.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** @param part - Restricts the range to the part that ends with the entry `end`; `undefined` for the last part. Default: the whole range. */
async function selectEntries(
  database: Kysely<Schema>,
  query: AuditQuery,
  part?: { readonly end: AuditEnd | undefined },
): Promise<readonly AuditRecord[]> {
  const { clientId, userId, kinds, queryHash, limit, asStored = false } = query;
  const range = selectRange(database, query, part?.end).selectAll();
  // The last part may have grown since its end was searched.
  const isLast = part !== undefined && part.end === undefined;
  const start = isLast ? range.orderBy('at').orderBy('position').limit(SEARCHED_ENTRIES) : range;
  let entries = database.selectFrom(start.as('range')).selectAll();
  if (clientId !== undefined) entries = entries.where('client_id', '=', clientId);
  // Entries that are older than the introduction of pseudonyms contain the id itself.
  if (userId !== undefined)
    entries = entries.where(
      sql<boolean>`person_id in (${userId}, (select p.audit_id from person as p where p.id = ${userId}))`,
    );
  if (kinds !== undefined) entries = entries.where('kind', 'in', kinds);
  if (queryHash !== undefined) entries = entries.where('query_hash', '=', queryHash);
  const rows = await entries.orderBy('at').orderBy('position').limit(limit).execute();
  if (asStored) return rows.map(toRecord);
  const people = await findIds(
    database,
    'person',
    rows.map((row) => row.person_id),
  );
  const credentials = await findIds(
    database,
    'credential',
    rows.map((row) => (row.kind.startsWith('credential_') ? row.about : null)),
  );
  return rows.map((row) =>
    toRecord({
      ...row,
      person_id: people.get(row.person_id ?? '') ?? row.person_id,
      about: credentials.get(row.about ?? '') ?? row.about,
    }),
  );
}

/** Maps pseudonyms to ids. Pseudonyms of erased people and credentials are absent from the result. */
async function findIds(
  database: Kysely<Schema>,
  table: 'person' | 'credential',
  pseudonyms: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const known = [...new Set(pseudonyms.filter((one) => one !== null))];
  const found = new Map<string, string>();
  for (let first = 0; first < known.length; first += PSEUDONYMS_PER_STATEMENT) {
    const batch = known.slice(first, first + PSEUDONYMS_PER_STATEMENT);
    const { rows } = await sql<{ id: string; audit_id: string }>`
      select id, audit_id from ${sql.table(table)} where audit_id in (${sql.join(batch)})`.execute(database);
    for (const row of rows) found.set(row.audit_id, row.id);
  }
  return found;
}

/** Databases limit the number of parameters. */
const PSEUDONYMS_PER_STATEMENT = 500;

function selectRange(database: Kysely<Schema>, { since, until, after }: AuditQuery, end?: AuditEnd) {
  let entries = database.selectFrom('audit_entry');
  // `end` is before `until`.
  if (end !== undefined)
    entries = entries.where(sql<boolean>`(at, position) <= (${end.at}, ${end.position})`);
  else if (until !== undefined) entries = entries.where('at', '<', until);
  // Only the later of the two bounds: with both, SQLite would read from the earlier.
  if (after !== undefined && after.at >= (since ?? after.at))
    entries = entries.where(sql<boolean>`(at, position) > (${after.at}, ${after.position})`);
  else if (since !== undefined) entries = entries.where('at', '>=', since);
  return entries;
}

/**
 * Deletes entries before an instant, at most `limit`, and returns their number. Updates `kept_from` first: triggers reject the deletion of entries from
 * `kept_from` on.
 */
export async function sweepEntries(
  database: Kysely<Schema>,
  before: number,
  limit: number,
  mac: string | undefined,
): Promise<number> {
  const expired = await database
    .selectFrom('audit_entry')
    .select('position')
    .where('at', '<', before)
    .limit(1)
    .executeTakeFirst();
  if (expired === undefined) return 0;
  return await database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('audit_retention')
      .set({ kept_from: before, kept_from_mac: mac ?? null })
      .where('kept_from', '<', before)
      .execute();
    const { numDeletedRows } = await transaction
      .deleteFrom('audit_entry')
      .where('position', 'in', (select) =>
        select
          .selectFrom('audit_entry')
          .select('position')
          .where('at', '<', before)
          .orderBy('at')
          .orderBy('position')
          .limit(limit),
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}

type EventValues = {
  readonly [Member in keyof Omit<
    AuthorizationEvent,
    'scopes' | 'about' | 'reason'
  >]: AuthorizationEvent[Member];
} & { readonly scopes: string | null; readonly about: string | null; readonly reason: string | null };

function compileAppendEvent(database: Kysely<Schema>) {
  const text = (value: unknown) => sql<string | null>`cast(${value} as text)`;
  return compileOnce(({ authorizationId, kind, at, scopes, about, reason }: EventValues) =>
    database
      .insertInto('audit_entry')
      .columns(['at', 'kind', 'client_id', 'person_id', 'authorization_id', 'scopes', 'about', 'reason'])
      .expression((from) =>
        from
          .selectFrom('authorization_record')
          .select([
            sql<number>`cast(${at} as bigint)`.as('at'),
            text(kind).as('kind'),
            'client_id',
            sql<string | null>`(select p.audit_id from person as p where p.id = person_id)`.as('person_id'),
            'id',
            sql<string | null>`coalesce(${text(scopes)}, granted_scopes)`.as('scopes'),
            text(about).as('about'),
            text(reason).as('reason'),
          ])
          .where('id', '=', authorizationId),
      ),
  );
}

/** Returns the values of the {@link COLUMNS}. JSON text has `null` for those that are `undefined`. */
function toValues(entry: AuditEntry): readonly unknown[] {
  return [
    entry.at,
    entry.kind,
    entry.clientId,
    entry.userId,
    entry.authorizationId,
    entry.scopes && JSON.stringify(entry.scopes),
    entry.claims && JSON.stringify(entry.claims),
    entry.queryHash,
    entry.about,
    entry.reason,
  ];
}

function toRecord(row: EntryRow & { readonly position: number }): AuditRecord {
  return omitUndefined({
    position: row.position,
    at: row.at,
    // A kind that only a newer, compatible program knows is shown as it is.
    kind: row.kind as AuditKind,
    clientId: row.client_id ?? undefined,
    userId: row.person_id ?? undefined,
    authorizationId: row.authorization_id ?? undefined,
    scopes: parseOptionalStringList(row.scopes),
    claims: parseOptionalStringList(row.claims),
    queryHash: row.query_hash ?? undefined,
    about: row.about ?? undefined,
    reason: row.reason ?? undefined,
  });
}

/** Columns of an entry in the order of its canonical text. */
const LINE_COLUMNS = ['position', ...COLUMNS] as const;

/** SQLite limits the number of selects in a union. */
const RANGES_PER_STATEMENT = 100;

/** @param ranges - Ascending and disjoint. */
export async function listAuditLines(
  database: Kysely<Schema>,
  ranges: readonly PositionRange[],
  limit: number,
): Promise<readonly AuditLine[]> {
  const lines: AuditLine[] = [];
  for (let first = 0; first < ranges.length && lines.length < limit; first += RANGES_PER_STATEMENT) {
    const batch = ranges.slice(first, first + RANGES_PER_STATEMENT);
    lines.push(...(await selectLines(database, batch, limit - lines.length)));
  }
  return lines;
}

async function selectLines(
  database: Kysely<Schema>,
  [first, ...others]: readonly PositionRange[],
  limit: number,
): Promise<readonly AuditLine[]> {
  if (first === undefined) return [];
  const select =
    others.length === 0
      ? selectPositions(database, first, limit)
      : // A union of one select per range: with `or`, SQLite would read the log from its start.
        others
          .reduce(
            (union, range) => union.unionAll(toDerivedTable(database, range, limit)),
            toDerivedTable(database, first, limit),
          )
          .orderBy('position')
          .limit(limit);
  const rows = await select.execute();
  return rows.map((row) => ({
    position: row.position,
    at: row.at,
    text: JSON.stringify(LINE_COLUMNS.map((column) => row[column])),
  }));
}

function selectPositions(database: Kysely<Schema>, { from, to }: PositionRange, limit: number) {
  let select = database.selectFrom('audit_entry').select(LINE_COLUMNS);
  if (from !== undefined) select = select.where('position', '>=', from);
  if (to !== undefined) select = select.where('position', '<=', to);
  return select.orderBy('position').limit(limit);
}

/** Selects a range as a derived table, since SQLite does not allow `limit` in a part of a union. */
function toDerivedTable(database: Kysely<Schema>, range: PositionRange, limit: number) {
  return database.selectFrom(selectPositions(database, range, limit).as('range')).selectAll();
}

export async function findLastSeal(database: Kysely<Schema>): Promise<AuditSeal | undefined> {
  const row = await database
    .selectFrom('audit_seal')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toSeal(row);
}

export async function listSeals(
  database: Kysely<Schema>,
  after: number,
  limit: number,
): Promise<readonly AuditSeal[]> {
  const rows = await database
    .selectFrom('audit_seal')
    .selectAll()
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();
  return rows.map(toSeal);
}

/** The primary key admits only one of concurrent seals with the same number. */
export async function addSeal(
  database: Kysely<Schema>,
  { number, position, entries, at, lastAt, gaps, lines, hash, mac }: AuditSeal,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('audit_seal')
    .values({ number, position, entries, sealed_at: at, last_at: lastAt, gaps, lines, hash, mac })
    .onConflict((conflict) => conflict.column('number').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function pruneSeals(database: Kysely<Schema>, upTo: number, start: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('audit_retention')
      .set({ start_number: upTo, chain_start: start })
      .where('start_number', '<', upTo)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) await transaction.deleteFrom('audit_seal').where('number', '<=', upTo).execute();
  });
}

export async function readAuditRetention(database: Kysely<Schema>): Promise<AuditRetention> {
  const row = await database
    .selectFrom('audit_retention')
    .select(['kept_from', 'kept_from_mac', 'chain_start'])
    .executeTakeFirstOrThrow();
  return omitUndefined({
    keptFrom: row.kept_from,
    mac: row.kept_from_mac ?? undefined,
    start: row.chain_start ?? undefined,
  });
}

function toSeal(row: Schema['audit_seal']): AuditSeal {
  const { sealed_at: at, last_at: lastAt, ...rest } = row;
  return { ...rest, at, lastAt };
}
