/**
 * Policies as formulas of SMT-LIB 2.6, written from the query language’s specification (L12–L19): claims are variables, checks are
 * formulas, and nothing is shared with the analysis.
 */
import type { Check, JsonObject, JsonValue, PolicyItem } from '../../../src/index.js';
import { isArray, isObject, readInstant, sorted } from '../../../src/testing/reference-values.js';
import { DATE_CHARACTERS, dateForm } from './calendar.js';
import { Alphabet, isHighSurrogate, pairsOf } from './character-sets.js';
import { characterSetsOf, literalOf, oneOf, type PatternTree, sequenceOf, toSearch } from './pattern-tree.js';

/** A question's formulas, and how claims are written as values of its variables. */
export interface Translation {
  /** Defines one function per policy, `p0`, `p1` …, of the variables. */
  readonly policies: readonly string[];
  /** Declares the variables, and asserts what all claims have in common. */
  readonly anyClaims: readonly string[];
  /** The names of the variables. */
  readonly variables: readonly string[];
  /** Returns the variables' values for some claims. */
  readonly valuesOf: (claims: Claims) => readonly string[];
  /** Whether the formulas admit claims that do not exist: then `sat` proves nothing. */
  readonly isApproximate: boolean;
}

/** Claims of one credential, by path. */
export type Claims = Readonly<Record<string, JsonValue>>;

/** The variables of one claim path, by number. */
interface ClaimVariables {
  readonly path: string;
  readonly index: number;
  /** The index of the path without its last segment, if that is a variable too (L13). */
  readonly parent: number | undefined;
}

/** The kinds of claims, as integers: faster than an SMT data type. */
const KINDS = ['undefined', 'isNull', 'isTrue', 'isFalse', 'number', 'text', 'list', 'object'];

/** Declares what all questions share. */
export const PREAMBLE: readonly string[] = [
  '(set-logic ALL)',
  ...KINDS.map((kind, index) => `(define-fun ${kind} () Int ${index})`),
];

/** The instants of RFC 3339, with the largest offset: the years 0000 to 9999. */
const OFFSET_MS = (23 * 60 + 59) * 60_000;
// `Date.UTC` takes the years 0 to 99 as 1900 to 1999.
const FIRST_INSTANT = Date.UTC(-1, 11, 31) + 86_400_000 - OFFSET_MS;
const LAST_INSTANT = Date.UTC(10_000, 0, 1) - 1 + OFFSET_MS;

/** Translates policies that are asked about together. @param trees - The trees of all patterns, by their text. */
export function translate(
  items: readonly PolicyItem[],
  trees: ReadonlyMap<string, PatternTree>,
): Translation {
  return new Translator(items.flatMap(checksOf), trees).translate(items);
}

class Translator {
  readonly #checks: readonly Check[];
  readonly #trees: ReadonlyMap<string, PatternTree>;
  readonly #variables: readonly ClaimVariables[];
  readonly #alphabet: Alphabet;
  readonly #anything: string;
  readonly #values: JsonValue[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #objects: readonly JsonObject[];
  readonly #strings: readonly string[];

