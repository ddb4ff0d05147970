/** Index advice: the `CREATE INDEX` statements that a query can benefit from. */
import { type Check, type ParseOptions, type PolicyItem, parse, toClaimReference } from '../engine/index.js';
import { combinationOf, foldItem } from '../engine/query/query.js';
import type { DialectName } from './dialects/dialect.js';
import type { ColumnType, SqlLayout } from './layouts/layout.js';
import { createColumnAssertion } from './layouts/typed-column.js';
import { jsonPath, quoteName, quotePath, quoteTable } from './names.js';
import { writeCandidateSql } from './statement.js';
import { dialectOf } from './to-sql.js';

/** A recommended index. */
export interface IndexAdvice {
  readonly statement: string;
  readonly reason: string;
}

/** How the SQL of a check reads its claim: as a text, a boolean or null, as JSON (`value`), by its elements, or as text in byte order. */
type AccessPath = 'text' | 'boolean' | 'null' | 'value' | 'elements' | 'ordered_text';

/** A recommended index, before it has a name. */
interface Index extends IndexBody {
  readonly table: string;
  /** The part of the name of the index that follows the name of the table. */
  readonly suffix: string;
  readonly reason: string;
}

/** What an index is created on. */
interface IndexBody {
  readonly expression: string;
  /** Default: the default method of the dialect. */
  readonly method?: string;
}

/**
 * Recommends the indexes that the statement of a query can use, without duplicates; empty if none helps.
 *
 * An index is useful if its check passes for few people, and the policy cannot pass without the check. Verify with `EXPLAIN`.
 *
 * @param query - Raw JSON, or a query returned by `parse`. Projections have no advice.
 * @throws {QueryError} As `parse` does.
 * @throws {RangeError} When a name in the layout is invalid; otherwise as `parse` does.
 * @throws {TypeError} When the layout lacks a member or has an unknown one, or `dialect` is not the name of a dialect; otherwise as `parse` does.
 */
export function adviseIndexes(
  query: unknown,
  layout: SqlLayout,
  dialect: DialectName,
  options: ParseOptions = {},
): readonly IndexAdvice[] {
  const target = dialectOf({ dialect, layout }, ['dialect', 'layout']);
  const parsed = parse(query, options);
  const found =
    'projections' in parsed ? [] : dialect === 'duckdb' ? checkAlone(parsed) : searchedChecks(parsed, layout);
  const assertFits = createColumnAssertion({ ...options, layout }, target);
  const checks = found.filter(
    (check) =>
      !isEmptyList(check) &&
      writeCandidateSql({ check }, target, { layout, now: 0 }, assertFits).problems.length === 0,
  );
  const advised = [
    ...(checks.length === 0 ? [] : adviseJoins(layout, dialect)),
    ...checks.flatMap((check) => adviseCheck(check, layout, dialect)),
  ];
  // The same index may serve several checks.
  const distinct = new Map<string, Index>();
  for (const index of advised) {
    const key = `${index.table} ${index.method} ${index.expression}`;
    if (!distinct.has(key)) distinct.set(key, index);
  }
  const names = new Set<string>();
  return [...distinct.values()].map((index) => ({
    statement: create(index, nameOf(index, names), dialect),
    reason: index.reason,
  }));
}

/** Returns the check of a policy that consists of one check: DuckDB uses an index for a single condition only. */
function checkAlone(item: PolicyItem): readonly Check[] {
  if ('check' in item) return [item.check];
  const [kind, [only, second]] = combinationOf(item.policy);
  return kind === 'not' || only === undefined || second !== undefined ? [] : checkAlone(only);
}

/** Returns the checks for which an index may be searched: not those that are negated on a person's row, since `IS NOT TRUE` uses no index. */
function searchedChecks(item: PolicyItem, { kind }: SqlLayout): readonly Check[] {
  const isOnRow = kind === 'documents' || kind === 'columns';
  const checks: Check[] = [];
  const check = (found: Check, negated: boolean) => {
    if (!(negated && isOnRow)) checks.push(found);
  };
  foldItem(item, { check, all: () => undefined, any: () => undefined });
  return checks;
}

/** Returns whether no value passes a check, since its list is empty: its statement reads nothing. */
function isEmptyList({ operator, value }: Check): boolean {
  return operator === 'in' && Array.isArray(value) && value.length === 0;
}

/** Recommends indexes for looking up each person's claims in a separate table. DuckDB joins whole tables instead. */
function adviseJoins(layout: SqlLayout, dialect: DialectName): readonly Index[] {
  if (dialect === 'duckdb') return [];
  switch (layout.kind) {
    case 'credentials': {
      const { table, person } = layout.credentials;
      return [{ table, suffix: 'of_person', expression: name(person), reason: 'each person’s credentials' }];
    }
    case 'claims': {
      const { table, person, path } = layout.claims;
      const expression = `${name(person)}, ${name(path)}`;
      return [{ table, suffix: 'of_person', expression, reason: 'each person’s claim by its path' }];
    }
    default:
      return [];
  }
}

function adviseCheck(check: Check, layout: SqlLayout, dialect: DialectName): readonly Index[] {
  const access = accessPathOf(check);
  const body = access && bodyOf(check, access, layout, dialect);
  if (access === undefined || body === undefined) return [];
  const table = layout.kind === 'claims' ? layout.claims.table : layout.people.table;
  const suffix = `${check.claim.replaceAll('.', '_')}_${access}`;
  return [{ ...body, table, suffix, reason: `\`${check.claim}\` with \`${check.operator}\`` }];
}

