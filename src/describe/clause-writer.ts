/** Writes a check, or its negation, as a clause. */
import { fitsClaimType } from '../engine/claims/claim-type.js';
import type { Check, JsonValue, OperatorName } from '../engine/index.js';
import type { ClaimNames } from './claim-names.js';
import type { Language } from './language.js';
import { formatMessage } from './message-formatter.js';
import type { PhraseName } from './messages.js';
import { isDateString, type ValueFormatter } from './value-formatter.js';

/** The phrase of each operator, and of its opposite on a defined claim. */
const PHRASES: Readonly<Record<OperatorName, readonly [passed: PhraseName, failed: PhraseName]>> = {
  '==': ['is', 'isNot'],
  '!=': ['isNot', 'is'],
  '>': ['more', 'atMost'],
  '>=': ['atLeast', 'less'],
  '<': ['less', 'atLeast'],
  '<=': ['atMost', 'more'],
  in: ['is', 'isNot'],
  notIn: ['isNot', 'is'],
  contains: ['includes', 'includesNot'],
  startsWith: ['startsWith', 'startsWithNot'],
  matchRegex: ['matches', 'matchesNot'],
  isDefined: ['known', 'unknown'],
};

/** The phrases of time, by the phrases of numbers that they replace. */
const PHRASES_OF_TIME: Readonly<Partial<Record<PhraseName, PhraseName>>> = {
  more: 'after',
  atLeast: 'notBefore',
  less: 'before',
  atMost: 'notAfter',
};

/** The phrases of a boolean whose values have no names, by the phrases that they replace: “is recorded as yes” in place of “is yes”. */
const PHRASES_OF_FLAGS: Readonly<Partial<Record<PhraseName, PhraseName>>> = {
  is: 'recorded',
  isNot: 'notRecorded',
};

/** A clause as part of a question, or as a requirement. */
export type ClauseForm = 'is' | 'must';

/** Writes clauses in one language. */
export class ClauseWriter {
  readonly #names: ClaimNames;
  readonly #values: ValueFormatter;
  readonly #language: Language;

  constructor(names: ClaimNames, values: ValueFormatter, language: Language) {
    this.#names = names;
    this.#values = values;
    this.#language = language;
  }

  /** Writes what a check requires; the opposite, if it is negated. */
  clause({ claim, operator, value }: Check, negated: boolean, form: ClauseForm): string {
    const general = phraseOf(operator, value, negated);
    const ownPhrasesFit = this.#ownPhrasesFit(claim, operator, value);
    const phrase = (this.#isUnnamedFlag(claim, value) ? PHRASES_OF_FLAGS[general] : undefined) ?? general;
    // The claim's own phrase for `general` is preferred to the language's phrase for a flag.
    const used = this.#names.phrase(claim, phrase) === undefined ? general : phrase;
    const own = ownPhrasesFit ? this.#names.phrase(claim, used) : undefined;
    // `formatMessage` puts backticks around the name, so only the inner ones are written here: `phrases.x` of `claim`.
    const name = own === undefined ? `phrases.${phrase}` : `phrases.${used}\` of \`${claim}`;
    return formatMessage(name, own ?? this.#language.messages.phrases[phrase], this.#language.locale, {
      claim: this.#names.label(claim),
      value: value === undefined ? '' : this.#operand(claim, operator, value),
      number: typeof value === 'number' ? value : 0,
      form,
    });
  }

  #operand(path: string, operator: OperatorName, value: JsonValue): string {
    const claim = this.#names.find(path);
    switch (operator) {
      case '>':
      case '>=':
      case '<':
      case '<=':
        return this.#values.bound(value, claim);
      case 'in':
      case 'notIn':
        return Array.isArray(value)
          ? this.#values.alternatives(value, claim)
          : this.#values.value(value, claim);
      case 'startsWith':
      case 'matchRegex':
        return this.#values.text(String(value));
      case '==':
      case '!=':
        return this.#values.value(value, claim);
      case 'contains':
      case 'isDefined':
        return this.#values.value(value, undefined);
    }
  }

  /** Returns whether a value is a boolean that the claim has no name for. */
  #isUnnamedFlag(path: string, value: JsonValue | undefined): boolean {
    if (typeof value !== 'boolean') return false;
    const claim = this.#names.find(path);
    return (
      claim === undefined || !fitsClaimType(value, claim) || this.#names.valueName(claim, value) === undefined
    );
  }

  /** Returns whether the claim's own phrases fit the operand. */
  #ownPhrasesFit(path: string, operator: OperatorName, value: JsonValue | undefined): boolean {
    const claim = this.#names.find(path);
    if (claim === undefined || value === undefined) return true;
    if (operator === 'startsWith' || operator === 'matchRegex' || operator === 'contains') return true;
    const entries = Array.isArray(value) && (operator === 'in' || operator === 'notIn') ? value : [value];
    return entries.length > 0 && entries.every((entry: JsonValue) => fitsClaimType(entry, claim));
  }
}

function phraseOf(operator: OperatorName, value: JsonValue | undefined, negated: boolean): PhraseName {
  const phrase = PHRASES[operator][negated ? 1 : 0];
  return (isDateString(value) ? PHRASES_OF_TIME[phrase] : undefined) ?? phrase;
}