  constructor(checks: readonly Check[], trees: ReadonlyMap<string, PatternTree>) {
    this.#checks = checks;
    this.#trees = trees;
    this.#variables = variablesOf([...new Set(checks.map(({ claim }) => claim))]);
    const values = checks.flatMap(({ value }) => (value === undefined ? [] : valuesIn(value)));
    this.#objects = distinct(values.filter(isObject));
    this.#strings = distinct(values.filter((value) => typeof value === 'string'));
    const prefixes = checks
      .filter(({ operator }) => operator === 'startsWith')
      .map(({ value }) => String(value));
    const pairs = prefixes.flatMap((text) => {
      const last = [...text].at(-1)?.codePointAt(0) ?? 0;
      return isHighSurrogate(last) ? [pairsOf(last)] : [];
    });
    const patterns = checks.filter(({ operator }) => operator === 'matchRegex');
    const sets = patterns.flatMap(({ value }) => characterSetsOf(this.#treeOf(value)));
    this.#alphabet = new Alphabet([...sets, ...pairs], [...this.#strings, DATE_CHARACTERS]);
    this.#anything = `(re.* ${oneOf(this.#alphabet.all)})`;
  }

  translate(items: readonly PolicyItem[]): Translation {
    const sorts = this.#variables.flatMap(({ index, parent }) => this.#sortsOf(index, parent));
    const parameters = sorts.map(([name, sort]) => `(${name} ${sort})`).join(' ');
    return {
      policies: items.map(
        (item, index) => `(define-fun p${index} (${parameters}) Bool ${this.#policy(item)})`,
      ),
      anyClaims: [
        ...sorts.map(([name, sort]) => `(declare-const ${name} ${sort})`),
        ...this.#variables.flatMap((variables) => this.#claim(variables)),
      ],
      variables: sorts.map(([name]) => name),
      isApproximate: this.#variables.some(
        ({ index, path }) =>
          this.#hasInstants(index) && this.#checks.some((check) => check.claim === path && isSearch(check)),
      ),
      valuesOf: (claims) => this.#variables.flatMap((variables) => this.#value(variables, claims)),
    };
  }

  #value({ index, path, parent }: ClaimVariables, claims: Claims): readonly string[] {
    const value = seenValue(path, claims);
    const instant = typeof value === 'string' ? readInstant(value) : undefined;
    const values: Readonly<Record<string, string>> = {
      [`k${index}`]: kindOf(value),
      [`a${index}`]: String(Object.hasOwn(claims, path)),
      [`n${index}`]: double(typeof value === 'number' ? value : 0),
      [`s${index}`]: this.#literal(typeof value === 'string' ? value : ''),
      [`l${index}`]: this.#list(value !== undefined && isArray(value) ? value : []),
      [`o${index}`]: String(value !== undefined && isObject(value) ? this.#numberOf(value) : 0),
      [`d${index}`]: String(instant !== undefined),
      [`t${index}`]: integer(instant ?? 0),
    };
    return this.#sortsOf(index, parent).map(([name]) => values[name] as string);
  }

  /** Returns the variables of a claim with their sorts: kind, whether it is attested, and its value as each kind. */
  #sortsOf(index: number, parent: number | undefined): readonly (readonly [name: string, sort: string])[] {
    return [
      [`k${index}`, 'Int'],
      ...(parent === undefined ? [] : [[`a${index}`, 'Bool'] as const]),
      [`n${index}`, 'Int'],
      [`s${index}`, 'String'],
      [`l${index}`, '(Seq Int)'],
      [`o${index}`, 'Int'],
      ...(this.#hasInstants(index)
        ? ([
            [`d${index}`, 'Bool'],
            [`t${index}`, 'Int'],
          ] as const)
        : []),
    ];
  }

