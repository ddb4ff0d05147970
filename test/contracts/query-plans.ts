/**
 * Query plans of the statements that a store issues: none may fully scan a table that grows with people,
 * requests or time.
 */
import { isDeepStrictEqual } from 'node:util';
import Libsql from 'libsql';
import pg from 'pg';
import { vi } from 'vitest';

/** A statement that was sent to the driver. */
export interface CapturedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Records the statements that reach a driver, each text with the values of its first executions. */
export interface StatementCapture {
  readonly statements: () => readonly CapturedStatement[];
  /** The texts of all executions so far, in order. */
  readonly runs: () => readonly string[];
  /** Like `runs`, with transaction control and settings: on PostgreSQL, each is a round trip. */
  readonly sent: () => readonly string[];
  readonly stop: () => void;
}

/** The database of a store, which explains the plans of the store's statements. */
export interface PlannedDatabase {
  /** Records all statements that reach the driver. */
  capture(): StatementCapture;
  /** Runs a statement on a separate connection. */
  run(text: string): Promise<unknown>;
  /** Lists the ids of all applications. */
  applicationIds(): Promise<readonly string[]>;
  /** Gathers the statistics that the database has in production. */
  gatherStatistics(): Promise<unknown>;
  /** Lists faults in the plans of a statement: scans of growing tables, or too many rows. */
  planFaults(statement: CapturedStatement): Promise<readonly string[]>;
}

/**
 * Tables with a row for each person, grant, token, request or entry. Other tables grow with applications
 * and keys only.
 */
const GROWING_TABLES: ReadonlySet<string> = new Set([
  'person',
  'credential',
  'authorization_record',
  'pushed_request',
  'access_token',
  'refresh_token',
  'audit_entry',
  'audit_seal',
  'credential_subject',
  'linked_account',
  'erased_credential',
  'used_assertion',
  'rate_limit',
  'learned',
  'inference',
]);

/** Enough rows for PostgreSQL to prefer an index. */
const ROWS = 20_000;
/** The maximum number of checked executions of a statement. */
const MAX_RUNS = 3;
/** The number of rows that a statement may read: those of a person or a page. */
const MAX_ROWS_READ = 2_500;
/** The number of steps of SQLite's virtual machine that a statement may take: about 20 for each row that it reads. */
const MAX_STEPS = 50_000;

/** Statements that read a whole table by design, with the reason. */
const EXCEPTIONS: readonly { readonly statement: RegExp; readonly reason: string }[] = [
  {
    statement: /^insert into "application" /,
    reason:
      'SQLite plans a scan for the references to a new application, and skips it unless a reference is violated (FkIfZero)',
  },
  {
    statement: /^\/\* once \*\/ .*jsonb_array_elements_text/,
    reason:
      'audience: PostgreSQL scans a table of this size for up to 250 people of an audience, which only the administrator may request',
  },
];

/** An execution of a statement with a fault. */
export interface PlanFault {
  readonly fault: string;
  readonly text: string;
}

/**
 * Lists plan faults of statements that are not exceptions. Judges each execution once with its own values, and once with `clientId`, which has
 * nearly all rows, substituted for the application of the test.
 *
 * @param clientId - The application that `fillGrowingTables` was called with.
 */
export async function findPlanFaults(
  database: PlannedDatabase,
  statements: readonly CapturedStatement[],
  clientId: string,
): Promise<readonly PlanFault[]> {
  const applications = new Set<unknown>(await database.applicationIds());
  const faults: PlanFault[] = [];
  for (const statement of statements) {
    const { text, values } = statement;
    if (EXCEPTIONS.some((exception) => exception.statement.test(text))) continue;
    const larger = values.map((value) => (applications.has(value) ? clientId : value));
    const runs = isDeepStrictEqual(larger, values) ? [statement] : [statement, { text, values: larger }];
    for (const run of runs)
      for (const fault of await database.planFaults(run))
        if (!faults.some((known) => known.text === text && known.fault === fault))
          faults.push({ fault, text });
  }
  return faults;
}

/**
 * Fills every growing table with bulk statements that both engines support: people with a grant each, and its tokens and entries.
 *
 * @param clientId - An existing application, which gets all rows.
 */
