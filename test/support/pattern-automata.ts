/** Automata of patterns, and strings to match with them and with the engine (L18). */
import fc from 'fast-check';
import { type Neighbor, neighborOf, SearchAutomaton } from '../../src/analysis/patterns/automaton.js';
import { unicodeLookup } from '../../src/analysis/patterns/unicode-lookup.js';
import { re2js } from '../../src/index.js';
import { parsePattern } from '../../src/re2-syntax/parse-pattern.js';

export const lookup = unicodeLookup(re2js);

/** Strings of characters that patterns distinguish. */
export const text = fc.string({
  unit: fc.constantFrom(
    ...['a', 'b', 'c', 'A', 'K', 'k', '\u212a', '\u017f', 's', '0', '٣', ' ', '.', '-', ']', '\n', 'é', 'É'],
    ...['ß', 'ẞ', 'σ', 'ς', 'Σ', 'ǅ', '\u0345', 'я', 'ა', '一', '😀', '😁', '\ud83d', '\udc00'],
  ),
  maxLength: 6,
});

/** Returns the automaton of a pattern; `undefined` where the parser rejects the pattern, or it is too large. */
export function automatonOf(drawn: string): SearchAutomaton | undefined {
  const parsed = parsePattern(drawn, lookup);
  return parsed && SearchAutomaton.of(parsed);
}

/** Returns whether an automaton finds a match in a string. */
export function finds(automaton: SearchAutomaton, input: string): boolean {
  let state = automaton.start;
  let before: Neighbor = 'edge';
  for (const character of input) {
    const codePoint = character.codePointAt(0) as number;
    state = automaton.step(state, before, codePoint);
    before = neighborOf(codePoint);
  }
  return automaton.isFoundAtEnd(state, before);
}