  #hasInstants(index: number): boolean {
    return this.#checks.some(
      ({ claim, operator, value }) =>
        claim === this.#variables[index]?.path && COMPARISONS.includes(operator) && typeof value === 'string',
    );
  }

  #treeOf(pattern: JsonValue | undefined): PatternTree {
    const tree = this.#trees.get(String(pattern));
    if (tree === undefined) throw new TypeError(`no tree for the pattern ${String(pattern)}`);
    return tree;
  }

  /** Writes the formula of a policy (L19). */
  #policy(item: PolicyItem): string {
    if ('check' in item) return this.#check(item.check);
    const { policy } = item;
    if ('not' in policy) return `(not ${this.#policy(policy.not)})`;
    const [name, items] = 'allOf' in policy ? ['and', policy.allOf] : ['or', policy.anyOf];
    return `(${name} ${items.map((inner) => this.#policy(inner)).join(' ')})`;
  }

  #check({ claim, operator, value = true }: Check): string {
    const index = this.#variables.findIndex(({ path }) => path === claim);
    const isDefined = `(not (= k${index} undefined))`;
    switch (operator) {
      case 'isDefined':
        return isDefined;
      case '==':
        return this.#equals(index, value);
      case '!=':
        return `(and ${isDefined} (not ${this.#equals(index, value)}))`;
      case 'in':
        return this.#isIn(index, value);
      case 'notIn':
        return `(and ${isDefined} (not ${this.#isIn(index, value)}))`;
      case 'contains':
        return `(and (= k${index} list) (seq.contains l${index} (seq.unit ${this.#numberOf(value)})))`;
      case 'startsWith':
        return `(and (= k${index} text) ${this.#startsWith(index, String(value))})`;
      case 'matchRegex':
        return `(and (= k${index} text) (str.in_re s${index} ${toSearch(this.#treeOf(value), this.#alphabet)}))`;
      case '>':
      case '>=':
      case '<':
      case '<=':
        return typeof value === 'number'
          ? `(and (= k${index} number) (${operator} n${index} ${double(value)}))`
          : `(and (= k${index} text) d${index} (${operator} t${index} ${integer(instantOf(value))}))`;
    }
  }

  /** Writes an equality (L16). Objects and the elements of lists are numbered; equal values have the same number. */
  #equals(index: number, value: JsonValue): string {
    if (value === null) return `(= k${index} isNull)`;
    if (typeof value === 'boolean') return `(= k${index} ${value ? 'isTrue' : 'isFalse'})`;
    if (typeof value === 'number') return `(and (= k${index} number) (= n${index} ${double(value)}))`;
    if (typeof value === 'string') return `(and (= k${index} text) (= s${index} ${this.#literal(value)}))`;
    if (isArray(value)) return `(and (= k${index} list) (= l${index} ${this.#list(value)}))`;
    return `(and (= k${index} object) (= o${index} ${this.#numberOf(value)}))`;
  }

  #isIn(index: number, values: JsonValue): string {
    if (!isArray(values)) throw new TypeError('the operand of `in` is an array');
    if (values.length === 0) return 'false';
    return `(or false ${values.map((value) => this.#equals(index, value)).join(' ')})`;
  }

  /** Compares by code unit (L18): a prefix that ends with a high surrogate is also a prefix of each of its surrogate pairs. */
  #startsWith(index: number, prefix: string): string {
    const symbols = this.#alphabet.encode(prefix);
    const last = [...prefix].at(-1)?.codePointAt(0) ?? 0;
    if (!isHighSurrogate(last)) return `(str.prefixof ${literalOf(symbols)} s${index})`;
    const endings = [...symbols.slice(-1), ...this.#alphabet.symbolsOf(pairsOf(last))];
    const start = `(str.to_re ${literalOf(symbols.slice(0, -1))})`;
    return `(str.in_re s${index} ${sequenceOf([start, oneOf(endings), this.#anything])})`;
  }

  #list(values: readonly JsonValue[]): string {
    const units = values.map((value) => `(seq.unit ${this.#numberOf(value)})`);
    if (units.length === 0) return '(as seq.empty (Seq Int))';
    return units.length === 1 ? (units[0] as string) : `(seq.++ ${units.join(' ')})`;
  }

  #numberOf(value: JsonValue): number {
    const key = JSON.stringify(sorted(value));
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#values.length);
    this.#values.push(value);
    return this.#values.length - 1;
  }

  #literal(text: string): string {
    return literalOf(this.#alphabet.encode(text));
  }

  #claim(variables: ClaimVariables): readonly string[] {
    const { index, path } = variables;
    const checks = this.#checks.filter(({ claim }) => claim === path);
    return [
      `(assert (and (<= 0 k${index}) (< k${index} ${KINDS.length})))`,
      // The values that a claim of another kind would have are fixed: no check reads them.
      `(assert (=> (not (= k${index} number)) (= n${index} ${double(0)})))`,
      `(assert (=> (not (= k${index} text)) (= s${index} "")))`,
      `(assert (=> (not (= k${index} list)) (= l${index} ${this.#list([])})))`,
      `(assert (=> (not (= k${index} object)) (= o${index} (- 1))))`,
      `(assert (and (<= ${double(-Number.MAX_VALUE)} n${index}) (<= n${index} ${double(Number.MAX_VALUE)})))`,
      ...this.#text(index, checks),
      ...this.#member(variables),
    ];
  }

  /** Asserts which characters a string can have, and which instant it represents. */
  #text(index: number, checks: readonly Check[]): readonly string[] {
    const isSearched = checks.some(isSearch);
    const { highSurrogates, lowSurrogates, distinguishesSurrogates } = this.#alphabet;
    const pair = sequenceOf([this.#anything, oneOf(highSurrogates), oneOf(lowSurrogates), this.#anything]);
    return [
      ...(isSearched ? [`(assert (str.in_re s${index} ${this.#anything}))`] : []),
      ...(isSearched && distinguishesSurrogates ? [`(assert (not (str.in_re s${index} ${pair})))`] : []),
      ...(this.#hasInstants(index) ? this.#instant(index, isSearched) : []),
    ];
  }

  /**
   * Asserts the instant of a string. A string that a check names has the instant that it represents. For all other strings, the range of instants
   * suffices, since infinitely many strings represent each instant, unless patterns or prefixes distinguish these strings.
   */
  #instant(index: number, isSearched: boolean): readonly string[] {
    const named = this.#strings.map((text) => {
      const instant = readInstant(text);
      const meaning =
        instant === undefined ? `(not d${index})` : `(and d${index} (= t${index} ${integer(instant)}))`;
      return `(assert (=> (= s${index} ${this.#literal(text)}) ${meaning}))`;
    });
    return [
      `(assert (and (<= ${integer(FIRST_INSTANT)} t${index}) (<= t${index} ${integer(LAST_INSTANT)})))`,
      ...named,
      ...(isSearched ? dateForm(index, this.#alphabet) : []),
    ];
  }

  /**
   * Asserts the value of a member (L13): a claim that no credential attests directly is a member of its parent claim, if that is an object; otherwise
   * it is undefined.
   */
  #member({ index, path, parent }: ClaimVariables): readonly string[] {
    if (parent === undefined) return [];
    const segment = path.slice(path.lastIndexOf('.') + 1);
    const members = this.#objects.map((object) => {
      const value = Object.hasOwn(object, segment) ? object[segment] : undefined;
      const meaning = value === undefined ? `(= k${index} undefined)` : this.#equals(index, value);
      return `(assert (=> (and (not a${index}) (= k${parent} object) (= o${parent} ${this.#numberOf(object)})) ${meaning}))`;
    });
    return [
      `(assert (=> a${index} (not (= k${index} undefined))))`,
      `(assert (=> (and (not a${index}) (not (= k${parent} object))) (= k${index} undefined)))`,
      ...members,
    ];
  }
}

