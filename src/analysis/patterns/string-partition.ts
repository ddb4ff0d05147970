/** Partitions all strings by the prefixes, patterns and named strings that they match, and finds a shortest string of each class (L16, L18). */
import {
  ClaimSet,
  type CompileOptions,
  compile,
  type JsonValue,
  type RegexEngine,
} from '../../engine/index.js';
import {
  type Characters,
  has,
  LAST_CODE_POINT,
  NEWLINE,
  type Range,
  WORD,
} from '../../re2-syntax/characters.js';
import { type Pattern, parsePattern } from '../../re2-syntax/parse-pattern.js';
import { FOUND, type Neighbor, neighborOf, SearchAutomaton } from './automaton.js';
import { unicodeLookup } from './unicode-lookup.js';

/** The conditions that distinguish strings. */
export interface StringConditions {
  /** Strings that are compared for equality. */
  readonly equals: readonly string[];
  readonly prefixes: readonly string[];
  readonly patterns: readonly string[];
  /** Whether checks also compare instants. The partition is then complete only if all dates match the same prefixes and patterns. */
  readonly hasInstants: boolean;
}

export interface StringPartition {
  /** The named strings, and one for each class of the others. */
  readonly strings: readonly string[];
  /** Why a class may be missing; absent if every class has a string. */
  readonly incomplete?: string;
}

/** A state of the search: the state of each automaton, and the kind of the last character. */
interface SearchState {
  readonly text: string;
  readonly before: Neighbor;
  readonly states: readonly number[];
}

/** Number of states visited before the search stops. */
const MAX_STATES = 20_000;
/** Maximum number of automaton transitions per step of the limit. A visited state takes one for each automaton and each character of the alphabet. */
const TRANSITIONS_PER_STEP = 100;
const TOO_LARGE = 'the patterns and prefixes on one claim are too many or too large together';

/** The code units of surrogate pairs, which may also occur alone. */
const HIGH_SURROGATES: Range = [0xd800, 0xdbff];
const LOW_SURROGATES: Range = [0xdc00, 0xdfff];
const PAIRS_PER_HIGH_SURROGATE = 0x400;
const FIRST_PAIR = 0x1_0000;

/** Matches every RFC 3339 date and date-time (L17), and days and leap seconds that do not exist. */
const DATE =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([Tt]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d))?$';
const NO_REAL_DATE = '0000-02-31';

/**
 * Finds a string for each combination of outcomes of the conditions.
 *
 * @param steps - The limit on the steps of the analysis, which also bounds the work here.
 */
export function partitionStrings(
  conditions: StringConditions,
  options: CompileOptions,
  steps: number,
): StringPartition {
  const { equals, prefixes, patterns, hasInstants } = conditions;
  if (prefixes.length + patterns.length === 0) return { strings: [...equals, unusedString(equals)] };
  const most = steps * TRANSITIONS_PER_STEP;
  const named = new Set(equals.flatMap(codePointsOf));
  const texts = [...prefixes, ...patterns].join('');
  // The alphabet is found by comparing every set of characters with every other, and with every named character.
  const isTooLong = new Set(prefixes.join('')).size ** 2 > most || (named.size + 1) * texts.length > most;
  if (isTooLong) return { strings: approximateStrings(conditions), incomplete: TOO_LARGE };
  const automata = automataOf(conditions, options.regex);
  if (automata === undefined)
    return { strings: approximateStrings(conditions), incomplete: 'a pattern is too large' };
  const found = search(automata, alphabetOf(automata, named), new Set(equals), most);
  const strings = [...equals, ...found.parts.map(({ text }) => text), ...(hasInstants ? [NO_REAL_DATE] : [])];
  if (!found.isComplete)
    return { strings: [...strings, ...approximateStrings(conditions)], incomplete: TOO_LARGE };
  if (hasInstants && found.parts.filter((part) => part.found.at(-1)).length > 1) {
    return {
      strings,
      incomplete:
        'checks compare one claim with dates, and with prefixes or patterns that match only some dates',
    };
  }
  const differs = patterns.some((pattern, index) =>
    differsFromEngine(pattern, prefixes.length + index, found.parts, options),
  );
  return differs ? { strings, incomplete: 'the engine interprets a pattern differently' } : { strings };
}