export async function fillGrowingTables(database: PlannedDatabase, clientId: string): Promise<void> {
  const { run } = database;
  const from = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})`;
  const hash = (kind: string) => `substr('${kind}-' || i || '${'_'.repeat(43)}', 1, 43)`;
  await run(`INSERT INTO person (id, name, about, email, evm_address)
    ${from} SELECT 'bulk-' || i, 'bulk ' || i, '', 'bulk-' || i || '@people.example', 'bulk-0x' || i FROM n`);
  await run(`INSERT INTO credential (id, person_id, source, issued_at, claims, updated_at)
    ${from} SELECT 'bulk-' || i, 'bulk-' || i, 'Registry', i, '{"a.b":1}', i FROM n`);
  await run(`INSERT INTO authorization_record
      (id, client_id, person_id, status, redirect_uri, requested_scopes, granted_scopes, created_at, request_expires_at, updated_at, approved_at)
    ${from} SELECT 'bulk-' || i, '${clientId}', 'bulk-' || i, 'consumed', 'r', '[]', '[]', i, i, i, i FROM n`);
  await run(`INSERT INTO authorization_record
      (id, client_id, status, redirect_uri, requested_scopes, created_at, request_expires_at, updated_at)
    ${from} SELECT 'bulk-pending-' || i, '${clientId}', 'pending_admin', 'r', '[]', i, 9000000000000 + i, i FROM n`);
  await run(`INSERT INTO pushed_request (token_hash, client_id, parameters, expires_at)
    ${from} SELECT ${hash('p')}, '${clientId}', '[]', 9000000000000 + i FROM n`);
  await run(`INSERT INTO access_token (token_hash, authorization_id, family_id, scopes, issued_at, expires_at)
    ${from} SELECT ${hash('a')}, 'bulk-' || i, 'bulk-' || i, '[]', i, 9000000000000 + i FROM n`);
  await run(`INSERT INTO refresh_token (token_hash, authorization_id, family_id, generation, issued_at, expires_at)
    ${from} SELECT ${hash('r')}, 'bulk-' || i, 'bulk-' || i, 1, i, 9000000000000 + i FROM n`);
  await run(`INSERT INTO audit_entry (at, kind, client_id, person_id)
    ${from} SELECT 9000000000000 + i, 'query_answered', '${clientId}', 'bulk-' || i FROM n`);
  await run(`INSERT INTO audit_seal (number, position, entries, sealed_at, last_at, gaps, lines, hash, mac)
    ${from} SELECT 1000000 + i, 1000000 + i, 1, i, 9000000000000 + i, '[]', '', '', '' FROM n`);
  await run(`INSERT INTO credential_subject (id, person_id, credential_id)
    ${from} SELECT ${hash('s')}, 'bulk-' || i, 'bulk-' || i FROM n`);
  await run(`INSERT INTO linked_account (account_hash, issuer, person_id, linked_at)
    ${from} SELECT ${hash('l')}, 'https://login.example', 'bulk-' || i, i FROM n`);
  await run(`INSERT INTO erased_credential (id_hash, erased_at) ${from} SELECT ${hash('e')}, i FROM n`);
  await run(
    `INSERT INTO used_assertion (id, expires_at) ${from} SELECT 'bulk-' || i, 9000000000000 + i FROM n`,
  );
  await run(`INSERT INTO learned (entry, authorization_id, detail, first_at, last_at, changes)
    ${from} SELECT 'bulk-' || i, 'bulk-' || i, '{}', i, 9000000000000 + i, 0 FROM n`);
  await run(`INSERT INTO inference (id, person_id, version, answers)
    ${from} SELECT 'bulk-' || i, 'bulk-' || i, 1, '{}' FROM n`);
  await run(`INSERT INTO rate_limit (id, empty_at) ${from} SELECT 'bulk-' || i, 9000000000000 + i FROM n`);
  await database.gatherStatistics();
}

/** Returns whether a statement has a plan, unlike settings and transaction control. */
function isPlanned(text: string): boolean {
  return /^\s*(?:\/\*[^*]*\*\/ )?(?:select|insert|update|delete|with)\b/i.test(text);
}

function createCapture(
  watch: (note: (statement: CapturedStatement) => void) => () => void,
): StatementCapture {
  const captured = new Map<string, CapturedStatement[]>();
  const texts: string[] = [];
  const sent: string[] = [];
  const stop = watch((statement) => {
    const { text, values } = statement;
    sent.push(text);
    if (!isPlanned(text)) return;
    texts.push(text);
    const known = captured.get(text) ?? [];
    captured.set(text, known);
    if (known.length < MAX_RUNS && !known.some((one) => isDeepStrictEqual(one.values, values)))
      known.push(statement);
  });
  return {
    statements: () => [...captured.values()].flat(),
    runs: () => [...texts],
    sent: () => [...sent],
    stop,
  };
}

/**
 * Explains plans of a SQLite file. The service stores no statistics there, so plans do not depend on the
 * contents.
 */
export function sqlitePlans(path: string): PlannedDatabase {
  const withConnection = <Result>(work: (file: Libsql.Database) => Result): Result => {
    const file = new Libsql(path);
    try {
      return work(file);
    } finally {
      file.close();
    }
  };
  return {
    capture: () =>
      createCapture((note) => {
        const { prepare } = Libsql.prototype;
        const spy = vi.spyOn(Libsql.prototype, 'prepare').mockImplementation(function (
          this: Libsql.Database,
          text: string,
        ) {
          const statement = prepare.call(this, text);
          for (const method of ['all', 'get', 'run'] as const) {
            const original = Reflect.get(statement, method) as (...given: unknown[]) => unknown;
            Object.assign(statement, {
              [method]: (...given: unknown[]) => {
                note({ text, values: given.flat() });
                return Reflect.apply(original, statement, given);
              },
            });
          }
          return statement;
        });
        return () => spy.mockRestore();
      }),
    run: async (text) => withConnection((file) => file.exec(text)),
    applicationIds: async () =>
      withConnection((file) =>
        (file.prepare('SELECT client_id FROM application').all([]) as { readonly client_id: string }[]).map(
          (row) => row.client_id,
        ),
      ),
    // The service gathers no statistics on SQLite.
    gatherStatistics: async () => undefined,
    planFaults: async (statement) =>
      withConnection((file) => {
        const { text } = statement;
        const steps = file.prepare(`EXPLAIN QUERY PLAN ${text}`).all([]) as { readonly detail: string }[];
        const scans = steps.flatMap(({ detail }) => (isFullScan(detail, text) ? [detail] : []));
        if (scans.length > 0) return scans;
        // A statement may also read the rows that it is given as JSON.
        const given = statement.values.reduce<number>((sum, value) => sum + String(value).length, 0);
        return countSteps(file, statement) > MAX_STEPS + given ? [`more than ${MAX_STEPS} steps`] : [];
      }),
  };
}

/** Runs a statement, counts the steps of SQLite's virtual machine, and rolls it back. A plan does not show how many rows a search reads. */
function countSteps(file: Libsql.Database, { text, values }: CapturedStatement): number {
  file.exec('BEGIN');
  try {
    const statement = file.prepare(text);
    try {
      if (statement.reader) statement.all([...values]);
      else statement.run([...values]);
    } catch (error) {
      // A duplicate key, or a violation of a trigger: the row exists already.
      if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT')))
        throw error;
    }
    const row = file.prepare('SELECT nstep FROM sqlite_stmt WHERE sql = ?').get([text]);
    return (row as { readonly nstep: number }).nstep;
  } finally {
    file.exec('ROLLBACK');
  }
}

/** Returns whether a step of a SQLite plan scans a growing table or an index of it, and no limit ends the scan. */
function isFullScan(detail: string, text: string): boolean {
  const [, name] = /^SCAN (\S+)/.exec(detail) ?? [];
  if (name === undefined || detail.includes('VIRTUAL TABLE') || detail.includes('CONSTANT ROW')) return false;
  return GROWING_TABLES.has(tableOf(name, text)) && !/ limit \S+/i.test(text);
}

/** Returns the table of an alias in a statement, or the name itself. */
function tableOf(name: string, text: string): string {
  const [, table] = new RegExp(String.raw`"?(\w+)"? as "?${name}"?(?!\w)`, 'i').exec(text) ?? [];
  return table ?? name;
}

/** The used members of a PostgreSQL plan node. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly 'TID Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
}

/** Explains plans of a PostgreSQL database, with statistics like those of autovacuum. */
export function postgresPlans(url: string): PlannedDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true });
  // Emitted when the database is dropped.
  pool.on('error', () => undefined);
  const withClient = async <Result>(work: (client: pg.ClientBase) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  };
  return {
    capture: () =>
      createCapture((note) => {
        const { query } = pg.Client.prototype;
        const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
          this: pg.Client,
          ...given: unknown[]
        ) {
          const [config] = given as [Partial<CapturedStatement> | undefined];
          if (config?.text !== undefined) note({ text: config.text, values: config.values ?? [] });
          return Reflect.apply(query, this, given) as unknown;
        } as typeof query);
        return () => spy.mockRestore();
      }),
    run: (text) => withClient((client) => client.query(text)),
    applicationIds: () =>
      withClient(async (client) =>
        (await client.query<{ client_id: string }>('select client_id from application')).rows.map(
          (row) => row.client_id,
        ),
      ),
    // In production, autovacuum gathers the statistics.
    gatherStatistics: () => withClient((client) => client.query('analyze')),
    planFaults: (statement) =>
      withClient(async (client) => [
        ...(await unlessRejected(() => faultsOfCustomPlan(client, statement))),
        ...(await unlessRejected(() => faultsOfPreparedPlan(client, statement))),
      ]),
  };
}

/** Returns no faults for values that PostgreSQL rejects, such as invalid test values and duplicate keys. */
async function unlessRejected(work: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')) return [];
    throw error;
  }
}

/** Explains the plan for these values and counts the rows it reads; changes are rolled back. */
async function faultsOfCustomPlan(
  client: pg.ClientBase,
  statement: CapturedStatement,
): Promise<readonly string[]> {
  const explain = async (options: string) =>
    planOf(await client.query(`explain (format json${options}) ${statement.text}`, [...statement.values]));
  const faults = scansOf(await explain(''));
  if (faults.length > 0) return faults;
  await client.query('begin');
  try {
    const rows = rowsRead(await explain(', analyze'));
    return rows > MAX_ROWS_READ ? [`more than ${MAX_ROWS_READ} rows read`] : [];
  } finally {
    await client.query('rollback');
  }
}

/** The number of executions of a prepared statement that PostgreSQL plans for their values, before it considers a generic plan. */
const CUSTOM_PLANS = 5;

/** Explains the plan of a prepared statement after several executions. */
async function faultsOfPreparedPlan(
  client: pg.ClientBase,
  { text, values }: CapturedStatement,
): Promise<readonly string[]> {
  const given = values.map((value) => (value === null ? 'null' : client.escapeLiteral(String(value))));
  const call = given.length === 0 ? 'explained' : `explained (${given.join(', ')})`;
  await client.query(`prepare explained as ${text}`);
  const explain = async () => planOf(await client.query(`explain (format json) execute ${call}`));
  try {
    for (let run = 0; run < CUSTOM_PLANS; run += 1) await explain();
    return scansOf(await explain()).map((fault) => `${fault}, prepared`);
  } finally {
    await client.query('deallocate explained');
  }
}

function planOf({ rows }: pg.QueryResult): PlanNode {
  const [row] = rows as { readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }[];
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('PostgreSQL must return a plan');
  return plan;
}

/** Lists scans of growing tables without an index condition, except for unfiltered scans that a `Limit` above ends. */
function scansOf(node: PlanNode, isLimited = false): readonly string[] {
  const {
    'Node Type': type,
    'Relation Name': relation = '',
    'Index Cond': indexCondition,
    'Recheck Cond': recheckCondition,
    'TID Cond': placeCondition,
    Filter: filter,
    Plans: inner = [],
  } = node;
  const conditions = [indexCondition, recheckCondition, placeCondition];
  const isScan = type.endsWith('Scan') && GROWING_TABLES.has(relation);
  const bounded = conditions.some((one) => one !== undefined) || (isLimited && filter === undefined);
  const isInnerLimited =
    type === 'Limit' || (isLimited && ['Result', 'Subquery Scan', 'LockRows'].includes(type));
  return [
    ...(isScan && !bounded ? [`${type} of ${relation}`] : []),
    ...inner.flatMap((one) => scansOf(one, isInnerLimited)),
  ];
}

/** Counts the rows of growing tables that a plan read. */
function rowsRead(node: PlanNode): number {
  const {
    'Relation Name': relation = '',
    'Actual Rows': rows = 0,
    'Actual Loops': loops = 0,
    'Rows Removed by Filter': filtered = 0,
    'Rows Removed by Index Recheck': rechecked = 0,
    Plans: inner = [],
  } = node;
  const isCounted = node['Node Type'].endsWith('Scan') && GROWING_TABLES.has(relation);
  return (
    (isCounted ? (rows + filtered + rechecked) * loops : 0) +
    inner.reduce((sum, one) => sum + rowsRead(one), 0)
  );
}
