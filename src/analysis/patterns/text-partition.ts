/** Splits all texts by what beginnings, patterns and named texts say of them, and finds a shortest text of each part (L16, L18). */
import { ClaimSet, type CompileOptions, compile } from '../../engine/index.js';
import { FOUND, type Neighbour, neighbourOf, SearchAutomaton } from './automaton.js';
import { type Characters, has, LAST_CODE_POINT, NEWLINE, SURROGATES, WORD } from './characters.js';
import { beginningPattern, readPattern } from './pattern.js';

/** What tells texts apart. */
export interface TextQuestions {
  /** Texts that are named as wholes. */
  readonly equals: readonly string[];
  readonly beginnings: readonly string[];
  readonly patterns: readonly string[];
}

export interface TextPartition {
  /** The named texts, and one for each part of the others. */
  readonly texts: readonly string[];
  /** Why there may be parts without one. */
  readonly incomplete?: string;
}

/** A place in the search: what each automaton is in, and what stood before. */
interface Place {
  readonly text: string;
  readonly before: Neighbour;
  readonly states: readonly number[];
}

/** Places looked at before the search gives up. */
const MAX_PLACES = 20_000;

const SURROGATE = /\p{Surrogate}/u;

/** Finds a text for each way in which the questions can be answered together. */
export function partitionTexts(questions: TextQuestions, options: CompileOptions): TextPartition {
  const { equals, beginnings, patterns } = questions;
  if (beginnings.length + patterns.length === 0) return { texts: [...equals, otherText(equals)] };
  if ([...equals, ...beginnings, ...patterns].some((text) => SURROGATE.test(text))) {
    return { texts: guesses(questions), incomplete: 'a text holds half of a surrogate pair' };
  }
  const automata: SearchAutomaton[] = [];
  for (const pattern of [...beginnings.map(beginningPattern), ...patterns.map(readPattern)]) {
    const automaton = pattern && SearchAutomaton.of(pattern);
    if (automaton === undefined) {
      return {
        texts: guesses(questions),
        incomplete: 'a pattern has classes or cases of Unicode, or is too large',
      };
    }
    automata.push(automaton);
  }
  const alphabet = alphabetOf(automata);
  if (alphabet === undefined) {
    return { texts: guesses(questions), incomplete: 'a pattern tells halves of surrogate pairs apart' };
  }
  const found = search(automata, alphabet, new Set(equals));
  const doubt = patterns.some((pattern, index) =>
    disagrees(pattern, beginnings.length + index, found.parts, options),
  );
  const texts = [...equals, ...found.parts.map(({ text }) => text)];
  if (!found.isWhole)
    return { texts, incomplete: 'the patterns on one claim are too many or too large together' };
  return doubt ? { texts, incomplete: 'a pattern is read otherwise by the engine' } : { texts };
}

/** A text in a part of its own, and which of the automata found what they look for. */
interface Part {
  readonly text: string;
  readonly found: readonly boolean[];
}

/**
 * Breadth first, so that a part's text is a shortest one. A text that is named is a part of its own, so each part is looked for among the
 * others: as many texts lead to a place as there are named ones, and one more.
 */
function search(
  automata: readonly SearchAutomaton[],
  alphabet: readonly number[],
  named: ReadonlySet<string>,
): { readonly parts: readonly Part[]; readonly isWhole: boolean } {
  const parts = new Map<string, Part>();
  const seen = new Map<string, number>();
  const open: Place[] = [{ text: '', before: 'end', states: automata.map(({ start }) => start) }];
  let looked = 0;
  for (let next = 0; next < open.length; next += 1) {
    if (looked === MAX_PLACES) return { parts: [...parts.values()], isWhole: false };
    looked += 1;
    const { text, before, states } = open[next] as Place;
    if (!named.has(text)) {
      const found = automata.map((automaton, index) =>
        automaton.isFoundAtEnd(states[index] as number, before),
      );
      const key = found.join();
      if (!parts.has(key)) parts.set(key, { text, found });
    }
    for (const codePoint of alphabet) {
      const after = automata.map((automaton, index) =>
        automaton.step(states[index] as number, before, codePoint),
      );
      const kind = after.every((state) => state === FOUND) ? 'other' : neighbourOf(codePoint);
      const longer = text + String.fromCodePoint(codePoint);
      const key = `${kind} ${after.join()}`;
      const times = seen.get(key) ?? 0;
      if (times > named.size) continue;
      seen.set(key, times + 1);
      open.push({ text: longer, before: kind, states: after });
    }
  }
  return { parts: [...parts.values()], isWhole: true };
}

