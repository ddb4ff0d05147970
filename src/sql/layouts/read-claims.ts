/**
 * Converts conditions on a claim's value to conditions on a person, by layout: selects the credential that attests
 * the claim, and resolves members of other claims (L10–L13).
 */
import { assertInstant, LAST_INSTANT } from '../../engine/claims/instant.js';
import {
  type ClaimReference,
  formatInstant,
  type ParseOptions,
  parseInstant,
  toClaimReference,
} from '../../engine/index.js';
import type { Dialect, Ordering, SqlValue, TimeColumns } from '../dialects/dialect.js';
import { UnsupportedConstruct } from '../errors.js';
import { allOf, anyOf, FALSE, type Fragment, isNot, list, sql, verbatim } from '../fragment.js';
import { dateBound, FIRST_MIDNIGHT, ordersInTime } from '../instants.js';
import { columnOf, quotePath, quoteTable } from '../names.js';
import { assertStored } from '../stored-claims.js';
import type {
  ClaimsLayout,
  ColumnsLayout,
  ColumnType,
  CredentialsLayout,
  DocumentsLayout,
  SqlLayout,
} from './layout.js';

/** The condition of a check on a value; false or unknown where it fails. */
export type Test = (value: SqlValue) => Fragment;

/** Reads claims of a person. */
export interface ClaimReader {
  /** True where the value passes a test; false or unknown where it fails, or the claim is undefined. */
  where(path: string, test: Test): Fragment;
  /** True where {@link where} is false or unknown. */
  whereNot(path: string, test: Test): Fragment;
}

/**
 * @param person - The alias of the person's row, quoted where required.
 * @param now - Epoch milliseconds; required for layouts of credentials.
 * @param claims - The claims that exist, where they are known.
 */
export function createClaimReader(
  layout: SqlLayout,
  dialect: Dialect,
  person: string,
  now: number | undefined,
  claims?: ParseOptions['claims'],
): ClaimReader {
  switch (layout.kind) {
    case 'documents':
      return negating((path, test) => inDocument(layout, dialect, person, toClaimReference(path), test));
    case 'columns':
      return negating((path, test) =>
        inColumns(layout, dialect, person, toClaimReference(path), test, claims),
      );
    case 'credentials':
      // Microseconds instead of milliseconds are out of range; otherwise, most credentials would be expired at that instant.
      assertInstant(now, '`now`, which a layout of credentials requires,');
      return negating((path, test) =>
        inCredentials(layout, dialect, person, now, toClaimReference(path), test),
      );
    case 'claims':
      return inRows(layout, dialect, person);
  }
}

function negating(where: ClaimReader['where']): ClaimReader {
  return { where, whereNot: (path, test) => isNot(where(path, test)) };
}

/** The claim itself or a parent claim, in which the claim may be a member. */
interface ClaimSource {
  /** Whether the claim itself or this parent claim is present. */
  readonly isPresent: Fragment;
  /** The claim's value; `undefined` where this parent claim has no members. */
  readonly value: SqlValue | undefined;
}

/** The first source that is present decides, whether or not it contains the claim (L13). */
function inFirst(sources: readonly ClaimSource[], test: Test): Fragment {
  const passes = sources.map(({ value }) => (value === undefined ? FALSE : test(value)));
  const [only = FALSE] = passes;
  if (sources.length <= 1) return only;
  const cases = sources.map(({ isPresent }, index) => sql`WHEN ${isPresent} THEN ${passes[index] ?? FALSE}`);
  return sql`CASE ${list(cases, ' ')} END`;
}

/** Returns the sources of a claim in a document of claims: its own path, and the paths of its parents. */
function sourcesIn(
  document: Fragment,
  { path, parents }: ClaimReference,
  dialect: Dialect,
  indexed: readonly string[] = [],
): readonly ClaimSource[] {
  return [{ path, members: [] }, ...parents].map((parent) => ({
    isPresent: dialect.hasMember(document, parent.path),
    value: dialect.json(document, [parent.path, ...parent.members], indexed.includes(path)),
  }));
}

function inDocument(
  layout: DocumentsLayout,
  dialect: Dialect,
  person: string,
  claim: ClaimReference,
  test: Test,
): Fragment {
  return inFirst(sourcesIn(columnOf(person, layout.claims), claim, dialect, layout.indexed), test);
}