function accessPathOf({ operator, value }: Check): AccessPath | undefined {
  switch (operator) {
    case '==':
      if (value === null) return 'null';
      if (typeof value === 'string') return 'text';
      if (typeof value === 'boolean') return 'boolean';
      return typeof value === 'number' ? 'value' : undefined;
    case 'in':
      return Array.isArray(value) && value.every((one) => typeof one === 'string') ? 'text' : undefined;
    case '>':
    case '>=':
    case '<':
    case '<=':
      return typeof value === 'number' ? 'value' : 'ordered_text';
    case 'startsWith':
      return 'ordered_text';
    case 'contains':
      return typeof value === 'number' || (typeof value === 'object' && value !== null)
        ? undefined
        : 'elements';
    default:
      return undefined;
  }
}

function bodyOf(
  { claim, operator, value }: Check,
  access: AccessPath,
  layout: SqlLayout,
  dialect: DialectName,
): IndexBody | undefined {
  // A claim that may be a member of another is searched in two places, which no index covers.
  const isShort = claim.split('.').length === 2;
  switch (layout.kind) {
    case 'documents':
      return isShort ? inJson(name(layout.claims), claim, access, dialect) : undefined;
    case 'columns': {
      const columnAt = (path: string) =>
        Object.hasOwn(layout.columns, path) ? layout.columns[path] : undefined;
      const column = columnAt(claim);
      const isInJson = toClaimReference(claim).parents.some(({ path }) => columnAt(path)?.type === 'json');
      if (column === undefined || isInJson) return undefined;
      // PostgreSQL converts a date or an instant to text for each row.
      if (dialect === 'postgres' && operator === 'startsWith' && column.type !== 'text') return undefined;
      // DuckDB uses an index for a list of texts, and for no other list of several values.
      const isList = Array.isArray(value) && value.length > 1;
      if (dialect === 'duckdb' && isList && column.type !== 'text') return undefined;
      return inColumn(name(column.column), column.type, access, dialect);
    }
    case 'claims': {
      const body = isShort ? inJson(name(layout.claims.value), undefined, access, dialect) : undefined;
      if (body === undefined || body.method !== undefined) return undefined;
      return { expression: `${name(layout.claims.path)}, ${body.expression}` };
    }
    case 'credentials':
      return undefined;
  }
}

function inColumn(
  column: string,
  type: ColumnType,
  access: AccessPath,
  dialect: DialectName,
): IndexBody | undefined {
  if (type === 'json') return undefined;
  if (access === 'elements') return undefined;
  // DuckDB uses no index for an expression, by which strings are ordered, nor for two bounds, between which an instant is. It skips blocks of rows by their
  // least and greatest values instead.
  if (dialect === 'duckdb' && (access === 'ordered_text' || type === 'timestamptz')) return undefined;
  const byBytes = dialect === 'postgres' && type === 'text' && access === 'ordered_text';
  return { expression: byBytes ? `${column} COLLATE "C"` : column };
}

/** @param claim - The member of the document; absent where the column is the value. */
function inJson(
  column: string,
  claim: string | undefined,
  access: AccessPath,
  dialect: DialectName,
): IndexBody | undefined {
  if (dialect === 'duckdb') return undefined;
  if (dialect === 'sqlite') {
    const path = jsonPath(claim === undefined ? [] : [claim]);
    // Booleans and null are compared by their types.
    const isUsed = access !== 'elements' && access !== 'boolean' && access !== 'null';
    return isUsed ? { expression: `json_extract(${column}, '${path}')` } : undefined;
  }
  const value = claim === undefined ? column : `(${column} -> ${quotePath(claim)})`;
  const text = claim === undefined ? `(${column} #>> '{}')` : `(${column} ->> ${quotePath(claim)})`;
  switch (access) {
    case 'text':
    case 'boolean':
      return { expression: text };
    case 'ordered_text':
      return { expression: `${text} COLLATE "C"` };
    case 'value':
    case 'null':
      return { expression: value };
    case 'elements':
      return { expression: `${value} jsonb_path_ops`, method: 'gin' };
  }
}

/** SQLite has the schema in the name of the index, and not in that of its table. */
function create({ table, expression, method }: Index, index: string, dialect: DialectName): string {
  const [first = '', second, third] = table.split('.');
  const isQualified = dialect === 'sqlite' && second !== undefined && third === undefined;
  const using = method === undefined ? '' : ` USING ${method}`;
  return isQualified
    ? `CREATE INDEX ${name(first)}.${name(index)} ON ${name(second)} (${expression})`
    : `CREATE INDEX ${name(index)} ON ${tableName(table)}${using} (${expression})`;
}

/** The greatest length of a name in PostgreSQL. */
const MAX_NAME = 63;

/** Returns a name that no other index of the result has. Names that differ only in case count as equal. */
function nameOf({ table, suffix }: Index, taken: Set<string>): string {
  const base = `${table.split('.').at(-1)}_${suffix}`;
  for (let count = 1; ; count += 1) {
    const ending = count === 1 ? '' : `_${count}`;
    const index = `${base.slice(0, MAX_NAME - ending.length)}${ending}`;
    if (taken.has(index.toLowerCase())) continue;
    taken.add(index.toLowerCase());
    return index;
  }
}

function name(text: string): string {
  return quoteName(text).parts.join('');
}

function tableName(text: string): string {
  return quoteTable(text).parts.join('');
}
