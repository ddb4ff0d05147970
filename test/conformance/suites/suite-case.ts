/** A case of an outside suite as a check of the language, and how its outcome is compared. */
import { ClaimSet, type JsonValue, type PolicyItemInput, QueryError } from '../../../src/index.js';
import { compile } from '../../support/with-re2js.js';

/** The outcome of a check on a value: `rejected` if the query is invalid. */
export type Outcome = boolean | 'rejected';

/** A case that the language can express. */
export interface SuiteCase {
  readonly id: string;
  readonly item: PolicyItemInput;
  /** The value of the claim `a.b`; `undefined` if it is not defined. */
  readonly value: JsonValue | undefined;
  readonly expected: Outcome;
}

/** The cases of a suite, and the number of those that the language cannot express. */
export interface SuiteCases {
  readonly cases: readonly SuiteCase[];
  readonly unmapped: number;
}

/** A case with another outcome, and the decision that explains it. */
export interface Difference {
  readonly id: string;
  readonly text: string;
}

export const CLAIM = 'a.b';

const LIMITS = { patternProgram: 100_000, patternCodeUnits: 10_000 };

/** Compares a case. Returns `undefined` if the outcome is the expected one. */
export function compareCase(one: SuiteCase): Difference | undefined {
  const outcome = outcomeOf(one);
  if (outcome === one.expected) return undefined;
  const decision = decisionFor(one, outcome) ?? 'unexplained';
  return { id: one.id, text: `they ${String(one.expected)}, we ${String(outcome)}: ${decision}` };
}

function outcomeOf({ item, value }: SuiteCase): Outcome {
  try {
    const query = compile({ policy: { allOf: [item] } }, { limits: LIMITS });
    return query.test(ClaimSet.of(value === undefined ? {} : { [CLAIM]: value }));
  } catch (error) {
    if (error instanceof QueryError) return 'rejected';
    throw error;
  }
}

/** Returns the decision of the language that explains another outcome. */
function decisionFor({ item, value, expected }: SuiteCase, outcome: Outcome): string | undefined {
  const check = 'operator' in item ? item : undefined;
  if (value === undefined) return 'L14, a check on an undefined claim fails';
  if (check === undefined) {
    return typeof value === 'string' ? undefined : 'L15, a claim of another type fails the check';
  }
  const { operator, value: operand } = check;
  switch (operator) {
    case '>':
    case '>=':
    case '<':
    case '<=':
      if (outcome === 'rejected') return 'L17, only numbers and dates are ordered';
      if (typeof value !== 'number') return 'L15, a claim of another type fails the check';
      return undefined;
    case '==':
    case '!=':
    case 'in':
      if (outcome === 'rejected') return 'L18, `in` takes an array';
      return kindOf(value) === kindOf(operand) && operator !== 'in'
        ? undefined
        : 'L16, equality does not coerce';
    case 'matchRegex':
      if (typeof value !== 'string') return 'L15, a claim of another type fails the check';
      if (outcome === 'rejected') return 'L18, the pattern is not one of RE2';
      if (expected === 'rejected') return 'L18, the pattern is one of RE2';
      return asciiDifference(String(operand), value);
    default:
      return undefined;
  }
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/** Returns the decision that explains a difference, if the pattern has a class that RE2 defines for ASCII only, and the text has other characters. */
function asciiDifference(pattern: string, text: string): string | undefined {
  const hasClass = /\\[dDsSwWbB]|\[:/.test(pattern);
  const isAscii = [...text].every((one) => one < '\u{80}');
  return hasClass && !isAscii ? 'L18, `\\d`, `\\s`, `\\w` and `\\b` are ASCII-only' : undefined;
}