function inColumns(
  layout: ColumnsLayout,
  dialect: Dialect,
  person: string,
  claim: ClaimReference,
  test: Test,
  claims: ParseOptions['claims'],
): Fragment {
  const paths = [{ path: claim.path, members: [] }, ...claim.parents];
  assertReadable(claim, layout, claims);
  const sources = paths.flatMap(({ path, members }): ClaimSource[] => {
    const column = Object.hasOwn(layout.columns, path) ? layout.columns[path] : undefined;
    if (column === undefined) return [];
    const name = columnOf(person, column.column);
    const isPresent = sql`${name} IS NOT NULL`;
    if (column.type === 'json') return [{ isPresent, value: dialect.json(name, members) }];
    // A column of another type never holds an object, so the longer path is undefined.
    const value = members.length === 0 ? toColumnValue(name, column.type, dialect) : undefined;
    return [{ isPresent, value }];
  });
  return inFirst(sources, test);
}

/** @throws {UnsupportedConstruct} `layout`, where no column can contain the claim, and it is not listed as undefined. */
function assertReadable(
  { path, parents }: ClaimReference,
  { columns, undefinedClaims }: ColumnsLayout,
  claims: ParseOptions['claims'],
): void {
  const typeOf = (one: string) => (Object.hasOwn(columns, one) ? columns[one]?.type : undefined);
  // Only JSON has members.
  if (typeOf(path) !== undefined || parents.some((parent) => typeOf(parent.path) === 'json')) return;
  assertStored(path, Object.keys(columns), undefinedClaims, 'The layout has no column', claims);
}

/** Selects the credential that attests the claim, among active ones: the one issued last, then the smallest id (L10, L11). */
function inCredentials(
  { people, credentials }: CredentialsLayout,
  dialect: Dialect,
  person: string,
  now: number,
  claim: ClaimReference,
  test: Test,
): Fragment {
  const column = (name: string) => columnOf('k', name);
  const at = dialect.integer(now);
  const isActive = [
    sql`${column(credentials.issuedAt)} <= ${at}`,
    ...[credentials.expiresAt, credentials.revokedAt].map(
      (end) => sql`(${column(end)} IS NULL OR ${column(end)} > ${at})`,
    ),
  ];
  const sources = sourcesIn(verbatim('c.claims'), claim, dialect);
  // A credential with the claim itself precedes those with a parent claim.
  const ranks = sources
    .slice(0, -1)
    .map(({ isPresent }, rank) => sql`WHEN ${isPresent} THEN ${verbatim(String(rank))}`);
  const order = [
    ...(ranks.length === 0 ? [] : [sql`CASE ${list(ranks, ' ')} ELSE ${verbatim(String(ranks.length))} END`]),
    verbatim('c.issued DESC'),
    dialect.codeUnitOrder(verbatim('c.id')),
  ];
  const columns = sql`${dialect.asJson(column(credentials.claims))} AS claims, ${column(credentials.issuedAt)} AS issued, ${column(credentials.id)} AS id`;
  const rows = sql`SELECT ${columns} FROM ${quoteTable(credentials.table)} AS k WHERE ${allOf([sql`${column(credentials.person)} = ${columnOf(person, people.id)}`, ...isActive])}`;
  const hasAny = anyOf(sources.map(({ isPresent }) => isPresent));
  return sql`(SELECT ${inFirst(sources, test)} FROM (${dialect.once(rows)}) AS c WHERE ${hasAny} ORDER BY ${list(order)} LIMIT 1)`;
}

