/** Filters for Prisma: plain objects for `where`, with exactly the engine's result, or an error. */
import type { Check, JsonArray, JsonValue, ParseOptions } from '../engine/index.js';
import { assertName } from '../engine/names.js';
import { assertOptions } from '../engine/options.js';
import { foldItem } from '../engine/query/query.js';
import { assertObject, assertStrings, wrongType } from '../engine/value-types.js';
import { assertFitsColumn, RANGES, type TypedColumn } from './column-values.js';
import type { Ordering } from './dialects/dialect.js';
import { type SqlProblem, SqlTranslationError, UnsupportedConstruct } from './errors.js';
import { assertMembers } from './members.js';
import { parsePolicy } from './parse-policy.js';
import { assertStorable } from './policies.js';
import { assertStored } from './stored-claims.js';

/** A scalar field of a Prisma model. `integer` is `Int`, `number` is `Float`, `text` is `String`. */
export interface PrismaField {
  readonly field: string;
  readonly type: (typeof TYPES)[number];
  /** Whether the field is required: its type in the schema has no `?`. Prisma rejects a comparison of a required field with null. */
  readonly isRequired?: boolean;
}

export interface PrismaFilterOptions extends ParseOptions {
  readonly provider: 'postgresql' | 'sqlite';
  /** The fields by claim path. A claim whose field is null is undefined. */
  readonly fields: { readonly [path: string]: PrismaField };
  /**
   * Claims that no person has; each also covers its members. A query on any other claim without a field is rejected: a misspelled
   * claim would be undefined for everyone, so that its negation passes for everyone.
   */
  readonly undefinedClaims?: readonly string[];
}

/** A filter, to be passed as `where` to the methods of a model. */
export interface PrismaWhere {
  readonly [name: string]: unknown;
}

/** Prisma matches everything with an empty AND, and nothing with an empty OR. */
const ALL: PrismaWhere = Object.freeze({ AND: Object.freeze([]) });
const NONE: PrismaWhere = Object.freeze({ OR: Object.freeze([]) });

/** Prisma sends a double unchanged if it has at most this many significant digits. */
const MAX_DIGITS = 15;
/** The values of an `Int` field. */
const INT_RANGE = [-(2 ** 31), 2 ** 31 - 1] as const;

const FIELD_VALUES: Readonly<Record<PrismaField['type'], Pick<TypedColumn, 'values' | 'range'>>> = {
  integer: { values: 'integer', range: INT_RANGE },
  number: { values: 'number', range: RANGES.number },
  text: { values: 'string' },
  boolean: { values: 'boolean' },
};

/**
 * Translates a check or a policy to a filter for Prisma, on scalar fields of one model. Checks that Prisma's filters
 * cannot express exactly are rejected: patterns; instants; `startsWith` on SQLite, or with an operand that has a wildcard of `LIKE`; and operands of a
 * `Float` field with more than 15 significant digits.
 *
 * @param query - Raw JSON, or a query returned by `parse`.
 * @throws {QueryError} As `parse` does.
 * @throws {RangeError} When a limit is out of range or does not exist.
 * @throws {TypeError} When an option is unknown or invalid, such as `provider`, or a field is not a `PrismaField`.
 * @throws {SqlTranslationError} With every reason why a filter cannot express the query.
 * @example
 * const fields = { 'identity.age': { field: 'age', type: 'integer' } } as const;
 * prisma.person.findMany({ where: toPrismaWhere(query, { provider: 'postgresql', fields }) });
 */
export function toPrismaWhere(query: unknown, options: PrismaFilterOptions): PrismaWhere {
  assertPrismaOptions(options);
  const problems: SqlProblem[] = [];
  const where = foldItem<PrismaWhere>(parsePolicy(query, options), {
    check: (check, isNegated, pointer) => {
      try {
        assertStorable(check.value);
        return toFilter(check, isNegated, options);
      } catch (error) {
        if (!(error instanceof UnsupportedConstruct)) throw error;
        problems.push({ code: error.code, pointer: `${pointer}/check`, message: error.message });
        return ALL;
      }
    },
    all: (filters) => combine('AND', filters, NONE, ALL),
    any: (filters) => combine('OR', filters, ALL, NONE),
  });
  if (problems.length > 0) throw new SqlTranslationError(problems);
  return where;
}

