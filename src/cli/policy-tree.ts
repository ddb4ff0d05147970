/** A policy as a tree of lines: each item with how it came out, each check with what was expected and what was found. */
import { styleText } from 'node:util';
import type { CheckResult, Evidence, JsonValue, PolicyItem } from '../index.js';

/** How lines are coloured; not at all where nobody looks. */
export type Paint = (colour: 'green' | 'red' | 'gray', text: string) => string;

const MAX_VALUE_CODE_UNITS = 60;

/** Colours for a terminal that has them, by the conventions of `NO_COLOR` and `FORCE_COLOR`. */
export function paintFor(stream: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv): Paint {
  const forced = environment['FORCE_COLOR'];
  const isPlain = (environment['NO_COLOR'] ?? '') !== '';
  const isColoured = forced === undefined ? stream.isTTY === true && !isPlain : forced !== '0';
  return isColoured ? (colour, text) => styleText(colour, text) : (_colour, text) => text;
}

/** The lines of a policy's tree. */
export function policyTree(item: PolicyItem, evidence: Evidence, paint: Paint): readonly string[] {
  const results = [...evidence.checkResults];
  return branch(item, results, paint).lines;
}

/** A value as text, shortened where it is long. */
export function shown(value: JsonValue | undefined): string {
  if (value === undefined) return 'not defined';
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE_CODE_UNITS ? text : `${text.slice(0, MAX_VALUE_CODE_UNITS - 1)}…`;
}

interface Branch {
  readonly lines: readonly string[];
  readonly passed: boolean;
}

/** Takes the item's checks from the front of the results, which stand in document order (L21). */
function branch(item: PolicyItem, results: CheckResult[], paint: Paint): Branch {
  if ('check' in item) {
    const result = results.shift() as CheckResult;
    return { lines: [checkLine(result, paint)], passed: result.passed };
  }
  const { policy } = item;
  if ('not' in policy) {
    const inner = branch(policy.not, results, paint);
    return { lines: [heading('not', !inner.passed, paint), ...under([inner])], passed: !inner.passed };
  }
  const isAll = 'allOf' in policy;
  const inner = (isAll ? policy.allOf : policy.anyOf).map((one) => branch(one, results, paint));
  const passed = isAll ? inner.every((one) => one.passed) : inner.some((one) => one.passed);
  return { lines: [heading(isAll ? 'all of' : 'any of', passed, paint), ...under(inner)], passed };
}

function heading(text: string, passed: boolean, paint: Paint): string {
  return `${mark(passed, paint)} ${text}`;
}

function checkLine(
  { claim, operator, expectedValue, actualValue, passed }: CheckResult,
  paint: Paint,
): string {
  const expected = operator === 'isDefined' ? '' : ` ${shown(expectedValue)}`;
  const found = paint(actualValue === undefined ? 'gray' : passed ? 'green' : 'red', shown(actualValue));
  return `${mark(passed, paint)} ${claim} ${operator}${expected}   ${paint('gray', '←')} ${found}`;
}

function mark(passed: boolean, paint: Paint): string {
  return passed ? paint('green', '✓') : paint('red', '✗');
}

function under(branches: readonly Branch[]): readonly string[] {
  return branches.flatMap(({ lines: [first = '', ...rest] }, index) => {
    const isLast = index === branches.length - 1;
    return [`${isLast ? '└─' : '├─'} ${first}`, ...rest.map((line) => `${isLast ? '  ' : '│ '} ${line}`)];
  });
}