/** Returns the automata of all prefixes, patterns and dates, in this order; `undefined` where one is too large. */
function automataOf(
  { prefixes, patterns, hasInstants }: StringConditions,
  regex: RegexEngine | undefined,
): readonly SearchAutomaton[] | undefined {
  const lookup = unicodeLookup(regex);
  const parsed = [...patterns, ...(hasInstants ? [DATE] : [])].map((text) => parsePattern(text, lookup));
  const automata: SearchAutomaton[] = [];
  for (const pattern of [...prefixes.map(prefixPattern), ...parsed]) {
    const automaton = pattern && SearchAutomaton.of(pattern);
    if (automaton === undefined) return undefined;
    automata.push(automaton);
  }
  return automata;
}

/** Returns a pattern for all strings with a prefix; a high surrogate at its end may also be the start of a pair. */
function prefixPattern(text: string): Pattern {
  const characters = codePointsOf(text).map((one): Characters => [[one, one]]);
  const last = characters.pop() ?? [];
  const high = last[0]?.[0] ?? 0;
  const pairs = FIRST_PAIR + (high - HIGH_SURROGATES[0]) * PAIRS_PER_HIGH_SURROGATE;
  const ends = isIn(HIGH_SURROGATES, high)
    ? [...last, [pairs, pairs + PAIRS_PER_HIGH_SURROGATE - 1] as const]
    : last;
  const parts = [...characters, ...(ends.length > 0 ? [ends] : [])].map(
    (set): Pattern => ({ kind: 'character', characters: set }),
  );
  return { kind: 'sequence', parts: [{ kind: 'assertion', assertion: 'textStart' }, ...parts] };
}

function codePointsOf(text: string): readonly number[] {
  return [...text].map((one) => one.codePointAt(0) as number);
}

/** A string of one class, and which automata match it. */
interface Part {
  readonly text: string;
  readonly found: readonly boolean[];
}

/**
 * Searches breadth first, so that each class has a shortest string. Each named string is a separate class, so each
 * state is visited up to once more than there are named strings.
 *
 * @param most - Number of transitions before the search stops.
 */
function search(
  automata: readonly SearchAutomaton[],
  alphabet: readonly number[],
  named: ReadonlySet<string>,
  most: number,
): { readonly parts: readonly Part[]; readonly isComplete: boolean } {
  const parts = new Map<string, Part>();
  const visitsByKey = new Map<string, number>();
  const open: SearchState[] = [{ text: '', before: 'edge', states: automata.map(({ start }) => start) }];
  let visited = 0;
  for (let next = 0; next < open.length; next += 1) {
    if (visited === MAX_STATES || visited * alphabet.length * automata.length > most)
      return { parts: [...parts.values()], isComplete: false };
    visited += 1;
    const { text, before, states } = open[next] as SearchState;
    if (!named.has(text)) {
      const found = automata.map((automaton, index) =>
        automaton.isFoundAtEnd(states[index] as number, before),
      );
      const key = found.join();
      if (!parts.has(key)) parts.set(key, { text, found });
    }
    const endsInHigh = isIn(HIGH_SURROGATES, text.charCodeAt(text.length - 1));
    for (const codePoint of alphabet) {
      // The two surrogates would form one character.
      if (endsInHigh && isIn(LOW_SURROGATES, codePoint)) continue;
      const after = automata.map((automaton, index) =>
        automaton.step(states[index] as number, before, codePoint),
      );
      const kind = after.every((state) => state === FOUND) ? 'other' : neighborOf(codePoint);
      const longer = text + String.fromCodePoint(codePoint);
      const key = `${kind} ${isIn(HIGH_SURROGATES, codePoint)} ${after.join()}`;
      const times = visitsByKey.get(key) ?? 0;
      if (times > named.size) continue;
      visitsByKey.set(key, times + 1);
      open.push({ text: longer, before: kind, states: after });
    }
  }
  return { parts: [...parts.values()], isComplete: true };
}