const TYPES = ['integer', 'number', 'text', 'boolean'] as const;

const PRISMA_OPTIONS = ['provider', 'fields', 'undefinedClaims', 'limits', 'regex', 'claims'];

/** @throws {TypeError} When an option is unknown or invalid, such as `provider`, or a field is not a {@link PrismaField}. */
function assertPrismaOptions(options: PrismaFilterOptions): void {
  assertObject('`options`', options);
  assertOptions(options, PRISMA_OPTIONS);
  const { provider, fields, undefinedClaims = [] } = options as Partial<PrismaFilterOptions>;
  assertName('`provider`', ['postgresql', 'sqlite'], provider);
  assertStrings('`undefinedClaims`', undefinedClaims);
  assertObject('`fields`', fields);
  for (const [path, described] of Object.entries(fields ?? {})) {
    assertMembers(`the field of \`${path}\``, described, ['field', 'type', 'isRequired']);
    const { field, type, isRequired = false } = described as Partial<PrismaField>;
    if (typeof field !== 'string' || field === '')
      throw wrongType(`\`field\` of \`${path}\``, 'the name of a field', field);
    assertName(`\`type\` of \`${path}\``, TYPES, type);
    if (typeof isRequired !== 'boolean')
      throw wrongType(`\`isRequired\` of \`${path}\``, 'a boolean', isRequired);
  }
}

function combine(
  operator: 'AND' | 'OR',
  filters: readonly PrismaWhere[],
  deciding: PrismaWhere,
  neutral: PrismaWhere,
): PrismaWhere {
  if (filters.includes(deciding)) return deciding;
  const [only = neutral, ...more] = filters.filter((filter) => filter !== neutral);
  return more.length === 0 ? only : { [operator]: [only, ...more] };
}

/** A condition on a value that is not null: a condition of Prisma, or a boolean if the result is the same for every value. */
type Condition = boolean | Readonly<Record<string, unknown>>;

/** A condition and its negation, since Prisma does not negate a nested `not`. */
interface Choice {
  readonly passes: Condition;
  readonly fails: Condition;
}

const ALWAYS: Choice = { passes: true, fails: false };
const NEVER: Choice = { passes: false, fails: true };

function toFilter(check: Check, isNegated: boolean, options: PrismaFilterOptions): PrismaWhere {
  const { fields, provider, undefinedClaims } = options;
  const described = Object.hasOwn(fields, check.claim) ? fields[check.claim] : undefined;
  if (described === undefined) {
    assertStored(check.claim, Object.keys(fields), undefinedClaims, 'There is no field', options.claims);
    return isNegated ? ALL : NONE;
  }
  const { field, type, isRequired = false } = described;
  assertFitsColumn(check, { label: `The field \`${field}\``, type, ...FIELD_VALUES[type] }, options.claims);
  const { passes, fails } = toChoice(check, type, provider);
  const holds = isNegated ? fails : passes;
  const whereDefined = ((): PrismaWhere => {
    if (holds === false) return NONE;
    if (holds === true) return isRequired ? ALL : { [field]: { not: null } };
    return { [field]: holds };
  })();
  // A check of an undefined claim fails, so its negation passes.
  return isNegated && !isRequired
    ? combine('OR', [{ [field]: null }, whereDefined], ALL, NONE)
    : whereDefined;
}

function invert({ passes, fails }: Choice): Choice {
  return { passes: fails, fails: passes };
}