/** Whether the engine says something else of a part's text than its automaton did. */
function disagrees(pattern: string, index: number, parts: readonly Part[], options: CompileOptions): boolean {
  const query = compile({ check: { claim: 'a.b', operator: 'matchRegex', value: pattern } }, options);
  return parts.some(({ text, found }) => {
    const claims = ClaimSet.at([{ id: '', source: '', issuedAt: 0, claims: { 'a.b': text } }], 0);
    return query.test(claims) !== found[index];
  });
}

/** One character for each set of characters that nothing tells apart; `undefined` where surrogates are told from each other. */
function alphabetOf(automata: readonly SearchAutomaton[]): readonly number[] | undefined {
  const sets = distinct([...automata.flatMap(({ characterSets }) => characterSets), NEWLINE, WORD]);
  const starts = new Set([0, SURROGATES[0], SURROGATES[1] + 1]);
  for (const [first, last] of sets.flat()) {
    if (isInside(first) || isInside(last + 1)) return undefined;
    starts.add(first).add(last + 1);
  }
  const bySignature = new Map<string, number>();
  const sorted = [...starts].filter((start) => start <= LAST_CODE_POINT).sort((a, b) => a - b);
  sorted.forEach((start, index) => {
    const end = (sorted[index + 1] ?? LAST_CODE_POINT + 1) - 1;
    const signature = sets.map((set) => Number(has(set, start))).join('') + Number(start === SURROGATES[0]);
    const candidate = plainest(start, end);
    const known = bySignature.get(signature);
    if (known === undefined || rank(candidate) < rank(known)) bySignature.set(signature, candidate);
  });
  return [...bySignature.values()].sort((a, b) => rank(a) - rank(b));
}

function isInside(codePoint: number): boolean {
  return codePoint > SURROGATES[0] && codePoint <= SURROGATES[1];
}

/** The character of a range that a person would rather read. */
function plainest(first: number, last: number): number {
  // Only a low half: with no high half before it, it joins with nothing.
  if (first === SURROGATES[0]) return 0xdc00;
  const liked = [0x61, 0x30, 0x41, 0x2d, 0x20].find((codePoint) => codePoint >= first && codePoint <= last);
  if (liked !== undefined) return liked;
  return first < 0x20 && last >= 0x20 && first !== 10 ? 0x20 : first;
}

/** Letters, then digits, then what can be printed, then all else. */
function rank(codePoint: number): number {
  if (codePoint >= 0x61 && codePoint <= 0x7a) return 0;
  if (codePoint >= 0x30 && codePoint <= 0x39) return 1;
  if (codePoint >= 0x20 && codePoint <= 0x7e) return 2;
  return codePoint === 0xdc00 ? 4 : 3;
}

function distinct(sets: readonly Characters[]): readonly Characters[] {
  const byText = new Map(sets.map((set) => [JSON.stringify(set), set]));
  return [...byText.values()];
}

/** Texts that may do, where nobody can say that they are all. */
function guesses({ equals, beginnings, patterns }: TextQuestions): readonly string[] {
  const literal = patterns.map((pattern) => pattern.replace(/[\\^$?*+()[\]{}|]/g, ''));
  return [
    ...new Set([...equals, ...beginnings, ...beginnings.map((text) => `${text}a`), ...literal, '', 'a', '0']),
  ];
}

/** A text that none of the named ones is. */
function otherText(named: readonly string[]): string {
  for (let text = 'other'; ; text += 'x') {
    if (!named.includes(text)) return text;
  }
}