/** Returns whether the engine and the automaton of a pattern disagree on a string. */
function differsFromEngine(
  pattern: string,
  index: number,
  parts: readonly Part[],
  options: CompileOptions,
): boolean {
  const query = compile({ check: { claim: 'a.b', operator: 'matchRegex', value: pattern } }, options);
  return parts.some(({ text, found }) => {
    const claims = ClaimSet.at([{ id: '', source: '', issuedAt: 0, claims: { 'a.b': text } }], 0);
    return query.test(claims) !== found[index];
  });
}

/**
 * Returns one character for each set of characters that no pattern distinguishes: one that no named string contains, so
 * that no string with it is named. Where the named strings contain all characters of a set, returns each of them.
 */
function alphabetOf(automata: readonly SearchAutomaton[], named: ReadonlySet<number>): readonly number[] {
  const sets = distinct([...automata.flatMap(({ characterSets }) => characterSets), NEWLINE, WORD]);
  const starts = new Set([0, HIGH_SURROGATES[0], LOW_SURROGATES[1] + 1]);
  for (const [first, last] of sets.flat()) starts.add(first).add(last + 1);
  for (const codePoint of named) starts.add(codePoint).add(codePoint + 1);
  const distinguishesSurrogates = [...starts].some(
    (start) => start > HIGH_SURROGATES[0] && start <= LOW_SURROGATES[1],
  );
  if (distinguishesSurrogates) starts.add(LOW_SURROGATES[0]);
  const bySignature = new Map<string, number[]>();
  const sorted = [...starts].filter((start) => start <= LAST_CODE_POINT).sort((a, b) => a - b);
  sorted.forEach((start, index) => {
    const end = (sorted[index + 1] ?? LAST_CODE_POINT + 1) - 1;
    const kind = isIn(LOW_SURROGATES, end) ? 'low' : isIn(HIGH_SURROGATES, end) ? 'high' : 'other';
    const signature = sets.map((set) => Number(has(set, start))).join('') + kind;
    // A surrogate that forms no pair represents all surrogates.
    const candidate =
      kind === 'low' && !distinguishesSurrogates ? LOW_SURROGATES[0] : mostReadable(start, end);
    const known = bySignature.get(signature);
    if (known === undefined) bySignature.set(signature, [candidate]);
    else known.push(candidate);
  });
  const byRank = (a: number, b: number) => rank(a) - rank(b);
  return [...bySignature.values()]
    .flatMap((candidates) => {
      const [unnamed] = candidates.filter((one) => !named.has(one)).sort(byRank);
      return unnamed ?? candidates;
    })
    .sort(byRank);
}

function isIn([first, last]: Range, codePoint: number): boolean {
  return codePoint >= first && codePoint <= last;
}

/** Returns the most readable character of a range. */
function mostReadable(first: number, last: number): number {
  const preferred = [0x61, 0x30, 0x41, 0x2d, 0x20].find(
    (codePoint) => codePoint >= first && codePoint <= last,
  );
  if (preferred !== undefined) return preferred;
  return first < 0x20 && last >= 0x20 && first !== 10 ? 0x20 : first;
}

/** Ranks characters: letters, digits, printable characters, all others. */
function rank(codePoint: number): number {
  if (codePoint >= 0x61 && codePoint <= 0x7a) return 0;
  if (codePoint >= 0x30 && codePoint <= 0x39) return 1;
  if (codePoint >= 0x20 && codePoint <= 0x7e) return 2;
  return codePoint >= HIGH_SURROGATES[0] && codePoint <= LOW_SURROGATES[1] ? 4 : 3;
}

function distinct(sets: readonly Characters[]): readonly Characters[] {
  const byText = new Map(sets.map((set) => [JSON.stringify(set), set]));
  return [...byText.values()];
}

/** Returns likely strings, where the partition cannot be computed. */
function approximateStrings({ equals, prefixes, patterns }: StringConditions): readonly string[] {
  const literal = patterns.map((pattern) => pattern.replace(/[\\^$?*+()[\]{}|]/g, ''));
  return [
    ...new Set([...equals, ...prefixes, ...prefixes.map((text) => `${text}a`), ...literal, '', 'a', '0']),
  ];
}

/** Returns a string that is not among the values. */
export function unusedString(values: readonly JsonValue[]): string {
  for (let text = 'other'; ; text += 'x') {
    if (!values.includes(text)) return text;
  }
}
