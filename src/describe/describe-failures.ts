/** Describes failing checks in sentences for the person whose claims they read (L14, L19). */
import {
  type Catalogue,
  type CheckOutcome,
  type CheckResult,
  DEFAULT_CLAIMS,
  isClaimPath,
  OPERATOR_NAMES,
} from '../engine/index.js';
import { assertOptions } from '../engine/options.js';
import { assertArray, assertObject, wrongType } from '../engine/value-types.js';
import { ClaimNames } from './claim-names.js';
import { ClauseWriter } from './clause-writer.js';
import { DESCRIPTION_OPTIONS, type Language, type LanguageOptions, toLanguage } from './language.js';
import { capitalize, formatMessage } from './message-formatter.js';
import { ValueFormatter } from './value-formatter.js';

/** Options of {@link describeFailures}. */
export interface DescribeFailuresOptions extends LanguageOptions {
  /** The claims, with their names and types. Defaults to the default catalogue. */
  readonly catalogue?: Pick<Catalogue, 'claims'>;
}

/**
 * Describes why a policy did not pass, in sentences for the person. The sentences show the operands of the failing
 * checks, except for patterns: a policy whose operands are confidential needs messages without `{value}`.
 *
 * Under `anyOf`, all alternatives have failed, and each is described: the person need not meet all of them.
 *
 * @param outcome - What `check` of a compiled query returned.
 * @returns One sentence per failing check, in document order, without repetitions; none where the policy passed.
 * @throws {RangeError} When there are no messages for `locale`, or a message is invalid.
 * @throws {TypeError} When an argument has another type, or a message is missing.
 * @example
 * const policy = compile({ check: { claim: 'identity.age', operator: '>=', value: 18 } });
 * describeFailures(policy.check(ClaimSet.of({ 'identity.age': 17 }))) // ['You must be 18 or older.']
 */
export function describeFailures(
  outcome: CheckOutcome,
  options: DescribeFailuresOptions = {},
): readonly string[] {
  assertObject('`outcome`', outcome);
  assertArray('`failing` of the outcome', outcome.failing);
  assertOptions(options, DESCRIPTION_OPTIONS);
  const { catalogue = { claims: DEFAULT_CLAIMS } } = options;
  assertObject('`catalogue`', catalogue);
  assertArray('`claims` of the catalogue', catalogue.claims);
  const language = toLanguage(options);
  const names = new ClaimNames(catalogue.claims, language);
  const clauses = new ClauseWriter(names, new ValueFormatter(names, language), language);
  return [...new Set(outcome.failing.map((result) => failureOf(result, names, clauses, language)))];
}

function failureOf(result: unknown, names: ClaimNames, clauses: ClauseWriter, language: Language): string {
  assertCheckResult(result);
  const { claim, operator, expectedValue, actualValue, passed } = result;
  const { failures } = language.messages;
  // A check that passed fails the policy by its negation.
  const isMissing = actualValue === undefined && !passed;
  const text = isMissing
    ? formatMessage('failures.notDefined', failures.notDefined, language.locale, {
        claim: names.label(claim),
      })
    : clauses.clause({ claim, operator, value: expectedValue }, passed, 'must');
  const sentence = formatMessage('failures.sentence', failures.sentence, language.locale, { text });
  return capitalize(sentence, language);
}

/** @throws {TypeError} For anything but the result of a check. */
function assertCheckResult(result: unknown): asserts result is CheckResult {
  assertObject('each of `failing`', result);
  const { claim, operator, expectedValue, passed } = result as Partial<CheckResult>;
  const isResult =
    typeof claim === 'string' &&
    isClaimPath(claim) &&
    OPERATOR_NAMES.some((name) => name === operator) &&
    expectedValue !== undefined &&
    typeof passed === 'boolean';
  if (!isResult) throw wrongType('each of `failing`', 'the result of a check', result);
}