/** One row per claim: selects the row with the longest path that may contain the claim. */
function inRows({ people, claims }: ClaimsLayout, dialect: Dialect, person: string): ClaimReader {
  const column = (name: string) => columnOf('c', name);
  const ofPerson = sql`${column(claims.person)} = ${columnOf(person, people.id)}`;
  const where = (path: string, test: Test): Fragment => {
    const { parents } = toClaimReference(path);
    const sources = [{ path, members: [] }, ...parents];
    const valueAt = (members: readonly string[]) =>
      dialect.json(dialect.asJson(column(claims.value)), members);
    const text = (one: string) => verbatim(quotePath(one));
    if (parents.length === 0) {
      const passes = allOf([ofPerson, sql`${column(claims.path)} = ${text(path)}`, test(valueAt([]))]);
      return sql`EXISTS (SELECT 1 FROM ${quoteTable(claims.table)} AS c WHERE ${passes})`;
    }
    const cases = sources.map((one) => sql`WHEN ${text(one.path)} THEN ${test(valueAt(one.members))}`);
    const among = list(sources.map((one) => text(one.path)));
    return sql`(SELECT CASE ${column(claims.path)} ${list(cases, ' ')} END FROM ${quoteTable(claims.table)} AS c WHERE ${ofPerson} AND ${column(claims.path)} IN (${among}) ORDER BY length(${column(claims.path)}) DESC LIMIT 1)`;
  };
  return negating(where);
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const FIRST_YEAR = '0001';
const FIRST_DATE = '0001-01-01';

/** The conditions that a column type supports; all others are false. */
type SupportedConditions = Partial<Omit<SqlValue, 'isDefined' | 'isAmong'>>;

/** Returns the value of a column that is not JSON. */
function toColumnValue(column: Fragment, type: Exclude<ColumnType, 'json'>, dialect: Dialect): SqlValue {
  const isDefined = sql`${column} IS NOT NULL`;
  const isEqual = EQUALS[type](column, dialect);
  const isNumeric = type === 'integer' || type === 'number' || type === 'boolean';
  const whereTyped = (condition: Fragment) =>
    isNumeric ? whereNumber(column, condition, dialect) : condition;
  return {
    isDefined,
    equals: (operand) => whereTyped(isEqual(operand)),
    isAmong: (operands) => {
      if (type !== 'text') return whereTyped(anyOf(operands.map(isEqual)));
      const strings = operands.filter((operand) => typeof operand === 'string');
      if (strings.length === 0) return FALSE;
      return dialect.texts.isAmong(dialect.textColumn(column), strings);
    },
    contains: () => FALSE,
    orders: () => FALSE,
    ordersInTime: () => FALSE,
    startsWith: () => FALSE,
    matches: () => FALSE,
    ...CONDITIONS[type](column, dialect),
  };
}

type By<Result> = Readonly<
  Record<Exclude<ColumnType, 'json'>, (column: Fragment, dialect: Dialect) => Result>
>;

const EQUALS: By<SqlValue['equals']> = {
  integer: (column, dialect) => (operand) =>
    typeof operand === 'number' && Number.isSafeInteger(operand)
      ? sql`${column} = ${dialect.integer(operand)}`
      : FALSE,
  number: (column, dialect) => (operand) =>
    typeof operand === 'number' ? sql`${column} = ${dialect.double(operand)}` : FALSE,
  text: (column, dialect) => (operand) =>
    typeof operand === 'string' ? sql`${dialect.textColumn(column)} = ${dialect.texts.text(operand)}` : FALSE,
  boolean: (column, dialect) => (operand) =>
    typeof operand === 'boolean' ? sql`${column} = ${dialect.boolean(operand)}` : FALSE,
  date: (column, dialect) => {
    const { dates } = dialect;
    if (dates === undefined) return EQUALS.text(column, dialect);
    return (operand) => {
      const isDate = typeof operand === 'string' && DATE.test(operand) && parseInstant(operand) !== undefined;
      return isDate && operand >= FIRST_YEAR
        ? dates.ofType(column, sql`${column} = ${dates.literal(operand)}`)
        : FALSE;
    };
  },
  timestamptz: (column, dialect) => (operand) => {
    const timestamps = timestampsOf(dialect);
    const instant = typeof operand === 'string' ? parseInstant(operand) : undefined;
    if (instant === undefined) return FALSE;
    if (!isRepresentable(instant) || formatInstant(instant) !== operand) {
      const message = `A column of type \`timestamptz\` equals only strings in UTC with milliseconds, such as \`2026-01-31T09:30:00.000Z\` (got \`${operand}\`). Use this form, or \`>=\` and \`<=\`.`;
      throw new UnsupportedConstruct('operand', message);
    }
    const isSame = (['>=', '<='] as const).map((ordering) =>
      comparesTimestamp(column, ordering, instant, timestamps),
    );
    return timestamps.ofType(column, allOf(isSame));
  },
};

const CONDITIONS: By<SupportedConditions> = {
  integer: (column, dialect) => ({
    orders: (ordering, operand) =>
      whereNumber(column, ordersInteger(column, ordering, operand, dialect), dialect),
  }),
  number: (column, dialect) => ({
    orders: (ordering, operand) =>
      whereNumber(column, sql`${column} ${verbatim(ordering)} ${dialect.double(operand)}`, dialect),
  }),
  text: (column, dialect) => stringConditions(dialect.textColumn(column), dialect),
  boolean: () => ({}),
  date: (column, dialect) => {
    const { dates } = dialect;
    // A text column may contain strings that are not dates, for which the engine's comparison fails.
    if (dates === undefined) return CONDITIONS.text(column, dialect);
    return {
      ...textOf(column, dates, dialect),
      ordersInTime: (ordering, instant) => dates.ofType(column, ordersDate(column, ordering, instant, dates)),
    };
  },
  timestamptz: (column, dialect) => {
    const timestamps = timestampsOf(dialect);
    return {
      ...textOf(column, timestamps, dialect),
      ordersInTime: (ordering, instant) =>
        timestamps.ofType(column, comparesTimestamp(column, ordering, instant, timestamps)),
    };
  },
};

/** Returns the conditions on the text of a date or of an instant. */
function textOf(column: Fragment, columns: TimeColumns, { texts }: Dialect): SupportedConditions {
  const text = columns.text(column);
  return {
    startsWith: (beginning) => columns.ofType(column, texts.startsWith(text, beginning)),
    matches: (pattern) => columns.ofType(column, texts.matches(text, pattern)),
  };
}

/** @throws {UnsupportedConstruct} `layout`, where the database has no such columns. */
function timestampsOf({ timestamps }: Dialect): TimeColumns {
  if (timestamps !== undefined) return timestamps;
  const message =
    'SQLite has no columns of type `timestamptz`. RFC 3339 texts, such as `2026-01-31T09:30:00.000Z`, must be declared as `text`.';
  throw new UnsupportedConstruct('layout', message);
}

function stringConditions(text: Fragment, { texts }: Dialect): SupportedConditions {
  return {
    ordersInTime: (ordering, instant) => ordersInTime(text, ordering, instant, texts),
    startsWith: (beginning) => texts.startsWith(text, beginning),
    matches: (pattern) => texts.matches(text, pattern),
  };
}

function whereNumber(column: Fragment, condition: Fragment, { isNumber }: Dialect): Fragment {
  return isNumber === undefined ? condition : allOf([condition, isNumber(column)]);
}

/** A comparison with a fraction equals one with the adjacent integer. */
function ordersInteger(column: Fragment, ordering: Ordering, operand: number, dialect: Dialect): Fragment {
  const whole = ordering === '>=' || ordering === '<' ? Math.ceil(operand) : Math.floor(operand);
  if (Number.isSafeInteger(whole)) return sql`${column} ${verbatim(ordering)} ${dialect.integer(whole)}`;
  const isBelow = operand < 0;
  const passes = ordering === '>' || ordering === '>=' ? isBelow : !isBelow;
  return passes ? sql`${column} IS NOT NULL` : FALSE;
}

/** Returns whether an instant is in the years 1 to 9999. */
function isRepresentable(instant: number): boolean {
  return instant >= FIRST_MIDNIGHT && instant <= LAST_INSTANT;
}

/** Compares with whole milliseconds, to which the engine truncates: `>` starts, and `<=` ends, at the next millisecond. */
function comparesTimestamp(
  column: Fragment,
  ordering: Ordering,
  instant: number,
  timestamps: TimeColumns,
): Fragment {
  const isLater = ordering === '>' || ordering === '>=';
  const bound = ordering === '>' || ordering === '<=' ? instant + 1 : instant;
  const always = sql`${column} IS NOT NULL`;
  if (bound <= FIRST_MIDNIGHT) return isLater ? always : FALSE;
  if (bound > LAST_INSTANT) return isLater ? FALSE : always;
  return sql`${column} ${verbatim(isLater ? '>=' : '<')} ${timestamps.literal(formatInstant(bound))}`;
}

function ordersDate(column: Fragment, ordering: Ordering, instant: number, dates: TimeColumns): Fragment {
  const bound = dateBound(ordering, instant);
  const isLater = ordering === '>' || ordering === '>=';
  const always = sql`${column} IS NOT NULL`;
  if (bound === 'before_all' || (bound !== 'after_all' && bound.date < FIRST_DATE))
    return isLater ? always : FALSE;
  if (bound === 'after_all') return isLater ? FALSE : always;
  return sql`${column} ${verbatim(ordering)} ${dates.literal(bound.date)}`;
}
