/** Query plans of the statements that a store issues: none may read from end to end a table that grows with people, requests or time. */
import { isDeepStrictEqual } from 'node:util';
import Libsql from 'libsql';
import pg from 'pg';
import { vi } from 'vitest';

/** A statement as the driver got it. */
export interface CapturedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Records the statements that reach a driver, each text with the values of its first runs. */
export interface StatementCapture {
  readonly statements: () => readonly CapturedStatement[];
  /** The texts of all runs so far, in order. */
  readonly runs: () => readonly string[];
  readonly stop: () => void;
}

/** The database behind a store, to be asked for the plans of the store's statements. */
export interface PlannedDatabase {
  /** Records all statements that reach the driver. */
  capture(): StatementCapture;
  /** Runs a statement on another connection than the store's. */
  run(text: string): Promise<unknown>;
  /** What is wrong with the plans of a statement; nothing where it reads by an index, or a number of rows that it bounds itself. */
  planFaults(statement: CapturedStatement): Promise<readonly string[]>;
}

/** Tables with a row for each person, grant, token, request or entry. The others grow with applications and keys. */
const GROWING: ReadonlySet<string> = new Set([
  'person',
  'credential',
  'authorization_record',
  'pushed_request',
  'access_token',
  'refresh_token',
  'audit_entry',
  'audit_seal',
  'credential_subject',
  'used_assertion',
  'rate_limit',
]);

/** Enough rows that PostgreSQL prefers an index where there is one. */
const ROWS = 20_000;
/** Of a statement with different values, as many as are looked at. */
const MAX_RUNS = 3;
/** Rows that a statement may read: those of one person, or of one page. */
const MAX_ROWS_READ = 2_500;

/** Statements that read everything, with the reason why they may. */
const EXCEPTIONS: readonly { readonly statement: RegExp; readonly reason: string }[] = [
  {
    statement: /^select count\(\*\) as "count" from "person"$/,
    reason: '`proviso audience` counts people for its progress; no request does',
  },
  {
    statement: /^select \* from "audit_entry" where .*("client_id"|"kind"|"query_hash")/,
    reason: '`proviso audit` searches the log for what has no index; no request does',
  },
  {
    statement: /^\/\* once \*\/ .*jsonb_array_elements_text/,
    reason:
      'PostgreSQL looks for up to 250 people of an audience, whom only the administrator may ask for, in the whole of a table this small',
  },
];

/** Faults in the plans of statements that are not among the exceptions. */
export async function findPlanFaults(
  database: PlannedDatabase,
  statements: readonly CapturedStatement[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const statement of statements) {
    if (EXCEPTIONS.some((exception) => exception.statement.test(statement.text))) continue;
    for (const fault of await database.planFaults(statement)) faults.push(`${fault}: ${statement.text}`);
  }
  return faults;
}

/**
 * Fills every growing table by bulk statements that both engines take: people with a grant to one application each, and what grants leave
 * behind.
 *
 * @param clientId - Of an application that exists.
 */
export async function fillGrowingTables({ run }: PlannedDatabase, clientId: string): Promise<void> {
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
  await run(
    `INSERT INTO used_assertion (id, expires_at) ${from} SELECT 'bulk-' || i, 9000000000000 + i FROM n`,
  );
  await run(`INSERT INTO rate_limit (id, empty_at) ${from} SELECT 'bulk-' || i, 9000000000000 + i FROM n`);
}

/** Whether a statement has a plan: settings and the frame of a transaction have none. */
function isPlanned(text: string): boolean {
  return /^(?:\/\*[^*]*\*\/ )?(?:select|insert|update|delete|with)\b/i.test(text);
}

function createCapture(
  watch: (note: (statement: CapturedStatement) => void) => () => void,
): StatementCapture {
  const captured = new Map<string, CapturedStatement[]>();
  const texts: string[] = [];
  const stop = watch((statement) => {
    const { text, values } = statement;
    if (!isPlanned(text)) return;
    texts.push(text);
    const known = captured.get(text) ?? [];
    captured.set(text, known);
    if (known.length < MAX_RUNS && !known.some((one) => isDeepStrictEqual(one.values, values)))
      known.push(statement);
  });
  return { statements: () => [...captured.values()].flat(), runs: () => [...texts], stop };
}

/** A SQLite file. The service keeps no statistics there, so plans do not depend on what it holds. */
export function sqlitePlans(path: string): PlannedDatabase {
  const beside = <Result>(work: (file: Libsql.Database) => Result): Result => {
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
    run: async (text) => beside((file) => file.exec(text)),
    planFaults: async ({ text }) =>
      beside((file) => {
        const steps = file.prepare(`EXPLAIN QUERY PLAN ${text}`).all([]) as { readonly detail: string }[];
        const sorts = steps.some(({ detail }) => detail.includes('TEMP B-TREE'));
        return steps.flatMap(({ detail }) => (readsAll(detail, text, sorts) ? [detail] : []));
      }),
  };
}

