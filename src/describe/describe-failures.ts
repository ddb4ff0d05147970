/** Describes failing checks in sentences for the person whose claims they read (L14, L19). */
import {
  type Catalogue,
  type CheckOutcome,
  type CheckResult,
  DEFAULT_CLAIMS,
  type FailingCheck,
  isClaimPath,
  OPERATOR_NAMES,
} from '../engine/index.js';
import { assertOptions } from '../engine/options.js';
import { assertArray, assertObject, wrongType } from '../engine/value-types.js';
import { isPlainObject } from '../util/is-plain-object.js';
import { ClaimNames, claimsOf } from './claim-names.js';
import { ClauseWriter } from './clause-writer.js';
import { DESCRIPTION_OPTIONS, type Language, type LanguageOptions, toLanguage } from './language.js';
import { capitalize, formatMessage, type MessageArguments } from './message-formatter.js';
import type { Messages } from './messages.js';
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
 * Alternatives, of which one would suffice, are one sentence: `You must be 18 or older, or your tier must be “gold”.`
 *
 * @param outcome - What `check` of a compiled query returned.
 * @returns One sentence per requirement, in document order, without repetitions; none where the policy passed.
 * @throws {RangeError} When `locale` is not a BCP 47 tag, there are no messages for it, or a message is invalid.
 * @throws {TypeError} When an argument has another type, or a message is missing or unknown.
 * @example
 * const policy = compile({ check: { claim: 'identity.age', operator: '>=', value: 18 } });
 * describeFailures(policy.check(ClaimSet.of({ 'identity.age': 17 }))) // ['You must be 18 or older.']
 */
export function describeFailures(
  outcome: CheckOutcome,
  options: DescribeFailuresOptions = {},
): readonly string[] {
  assertOutcome(outcome);
  assertOptions(options, DESCRIPTION_OPTIONS);
  const { catalogue = { claims: DEFAULT_CLAIMS } } = options;
  const claims = claimsOf(catalogue);
  const language = toLanguage(options);
  const requirements = toRequirements(outcome.failing, 0);
  const paths = outcome.failing.map(({ claim }) => claim);
  return new FailureWriter(new ClaimNames(claims, language, paths), language).sentences(requirements);
}

/** What a person would have to meet: a check, or one of several alternatives. */
type Requirement =
  | { readonly kind: 'check'; readonly result: CheckResult }
  | { readonly kind: 'oneOf'; readonly alternatives: readonly (readonly Requirement[])[] };

/** @param depth - The number of alternatives around the requirements. */
function toRequirements(failing: readonly unknown[], depth: number): readonly Requirement[] {
  const requirements = new Map<unknown, { kind: 'check'; result: CheckResult } | Map<string, unknown[]>>();
  for (const result of failing) {
    assertCheckResult(result);
    const alternative = result.alternatives?.[depth];
    if (alternative === undefined) {
      requirements.set(result, { kind: 'check', result });
      continue;
    }
    const group = alternative.slice(0, alternative.lastIndexOf('/'));
    const found = requirements.get(group);
    const alternatives = found instanceof Map ? found : new Map<string, unknown[]>();
    requirements.set(group, alternatives);
    alternatives.set(alternative, [...(alternatives.get(alternative) ?? []), result]);
  }
  return [...requirements.values()].map((one) =>
    one instanceof Map
      ? { kind: 'oneOf', alternatives: [...one.values()].map((checks) => toRequirements(checks, depth + 1)) }
      : one,
  );
}

class FailureWriter {
  readonly #names: ClaimNames;
  readonly #language: Language;
  readonly #clauses: ClauseWriter;

  constructor(names: ClaimNames, language: Language) {
    this.#names = names;
    this.#language = language;
    this.#clauses = new ClauseWriter(names, new ValueFormatter(names, language), language);
  }

  sentences(requirements: readonly Requirement[]): readonly string[] {
    const texts = requirements.map((one) =>
      one.kind === 'check' ? this.#check(one.result, false) : this.#oneOf(one.alternatives),
    );
    return [...new Set(texts)].map((text) => capitalize(this.#format('sentence', { text }), this.#language));
  }

  #oneOf(alternatives: readonly (readonly Requirement[])[]): string {
    const isOnly = alternatives.length === 1;
    return this.#join(
      'or',
      alternatives.map((all) => this.#allOf(all, isOnly)),
    );
  }

  /** Writes one alternative. Parentheses keep the combinations apart. */
  #allOf(requirements: readonly Requirement[], isOnlyAlternative: boolean): string {
    const isOnly = requirements.length === 1;
    const texts = requirements.map((one) => {
      if (one.kind === 'check') return this.#check(one.result, true);
      const text = this.#oneOf(one.alternatives);
      return isOnly ? text : this.#format('group', { text });
    });
    const text = this.#join('and', texts);
    return isOnly || isOnlyAlternative ? text : this.#format('group', { text });
  }

  #join(combinator: 'and' | 'or', texts: readonly string[]): string {
    return [...new Set(texts)].reduce((first, second) => this.#format(combinator, { first, second }));
  }

  /** @param isAlternative - Whether the person may meet another check instead. */
  #check(
    { claim, operator, expectedValue, actualValue, passed }: CheckResult,
    isAlternative: boolean,
  ): string {
    // A check that passed is negated in the policy, which fails for that reason.
    const isMissing = actualValue === undefined && !passed;
    if (isMissing && !isAlternative) return this.#format('notDefined', { claim: this.#names.label(claim) });
    const text = this.#clauses.clause({ claim, operator, value: expectedValue }, passed, 'must');
    return isMissing && operator !== 'isDefined' ? this.#format('orNotDefined', { text }) : text;
  }

  #format(name: keyof Messages['failures'], values: MessageArguments): string {
    const { messages, locale } = this.#language;
    return formatMessage(`failures.${name}`, messages.failures[name], locale, values);
  }
}

/** @throws {TypeError} For anything but the outcome of `check`. */
function assertOutcome(outcome: unknown): asserts outcome is CheckOutcome {
  const required = 'the outcome that `check` of a compiled query returns';
  if (!isPlainObject(outcome)) throw wrongType('`outcome`', required, outcome);
  if ('evidence' in outcome) throw new TypeError(`\`outcome\` must be ${required}, not that of \`evaluate\``);
  assertArray('`failing` of the outcome', outcome['failing']);
}

/** @throws {TypeError} For anything but the result of a check. */
function assertCheckResult(result: unknown): asserts result is CheckResult & Partial<FailingCheck> {
  assertObject('each of `failing`', result);
  const { claim, operator, expectedValue, passed, alternatives = [] } = result as Partial<FailingCheck>;
  const isResult =
    typeof claim === 'string' &&
    isClaimPath(claim) &&
    OPERATOR_NAMES.some((name) => name === operator) &&
    expectedValue !== undefined &&
    typeof passed === 'boolean' &&
    Array.isArray(alternatives) &&
    alternatives.every((pointer) => typeof pointer === 'string');
  if (!isResult) throw wrongType('each of `failing`', 'the result of a check', result);
}
