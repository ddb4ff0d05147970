/** Describes failing checks in sentences for the person whose claims they read, from a table of messages (L14, L19). */
import {
  type Catalogue,
  type CheckOutcome,
  type CheckResult,
  DEFAULT_CLAIMS,
  isClaimPath,
  type JsonValue,
  OPERATOR_NAMES,
  type OperatorName,
  parseInstant,
} from '../engine/index.js';
import { assertOptions } from '../engine/options.js';
import { assertArray, assertObject, wrongType } from '../engine/value-types.js';
import {
  type CheckMessages,
  type ClaimMessages,
  ENGLISH_MESSAGES,
  type FailureMessages,
} from './failure-messages.js';

/** Options of {@link describeFailures}. */
export interface DescribeFailuresOptions {
  /** The claims and their labels (`displayName`). Defaults to the default catalogue. */
  readonly catalogue?: Pick<Catalogue, 'claims'>;
  /** Defaults to {@link ENGLISH_MESSAGES}. */
  readonly messages?: FailureMessages;
}

/**
 * Describes why a policy did not pass, in sentences for the person. The sentences show the operands of the failing
 * checks, so a policy whose operands are confidential needs messages without `{expected}`.
 *
 * Under `anyOf`, all alternatives have failed, and each is described: the person need not meet all of them.
 *
 * @param outcome - What `check` of a compiled query returned.
 * @returns One sentence per failing check, in document order, without repetitions; none where the policy passed.
 * @throws {TypeError} When an argument has another type, or a message is missing.
 * @throws {RangeError} When a message has an unknown placeholder, or `locale` or a format is invalid.
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
  assertOptions(options, ['catalogue', 'messages']);
  const { catalogue = { claims: DEFAULT_CLAIMS }, messages = ENGLISH_MESSAGES } = options;
  assertObject('`catalogue`', catalogue);
  assertArray('`claims` of the catalogue', catalogue.claims);
  assertObject('`messages`', messages);
  const writer = new FailureWriter(catalogue.claims, messages);
  return [...new Set(outcome.failing.map((result) => writer.sentence(result)))];
}

class FailureWriter {
  readonly #claims: Catalogue['claims'];
  readonly #messages: FailureMessages;

  constructor(claims: Catalogue['claims'], messages: FailureMessages) {
    this.#claims = claims;
    this.#messages = messages;
  }

  sentence(result: CheckResult): string {
    assertCheckResult(result);
    const { claim, actualValue } = result;
    return fill(this.#template(result), {
      claim: this.#label(claim),
      expected: this.#operand(result),
      actual: actualValue === undefined ? '' : this.#format(actualValue, claim),
    });
  }

  /** A prefix or a pattern is shown as it is: it may look like a date. */
  #operand({ claim, operator, expectedValue }: CheckResult): string {
    return typeof expectedValue === 'string' && (operator === 'startsWith' || operator === 'matchRegex')
      ? this.#text(expectedValue)
      : this.#format(expectedValue, claim, isMembership(operator));
  }

  #template({ claim, operator, expectedValue, actualValue, passed }: CheckResult): string {
    const own = this.#messagesOf(claim);
    if (actualValue === undefined && operator !== 'isDefined')
      return own.notDefined ?? this.#messages.notDefined;
    const kind = passed ? 'negated' : 'unmet';
    const name = withSingleEntry(operator, expectedValue);
    const general: Partial<Record<OperatorName, CheckMessages>> = isDate(expectedValue)
      ? { ...this.#messages.operators, ...this.#messages.dates }
      : this.#messages.operators;
    const template = own.operators?.[name]?.[kind] ?? general[name]?.[kind];
    if (typeof template !== 'string')
      throw wrongType(`\`${kind}\` of \`${name}\` in \`messages\``, 'a string', template);
    return template;
  }

  #label(claim: string): string {
    const displayName = () => this.#claims.find(({ path }) => path === claim)?.displayName;
    return this.#messagesOf(claim).label ?? displayName() ?? lastName(claim);
  }

  #messagesOf(claim: string): ClaimMessages {
    return own(this.#messages.claims, claim) ?? {};
  }

  /** Formats a value of a claim, or an element of one. */
  #format(value: JsonValue, claim: string, isAlternatives = false): string {
    const { locale, formats } = this.#messages;
    if (Array.isArray(value)) {
      if (value.length === 0) return formats.emptyList;
      const list = new Intl.ListFormat(locale, isAlternatives ? formats.alternatives : formats.list);
      return list.format(value.map((entry: JsonValue) => this.#format(entry, claim)));
    }
    if (typeof value === 'object' && value !== null) return JSON.stringify(value);
    return this.#valueName(value, claim) ?? this.#formatPrimitive(value);
  }

  /** The name of a value in `values` of its claim. */
  #valueName(value: string | number | boolean | null, claim: string): string | undefined {
    const { values } = this.#messagesOf(claim);
    if (values !== 'country') return values && own(values, String(value));
    // `DisplayNames` throws for anything but the form of a code.
    if (typeof value !== 'string' || !/^[A-Z]{2}$/.test(value)) return undefined;
    return new Intl.DisplayNames(this.#messages.locale, { type: 'region' }).of(value);
  }

  #formatPrimitive(value: string | number | boolean | null): string {
    const { locale, formats } = this.#messages;
    if (value === null) return formats.null;
    if (typeof value === 'boolean') return value ? formats.true : formats.false;
    if (typeof value === 'number') return new Intl.NumberFormat(locale, formats.number).format(value);
    const instant = parseInstant(value);
    if (instant === undefined) return this.#text(value);
    const options = value.includes(':') ? formats.dateTime : { ...formats.date, timeZone: 'UTC' };
    return new Intl.DateTimeFormat(locale, options).format(instant);
  }

  #text(text: string): string {
    return fill(this.#messages.formats.text, { text });
  }
}

/** Returns the operator to describe: `in` and `notIn` with one entry are `==` and `!=`. */
function withSingleEntry(operator: OperatorName, expected: JsonValue): OperatorName {
  if (!isMembership(operator) || !Array.isArray(expected) || expected.length !== 1) return operator;
  return operator === 'in' ? '==' : '!=';
}

function isMembership(operator: OperatorName): boolean {
  return operator === 'in' || operator === 'notIn';
}

function isDate(value: JsonValue): boolean {
  return typeof value === 'string' && parseInstant(value) !== undefined;
}

/** Returns the last name of a path as words: `date of birth` for `identity.date_of_birth`. */
function lastName(claim: string): string {
  return claim.slice(claim.lastIndexOf('.') + 1).replaceAll('_', ' ');
}

/** Returns a member of a table, and none of its prototype's. */
function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Replaces the placeholders of a template. @throws {RangeError} For an unknown one. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = own(values, name);
    if (value !== undefined) return value;
    const known = Object.keys(values).map((each) => `{${each}}`);
    throw new RangeError(`placeholders of a message must be among ${known.join(', ')} (got ${placeholder})`);
  });
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