/** Whether a step of a SQLite plan reads a growing table, or an index of it, from end to end. */
function readsAll(detail: string, text: string, sorts: boolean): boolean {
  const [, name] = /^SCAN (\S+)/.exec(detail) ?? [];
  if (name === undefined || detail.includes('VIRTUAL TABLE') || detail.includes('CONSTANT ROW')) return false;
  if (!GROWING.has(tableOf(name, text))) return false;
  // Up to a limit, with nothing to sort and nothing to leave out: it ends with the page.
  return !/ limit \S+/i.test(text) || / where /i.test(text) || sorts;
}

/** The table that a statement gives an alias; the name itself where it has none. */
function tableOf(name: string, text: string): string {
  const [, table] = new RegExp(String.raw`"?(\w+)"? as "?${name}"?(?!\w)`, 'i').exec(text) ?? [];
  return table ?? name;
}

/** A node of a plan of PostgreSQL, as far as it matters here. */
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

/** A PostgreSQL database, with statistics as autovacuum gathers them. */
export function postgresPlans(url: string): PlannedDatabase {
  const connected = async <Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
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
    run: (text) => connected((client) => client.query(text)),
    planFaults: (statement) =>
      connected(async (client) => [
        ...(await unlessRefused(() => faultsOfCustomPlan(client, statement))),
        ...(await unlessRefused(() => faultsOfPreparedPlan(client, statement))),
      ]),
  };
}

/** Some values are refused: those that a test showed to be, and rows that are there since their first run. */
async function unlessRefused(work: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')) return [];
    throw error;
  }
}

/** Returns the plan for these values and the number of rows read; changes are rolled back. */
async function faultsOfCustomPlan(
  client: pg.Client,
  statement: CapturedStatement,
): Promise<readonly string[]> {
  const explain = async (options: string) =>
    planOf(await client.query(`explain (format json${options}) ${statement.text}`, [...statement.values]));
  const faults = scansOf(await explain(''));
  if (faults.length > 0) return faults;
  await client.query('begin');
  try {
    const rows = rowsRead(await explain(', analyze'));
    return rows > MAX_ROWS_READ ? [`${rows} rows read`] : [];
  } finally {
    await client.query('rollback');
  }
}

/** A prepared statement is planned for its values this often; then for any values, where that costs no more. */
const CUSTOM_PLANS = 5;

/** The plan that a prepared statement comes to after some runs. */
async function faultsOfPreparedPlan(
  client: pg.Client,
  { text, values }: CapturedStatement,
): Promise<readonly string[]> {
  await client.query(`prepare explained as ${text}`);
  const given = values.map((value) => (value === null ? 'null' : client.escapeLiteral(String(value))));
  const call = given.length === 0 ? 'explained' : `explained (${given.join(', ')})`;
  const explain = async () => planOf(await client.query(`explain (format json) execute ${call}`));
  for (let run = 0; run < CUSTOM_PLANS; run += 1) await explain();
  return scansOf(await explain()).map((fault) => `${fault}, prepared`);
}

function planOf({ rows }: pg.QueryResult): PlanNode {
  const [row] = rows as { readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }[];
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('PostgreSQL gave no plan');
  return plan;
}

/** Scans of growing tables without a condition of an index, but for those that end with a page. */
function scansOf(node: PlanNode, endsWithPage = false): readonly string[] {
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
  const isScan = type.endsWith('Scan') && GROWING.has(relation);
  const bounded = conditions.some((one) => one !== undefined) || (endsWithPage && filter === undefined);
  const passesOn =
    type === 'Limit' || (endsWithPage && ['Result', 'Subquery Scan', 'LockRows'].includes(type));
  return [
    ...(isScan && !bounded ? [`${type} of ${relation}`] : []),
    ...inner.flatMap((one) => scansOf(one, passesOn)),
  ];
}

/** Rows of growing tables that a plan looked at. */
function rowsRead(node: PlanNode): number {
  const {
    'Relation Name': relation = '',
    'Actual Rows': rows = 0,
    'Actual Loops': loops = 0,
    'Rows Removed by Filter': filtered = 0,
    'Rows Removed by Index Recheck': rechecked = 0,
    Plans: inner = [],
  } = node;
  const own = node['Node Type'].endsWith('Scan') && GROWING.has(relation);
  return (
    (own ? (rows + filtered + rechecked) * loops : 0) + inner.reduce((sum, one) => sum + rowsRead(one), 0)
  );
}
