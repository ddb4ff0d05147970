/** The messages of descriptions: the table of one language, as plain data in ICU MessageFormat. */

/** The kinds of clauses about a claim. */
export const PHRASE_NAMES = [
  'is',
  'isNot',
  'recorded',
  'notRecorded',
  'more',
  'atLeast',
  'less',
  'atMost',
  'after',
  'notBefore',
  'before',
  'notAfter',
  'includes',
  'includesNot',
  'startsWith',
  'startsWithNot',
  'matches',
  'matchesNot',
  'known',
  'unknown',
] as const;

export type PhraseName = (typeof PHRASE_NAMES)[number];

/** The messages of one claim, which take precedence over the general ones. */
export interface ClaimMessages {
  /**
   * The name of the claim with its possessive: `your nationality`. The `texts` of the claim in the catalogue take
   * precedence; the default is one of `labels`.
   */
  readonly label?: string;
  /**
   * The names of values of the claim's type, by the value as text. The `texts` of the claim in the catalogue take
   * precedence.
   */
  readonly values?: Readonly<Record<string, string>>;
  /** Phrases for operands of the claim's type. */
  readonly phrases?: Readonly<Partial<Record<PhraseName, string>>>;
}

/**
 * The messages of one language in ICU MessageFormat. Plain data: copy an entry of {@link MESSAGES} to change it, or
 * translate it for another language.
 *
 * A phrase is a clause that fits `question.whether`. Its arguments: `claim`, the label; `value`, the formatted operand;
 * `number`, the operand where it is a number, for plurals; `form`, which is `must` in the sentences of
 * `describeFailures`, and `is` otherwise. `recorded` and `notRecorded` replace `is` and `isNot` for a
 * boolean operand that has no name among the `values` of the claim.
 */
export interface Messages {
  readonly values: {
    readonly true: string;
    readonly false: string;
    readonly null: string;
    /** The operand of `in` and `notIn` without entries. */
    readonly noValues: string;
    /** A string that has no name; the argument is `text`. */
    readonly text: string;
    /** An instant; the arguments are `date` and `time`, in UTC. */
    readonly instant: string;
  };
  readonly labels: {
    /** A claim that has only a `name`, without a possessive. */
    readonly named: string;
    /** A claim of type `boolean` that has only the last `name` of its path. */
    readonly flag: string;
    /** A `member` of the `parent` claim's object. */
    readonly member: string;
    /** A `label` that several claims have, with the claim's `path`. */
    readonly shared: string;
  };
  readonly phrases: Readonly<Record<PhraseName, string>>;
  readonly question: {
    /** The sentence for a `clause`. */
    readonly whether: string;
    /** The introduction of a list; the `clause` is `all`, `any`, `notAll` or `none`. */
    readonly whetherList: string;
    /** An entry of a list. */
    readonly item: string;
    /** An entry of a list that has a list itself. */
    readonly itemList: string;
    /** Two clauses, `first` and `second`. */
    readonly and: string;
    readonly or: string;
    readonly all: string;
    readonly any: string;
    readonly notAll: string;
    readonly none: string;
    /** A `clause` that also holds for an undefined claim. */
    readonly orUnknown: string;
  };
  readonly disclosure: {
    /** The sentence for the only `value`. */
    readonly value: string;
    /** The introduction of a list; `count` is the number of values. */
    readonly values: string;
    /** The named members of an object: `claim`, `fields` as a list, and their `count`. */
    readonly fields: string;
    readonly allFields: string;
    /** The element at a `position` that starts at 1. */
    readonly element: string;
    readonly elementFromEnd: string;
  };
  readonly notLearned: {
    /** The sentence for `items`. */
    readonly sentence: string;
    /** Two items, `first` and `second`. */
    readonly join: string;
    /** The `items` that are named, and the `count` of the others. */
    readonly more: string;
    /** The exact value of a claim about which the answer discloses something. */
    readonly itself: string;
  };
  readonly failures: {
    /** The sentence for a phrase, `text`. */
    readonly sentence: string;
    /** The `claim` is not defined. */
    readonly notDefined: string;
    /** A phrase, `text`, of an alternative whose claim is not defined. */
    readonly orNotDefined: string;
    /** Two phrases, `first` and `second`. */
    readonly and: string;
    /** Two alternatives, `first` and `second`. */
    readonly or: string;
    /** `text` in parentheses: the joined phrases of one alternative, or joined alternatives among several phrases. */
    readonly group: string;
  };
  /** Messages by claim path. */
  readonly claims: Readonly<Record<string, ClaimMessages>>;
}
