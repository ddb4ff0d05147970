/** Describes what the answer to a query discloses about a person, and what it does not, in the person's language. */
import {
  type Catalogue,
  DEFAULT_CLAIMS,
  type Projection,
  parse,
  type Query,
  type QueryLimits,
} from '../engine/index.js';
import { assertOptions } from '../engine/options.js';
import { checksOf } from '../engine/query/query.js';
import { omitUndefined } from '../util/omit-undefined.js';
import { ClaimNames, claimsOf } from './claim-names.js';
import { ClauseWriter } from './clause-writer.js';
import { findHiddenClaims } from './hidden-claims.js';
import { DESCRIPTION_OPTIONS, type Language, type LanguageOptions, toLanguage } from './language.js';
import { capitalize, formatMessage, type MessageArguments } from './message-formatter.js';
import type { Messages } from './messages.js';
import { type QuestionNode, toQuestionTree } from './question-tree.js';
import type { Direction } from './quote.js';
import { ValueFormatter } from './value-formatter.js';

/** Options of {@link describeQuery}. */
export interface DescribeQueryOptions extends LanguageOptions {
  /**
   * The claims, with their names and types. Defaults to the default catalogue. The query is not checked against it; an
   * engine's `parse` does so.
   */
  readonly catalogue?: Pick<Catalogue, 'claims'>;
  /** Changes to the default limits of queries (L7): a query that was accepted under other limits needs the same. */
  readonly limits?: Partial<QueryLimits>;
}

/** A sentence, or the introduction of a list. */
export interface DescribedItem {
  readonly text: string;
  /** JSON Pointer to the part of the canonical query that the text describes. */
  readonly pointer: string;
  /** The list; empty for a sentence. */
  readonly items: readonly DescribedItem[];
}

/** The description of a query, in one language. */
export interface QueryDescription {
  /** The tag by which values are formatted: the `lang` attribute of the texts. */
  readonly locale: string;
  readonly direction: Direction;
  /** `question`: the answer is yes or no. `values`: the answer contains the values themselves. */
  readonly kind: 'question' | 'values';
  readonly learned: DescribedItem;
  /** Claims of the same categories that the answer does not disclose, the nearest first. */
  readonly notLearned: readonly NotLearnedClaim[];
  /** The sentence that names the first claims of `notLearned`; empty if `notLearned` is. */
  readonly notLearnedText: string;
}

/** A claim that an answer does not disclose. */
export interface NotLearnedClaim {
  readonly claim: string;
  readonly text: string;
}

/** Maximum number of hidden claims that the sentence names. */
const MAX_NAMED = 4;

/** Maximum number of checks in one sentence; more, or nested ones, are a list. */
const MAX_IN_SENTENCE = 3;

/**
 * Describes a query: what the answer to it discloses about the person, and what it does not.
 *
 * The text is complete: no two queries with different results have the same text if the catalogue lists their claims. The
 * name of any other claim is the last segment of its path. Patterns and other operands are quoted as they are. Patterns are
 * not validated, since none is matched.
 *
 * @param query - A query in any form that `parse` accepts.
 * @throws {QueryError} When the query is invalid.
 * @throws {RangeError} When `locale` is not a BCP 47 tag, there are no messages for it, a message is invalid, or a limit is out of range.
 * @throws {TypeError} When an option has another type, or a message is missing or unknown.
 * @example
 * const query = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
 * describeQuery(query).learned.text // 'Whether you are 18 or older.'
 * describeQuery(query, { locale: 'de' }).learned.text // 'Ob Sie 18 Jahre oder älter sind.'
 */
export function describeQuery(query: unknown, options: DescribeQueryOptions = {}): QueryDescription {
  return toWriter(query, options).describe();
}

function toWriter(query: unknown, options: DescribeQueryOptions): QueryWriter {
  assertOptions(options, [...DESCRIPTION_OPTIONS, 'limits']);
  const { catalogue = { claims: DEFAULT_CLAIMS }, limits } = options;
  const claims = claimsOf(catalogue);
  const language = toLanguage(options);
  return new QueryWriter(parse(query, omitUndefined({ limits })), claims, language);
}

/** What is known about a person, in one language. */
export interface FactsDescription extends Pick<QueryDescription, 'locale' | 'direction'> {
  /** Statements that are all true. */
  readonly facts: readonly DescribedItem[];
}

/**
 * Describes a check or a policy that is known to pass, as statements. Throws as {@link describeQuery} does.
 *
 * @throws {TypeError} For projections, which have no outcome.
 * @example
 * describeFacts({ check: { claim: 'identity.age', operator: '>=', value: 18 } }).facts[0].text // 'you are 18 or older'
 */
export function describeFacts(query: unknown, options: DescribeQueryOptions = {}): FactsDescription {
  return toWriter(query, options).describeFacts();
}

class QueryWriter {
  readonly #query: Query;
  readonly #claims: Catalogue['claims'];
  readonly #language: Language;
  readonly #names: ClaimNames;
  readonly #values: ValueFormatter;
  readonly #clauses: ClauseWriter;

  constructor(query: Query, claims: Catalogue['claims'], language: Language) {
    this.#query = query;
    this.#claims = claims;
    this.#language = language;
    this.#names = new ClaimNames(claims, language, pathsOf(query));
    this.#values = new ValueFormatter(this.#names, language);
    this.#clauses = new ClauseWriter(this.#names, this.#values, language);
  }