/** Converts a check whose operand fits the field. */
function toChoice(
  { operator, value }: Check,
  type: PrismaField['type'],
  provider: PrismaFilterOptions['provider'],
): Choice {
  assertPrecise(Array.isArray(value) ? value : [value], type);
  switch (operator) {
    case '==':
      return toEquality(value);
    case '!=':
      return invert(toEquality(value));
    case '>':
    case '>=':
    case '<':
    case '<=':
      return toOrder(operator, value, type);
    case 'in':
      return toMembership(value as JsonArray, type);
    case 'notIn':
      return invert(toMembership(value as JsonArray, type));
    case 'contains':
      // Only arrays contain values, and no field is an array.
      return NEVER;
    case 'startsWith':
      return toPrefix(value as string, provider);
    case 'matchRegex':
      throw new UnsupportedConstruct('filter', 'Prisma has no filter for patterns.');
    case 'isDefined':
      return ALWAYS;
  }
}

function toEquality(value: JsonValue | undefined): Choice {
  return { passes: { equals: value }, fails: { not: value } };
}

/** @throws {UnsupportedConstruct} `operand`, if an operand of a `Float` field has more than {@link MAX_DIGITS} significant digits: Prisma rounds it. */
function assertPrecise(operands: readonly (JsonValue | undefined)[], type: PrismaField['type']): void {
  const isImprecise = (operand: JsonValue | undefined) =>
    typeof operand === 'number' && Number(operand.toPrecision(MAX_DIGITS)) !== operand;
  if (type !== 'number' || !operands.some(isImprecise)) return;
  const message = `A number that is compared with a \`Float\` field must have at most ${MAX_DIGITS} significant digits: Prisma rounds others.`;
  throw new UnsupportedConstruct('operand', message);
}

const ORDERINGS: Readonly<Record<Ordering, { readonly name: string; readonly opposite: Ordering }>> = {
  '>': { name: 'gt', opposite: '<=' },
  '>=': { name: 'gte', opposite: '<' },
  '<': { name: 'lt', opposite: '>=' },
  '<=': { name: 'lte', opposite: '>' },
};

function toOrder(ordering: Ordering, operand: JsonValue | undefined, type: PrismaField['type']): Choice {
  if (typeof operand !== 'number')
    throw new UnsupportedConstruct('filter', 'Prisma has no filter that compares strings as dates.');
  const { name, opposite } = ORDERINGS[ordering];
  const compare = (bound: number): Choice => ({
    passes: { [name]: bound },
    fails: { [ORDERINGS[opposite].name]: bound },
  });
  if (type === 'number') return compare(operand);
  // A comparison with a fraction equals one with the adjacent integer.
  const whole = ordering === '>=' || ordering === '<' ? Math.ceil(operand) : Math.floor(operand);
  const [least, greatest] = INT_RANGE;
  // Every value passes if the bound is out of range: `assertFitsColumn` has rejected bounds with which no value passes.
  return whole >= least && whole <= greatest ? compare(whole) : ALWAYS;
}

function toMembership(operands: JsonArray, type: PrismaField['type']): Choice {
  if (operands.length === 0) return NEVER;
  // Prisma has no list filter for booleans.
  if (type === 'boolean') {
    const [only, other] = [...new Set(operands)];
    return other === undefined ? toEquality(only) : ALWAYS;
  }
  return { passes: { in: operands }, fails: { notIn: operands } };
}

function toPrefix(prefix: string, provider: PrismaFilterOptions['provider']): Choice {
  if (prefix === '') return ALWAYS;
  if (provider === 'sqlite') {
    const message = 'On SQLite, `startsWith` of Prisma ignores the case of letters.';
    throw new UnsupportedConstruct('filter', message);
  }
  if (/[%_\\]/.test(prefix)) {
    const message =
      '`startsWith` of Prisma treats `%`, `_` and `\\` as wildcards; the operand must not have one.';
    throw new UnsupportedConstruct('filter', message);
  }
  return { passes: { startsWith: prefix }, fails: { not: { startsWith: prefix } } };
}
