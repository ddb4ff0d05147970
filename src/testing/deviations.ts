/** Declared deviations: parts of the language that an implementation lacks. The comparison omits them. */
import { isJsonArray, isJsonObject, type JsonValue } from '../engine/claims/json-value.js';
import type { Expectation, ExpectedError, ExpectedProblem, JsonScenario, Outcome } from './vector.js';

/** The parts of the language that an implementation may declare as missing. */
export const DEVIATIONS = [
  'problems',
  'patterns',
  'pattern-limits',
  'did-you-mean',
  'lone-surrogates',
  'canonical',
] as const;

/** A part of the language that an implementation lacks. */
export type Deviation = (typeof DEVIATIONS)[number];

/** Limits whose counts include the contents of misspelled members, once their names are corrected. */
const COUNTED_LIMITS: readonly string[] = ['limit_checks', 'limit_pattern_work'];

const PATTERN_LIMITS: readonly string[] = ['limit_pattern_program', 'limit_pattern_work', 'limit_match_cost'];

type Request = Pick<JsonScenario, 'query' | 'credentials'>;

/** Whether a request belongs to a deviation, so that it is not sent. */
const SKIPPED: Readonly<Record<Deviation, (request: Request, expected: Expectation) => boolean>> = {
  problems: (_request, expected) => 'error' in expected && expected.error.code !== 'insufficient_scope',
  patterns: ({ query }) => hasString(query, (text) => text === 'matchRegex'),
  'pattern-limits': (_request, expected) => exceedsPatternLimit(expected),
  'lone-surrogates': ({ query, credentials }) =>
    [query, ...credentials.map(({ claims }) => claims)].some((value) =>
      hasString(value, (text) => !text.isWellFormed()),
    ),
  'did-you-mean': () => false,
  canonical: () => false,
};

/** Returns whether a request belongs to one of the deviations, so that it is not sent. */
export function isSkipped(
  request: Request,
  expected: Expectation,
  deviations: readonly Deviation[],
): boolean {
  return deviations.some((deviation) => SKIPPED[deviation](request, expected));
}

/** Returns whether an outcome is not compared: it reports a limit of patterns, and the implementation declares that it measures patterns differently. */
export function isIgnored(outcome: Outcome, deviations: readonly Deviation[]): boolean {
  return deviations.includes('pattern-limits') && exceedsPatternLimit(outcome);
}

/**
 * Removes the problems that are not compared from the expected error and from the error of the implementation. If
 * `did-you-mean` is declared and a member is unknown, these are all problems of its object and of the object's contents, except
 * `member_unknown` itself, and the limits that count the contents of unknown members.
 */
export function comparedProblems(
  expected: ExpectedError,
  error: ExpectedError,
  deviations: readonly Deviation[],
): readonly [ExpectedError, ExpectedError] {
  if (!deviations.includes('did-you-mean') || expected.problems === undefined) return [expected, error];
  const objects = expected.problems
    .filter(({ code }) => code === 'member_unknown')
    .map(({ pointer }) => parentOf(pointer));
  if (objects.length === 0) return [expected, error];
  const isCompared = ({ code, pointer }: ExpectedProblem): boolean =>
    !COUNTED_LIMITS.includes(code) &&
    objects.every(
      (object) =>
        (pointer !== object && !pointer.startsWith(`${object}/`)) ||
        (code === 'member_unknown' && parentOf(pointer) === object),
    );
  const compared = (one: ExpectedError) => ({ ...one, problems: (one.problems ?? []).filter(isCompared) });
  return [compared(expected), compared(error)];
}

function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

function exceedsPatternLimit(outcome: Expectation | Outcome): boolean {
  if (!('error' in outcome)) return false;
  const { problems = [] } = outcome.error;
  return problems.some((problem) => PATTERN_LIMITS.includes(problem.code));
}

/** Returns whether a string of a value, member names included, satisfies a condition. */
function hasString(value: JsonValue, holds: (text: string) => boolean): boolean {
  if (typeof value === 'string') return holds(value);
  if (isJsonArray(value)) return value.some((inner) => hasString(inner, holds));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, inner]) => holds(name) || hasString(inner, holds));
}