const COMPARISONS: readonly string[] = ['>', '>=', '<', '<='];

/**
 * Returns variables for the paths that checks read, and for the paths between two of them: a claim attested in between hides the member of the
 * shorter one (L13).
 */
function variablesOf(read: readonly string[]): readonly ClaimVariables[] {
  const paths = new Set<string>();
  for (const path of read) {
    const above = prefixesOf(path);
    const highest = above.findIndex((prefix) => read.includes(prefix));
    for (const prefix of above.slice(highest)) paths.add(prefix);
  }
  const sortedPaths = [...paths].sort((a, b) => a.length - b.length);
  return sortedPaths.map((path, index) => {
    const parent = sortedPaths.indexOf(path.slice(0, path.lastIndexOf('.')));
    return { path, index, parent: parent < 0 ? undefined : parent };
  });
}

/** Returns the claim paths that lead to a path, and the path itself, shortest first. */
function prefixesOf(path: string): readonly string[] {
  const segments = path.split('.');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 2).join('.'));
}

function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'undefined';
  if (value === null) return 'isNull';
  if (typeof value === 'boolean') return value ? 'isTrue' : 'isFalse';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  return isArray(value) ? 'list' : 'object';
}

/** Returns the value that a check on a path sees (L13). */
function seenValue(path: string, claims: Claims): JsonValue | undefined {
  if (Object.hasOwn(claims, path)) return claims[path];
  const end = path.lastIndexOf('.');
  const [above, member] = [path.slice(0, end), path.slice(end + 1)];
  const parent = above.includes('.') ? seenValue(above, claims) : undefined;
  return parent !== undefined && isObject(parent) && Object.hasOwn(parent, member)
    ? parent[member]
    : undefined;
}

function checksOf(item: PolicyItem): readonly Check[] {
  if ('check' in item) return [item.check];
  const { policy } = item;
  if ('not' in policy) return checksOf(policy.not);
  return ('allOf' in policy ? policy.allOf : policy.anyOf).flatMap(checksOf);
}

/** Whether a check reads the characters of a string. */
function isSearch({ operator }: Check): boolean {
  return operator === 'startsWith' || operator === 'matchRegex';
}

/** Returns a value and all values in it. */
function valuesIn(value: JsonValue): readonly JsonValue[] {
  return typeof value === 'object' && value !== null
    ? [value, ...Object.values(value).flatMap(valuesIn)]
    : [value];
}

function distinct<Value extends JsonValue>(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(sorted(value)), value])).values()];
}

function instantOf(operand: JsonValue): number {
  const instant = readInstant(String(operand));
  if (instant === undefined) throw new TypeError('the operand is a number or a date');
  return instant;
}

/** Writes the rank of a double among all doubles: exact, whereas reals admit values between adjacent doubles. */
function double(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  return integer(value < 0 ? -view.getBigUint64(0) : view.getBigUint64(0));
}

/** Writes an integer: SMT-LIB has no negative numerals. */
function integer(value: number | bigint): string {
  return value < 0 ? `(- ${-value})` : String(value);
}
