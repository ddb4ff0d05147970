/** Translation of policies to one condition: `not` is moved down to the checks, since a negated unknown is unknown in SQL (L14–L19). */
import {
  type Check,
  type JsonArray,
  type JsonValue,
  type OperatorName,
  type PolicyItem,
  parseInstant,
} from '../engine/index.js';
import { foldItem } from '../engine/query/query.js';
import type { Ordering, SqlValue } from './dialects/dialect.js';
import { type SqlProblem, UnsupportedConstruct } from './errors.js';
import { allOf, anyOf, type Fragment, isNot, TRUE } from './fragment.js';
import type { ClaimReader } from './layouts/read-claims.js';

/** The result of a translation. */
export interface Translation {
  /** True for people who satisfy the policy. Where checks were omitted, true for everyone who might. */
  readonly condition: Fragment;
  /** Why checks were omitted; empty where the condition is exact. */
  readonly problems: readonly SqlProblem[];
}

/** Throws an {@link UnsupportedConstruct} for a check that cannot be translated. */
export type CheckAssertion = (check: Check) => void;

/**
 * Translates a policy, and omits the checks that cannot be translated.
 *
 * @param assertTranslatable - Called with each check.
 */
export function translate(
  item: PolicyItem,
  reader: ClaimReader,
  assertTranslatable: CheckAssertion,
): Translation {
  const problems: SqlProblem[] = [];
  const checkAt = (check: Check, negated: boolean, pointer: string): Fragment => {
    try {
      assertTranslatable(check);
      assertStorable(check.value);
      const test = (value: Parameters<typeof toCondition>[1]) => toCondition(check, value);
      return negated ? reader.whereNot(check.claim, test) : reader.where(check.claim, test);
    } catch (error) {
      if (!(error instanceof UnsupportedConstruct)) throw error;
      problems.push({ code: error.code, pointer: `${pointer}/check`, message: error.message });
      return TRUE;
    }
  };
  const condition = foldItem(item, { check: checkAt, all: allOf, any: anyOf });
  return { condition, problems };
}

/** The translation of an operator. Parsing has checked the operand's type. */
type OperatorTranslation = (value: SqlValue, operand: Check['value']) => Fragment;

const OPERATOR_TRANSLATIONS: Readonly<Record<OperatorName, OperatorTranslation>> = {
  '==': (value, operand = null) => value.equals(operand),
  // A check of an undefined claim fails (L14).
  '!=': (value, operand = null) => allOf([value.isDefined, isNot(value.equals(operand))]),
  '>': ordering('>'),
  '>=': ordering('>='),
  '<': ordering('<'),
  '<=': ordering('<='),
  in: (value, operand) => value.isAmong(operand as JsonArray),
  notIn: (value, operand) => allOf([value.isDefined, isNot(value.isAmong(operand as JsonArray))]),
  contains: (value, operand = null) => value.contains(operand),
  startsWith: (value, operand) => value.startsWith(operand as string),
  matchRegex: (value, operand) => value.matches(operand as string),
  isDefined: (value) => value.isDefined,
};

/** Returns the condition under which a value passes a check; false or unknown where it fails. */
function toCondition({ operator, value: operand }: Check, value: SqlValue): Fragment {
  return OPERATOR_TRANSLATIONS[operator](value, operand);
}

function ordering(name: Ordering): OperatorTranslation {
  return (value, operand) => {
    if (typeof operand === 'number') return value.orders(name, operand);
    return value.ordersInTime(name, parseInstant(operand as string) ?? Number.NaN);
  };
}

/** @throws {UnsupportedConstruct} `operand`, where a string in it contains U+0000 or a lone surrogate. */
export function assertStorable(operand: JsonValue | undefined): void {
  if (typeof operand === 'string') assertText(operand);
  if (typeof operand !== 'object' || operand === null) return;
  if (!Array.isArray(operand)) for (const name of Object.keys(operand)) assertText(name);
  for (const inner of Object.values(operand) as readonly JsonValue[]) assertStorable(inner);
}

function assertText(text: string): void {
  if (!text.includes('\0') && text.isWellFormed()) return;
  const message =
    'Strings in operands must be well-formed and must not contain U+0000: databases cannot store other strings.';
  throw new UnsupportedConstruct('operand', message);
}