  describe(): QueryDescription {
    const { locale, direction } = this.#language;
    const notLearned = this.#notLearned();
    return {
      locale,
      direction,
      ...('projections' in this.#query
        ? { kind: 'values', learned: this.#disclosure(this.#query.projections) }
        : { kind: 'question', learned: this.#question(toQuestionTree(this.#query)) }),
      notLearned,
      notLearnedText: this.#notLearnedText(notLearned.map(({ text }) => text)),
    };
  }

  describeFacts(): FactsDescription {
    if ('projections' in this.#query)
      throw new TypeError('facts require a check or a policy, not projections');
    const { locale, direction } = this.#language;
    const node = toQuestionTree(this.#query);
    const nodes = node.kind === 'all' ? node.items : [node];
    return { locale, direction, facts: nodes.map((each) => this.#item(each)) };
  }

  #question(node: QuestionNode): DescribedItem {
    const { pointer } = node;
    if (node.kind === 'check')
      return sentence(this.#format('question', 'whether', { clause: this.#clause(node) }), pointer);
    const clause = this.#inOneSentence(node);
    if (clause !== undefined) return sentence(this.#format('question', 'whether', { clause }), pointer);
    const text = this.#format('question', 'whetherList', { clause: this.#format('question', node.kind) });
    return { text, pointer, items: node.items.map((item) => this.#item(item)) };
  }

  #item(node: QuestionNode): DescribedItem {
    const { pointer } = node;
    if (node.kind === 'check')
      return sentence(this.#format('question', 'item', { clause: this.#clause(node) }), pointer);
    const text = this.#format('question', 'itemList', { clause: this.#format('question', node.kind) });
    return { text, pointer, items: node.items.map((item) => this.#item(item)) };
  }

  /** Joins a few checks; `undefined` where a list is easier to read. */
  #inOneSentence({ kind, items }: Exclude<QuestionNode, { readonly kind: 'check' }>): string | undefined {
    if ((kind !== 'all' && kind !== 'any') || items.length > MAX_IN_SENTENCE) return undefined;
    const clauses = items.flatMap((item) => (item.kind === 'check' ? [this.#clause(item)] : []));
    if (clauses.length < items.length) return undefined;
    return clauses.reduce((first, second) =>
      this.#format('question', kind === 'all' ? 'and' : 'or', { first, second }),
    );
  }

  /** Writes a check. A negated check also holds if the claim is not defined (L14). */
  #clause({ check, negated }: Extract<QuestionNode, { readonly kind: 'check' }>): string {
    const clause = this.#clauses.clause(check, negated, 'is');
    return negated && check.operator !== 'isDefined'
      ? this.#format('question', 'orUnknown', { clause })
      : clause;
  }

  #disclosure(projections: readonly Projection[]): DescribedItem {
    const items = projections.map((projection, index) => ({
      text: this.#projection(projection),
      pointer: `/projections/${index}`,
      items: [],
    }));
    const [only, second] = items;
    if (only !== undefined && second === undefined) {
      const text = this.#format('disclosure', 'value', { value: only.text });
      return sentence(capitalize(text, this.#language), only.pointer);
    }
    const text = this.#format('disclosure', 'values', { count: items.length });
    return { text, pointer: '/projections', items };
  }

  #projection(projection: Projection): string {
    const claim = this.#names.label(projection.claim);
    switch (projection.lens) {
      case 'pluck':
        return claim;
      case 'pick': {
        if (projection.fields === undefined) return this.#format('disclosure', 'allFields', { claim });
        const fields = this.#values.list(projection.fields.map((field) => this.#values.text(field)));
        return this.#format('disclosure', 'fields', { claim, fields, count: projection.fields.length });
      }
      case 'at': {
        const { index } = projection;
        return index >= 0
          ? this.#format('disclosure', 'element', { claim, position: index + 1 })
          : this.#format('disclosure', 'elementFromEnd', { claim, position: -index });
      }
    }
  }

  #notLearned(): readonly NotLearnedClaim[] {
    return findHiddenClaims(this.#query, this.#claims).map(({ path, isPartlyLearned }) => {
      const label = this.#names.label(path);
      const text = isPartlyLearned ? this.#format('notLearned', 'itself', { claim: label }) : label;
      return { claim: path, text };
    });
  }

  #notLearnedText(texts: readonly string[]): string {
    if (texts.length === 0) return '';
    const named = texts
      .slice(0, MAX_NAMED)
      .reduce((first, second) => this.#format('notLearned', 'join', { first, second }));
    const count = texts.length - MAX_NAMED;
    const items = count > 0 ? this.#format('notLearned', 'more', { items: named, count }) : named;
    return this.#format('notLearned', 'sentence', { items });
  }

  #format<Part extends 'question' | 'disclosure' | 'notLearned'>(
    part: Part,
    name: keyof Messages[Part] & string,
    values?: MessageArguments,
  ): string {
    const { messages, locale } = this.#language;
    return formatMessage(`${part}.${name}`, messages[part][name], locale, values);
  }
}

function sentence(text: string, pointer: string): DescribedItem {
  return { text, pointer, items: [] };
}

function pathsOf(query: Query): readonly string[] {
  return ('projections' in query ? query.projections : checksOf(query)).map(({ claim }) => claim);
}
