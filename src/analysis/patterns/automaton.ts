/** Search automata of patterns. States are created when they are reached (L18). */
import { type Characters, has, NEWLINE, WORD } from '../../re2-syntax/characters.js';
import type { Assertion, Pattern } from '../../re2-syntax/parse-pattern.js';

/** One side of a position, as assertions distinguish it: the start or the end of the string, or a kind of character. */
export type Neighbor = 'edge' | 'newline' | 'word' | 'other';

const NEIGHBORS: readonly Neighbor[] = ['edge', 'newline', 'word', 'other'];

/** The state after a match, which no further character changes. */
export const FOUND = -1;

type Instruction =
  | { readonly kind: 'take'; readonly characters: Characters; readonly next: number }
  | { readonly kind: 'split'; readonly nexts: readonly number[] }
  | { readonly kind: 'assert'; readonly assertion: Assertion; readonly next: number }
  | { readonly kind: 'found' };

/** Maximum number of instructions of a program. Large repetition counts exceed it. */
const MAX_INSTRUCTIONS = 4_000;

/** Returns the kind of a character. */
export function neighborOf(codePoint: number): Neighbor {
  if (has(NEWLINE, codePoint)) return 'newline';
  return has(WORD, codePoint) ? 'word' : 'other';
}

/** Searches a string for a pattern. States are numbers; {@link FOUND} is one of them. */
export class SearchAutomaton {
  readonly start: number;
  readonly #program: readonly Instruction[];
  readonly #entry: number;
  readonly #states: (readonly number[])[] = [];
  readonly #numbers = new Map<string, number>();
  /** By state: the next state by the character and what precedes it. */
  readonly #steps: Map<number, number>[] = [];

  private constructor(program: readonly Instruction[], entry: number) {
    this.#program = program;
    this.#entry = entry;
    this.start = this.#numberOf([entry]);
  }

  /** Creates the automaton of a pattern; `undefined` where the pattern is too large. */
  static of(pattern: Pattern): SearchAutomaton | undefined {
    const program: Instruction[] = [{ kind: 'found' }];
    const entry = assemble(pattern, 0, program);
    return entry === undefined ? undefined : new SearchAutomaton(program, entry);
  }

  /** The sets of characters that the pattern distinguishes. */
  get characterSets(): readonly Characters[] {
    return this.#program.flatMap((instruction) =>
      instruction.kind === 'take' ? [instruction.characters] : [],
    );
  }

  /** Returns the state after a character. */
  step(state: number, before: Neighbor, codePoint: number): number {
    if (state === FOUND) return FOUND;
    const steps = this.#steps[state] as Map<number, number>;
    const key = codePoint * NEIGHBORS.length + NEIGHBORS.indexOf(before);
    const known = steps.get(key);
    if (known !== undefined) return known;
    const reached = this.#closure(state, before, neighborOf(codePoint));
    const next = reached.has(0) ? FOUND : this.#numberOf([...this.#taking(reached, codePoint), this.#entry]);
    steps.set(key, next);
    return next;
  }

  /** Returns whether the pattern matches if the string ends here. */
  isFoundAtEnd(state: number, before: Neighbor): boolean {
    return state === FOUND || this.#closure(state, before, 'edge').has(0);
  }

  #taking(reached: ReadonlySet<number>, codePoint: number): readonly number[] {
    return [...reached].flatMap((index) => {
      const instruction = this.#program[index] as Instruction;
      return instruction.kind === 'take' && has(instruction.characters, codePoint) ? [instruction.next] : [];
    });
  }

  /** Returns all instructions reachable without consuming a character. */
  #closure(state: number, before: Neighbor, after: Neighbor): ReadonlySet<number> {
    const reached = new Set<number>();
    const open = [...(this.#states[state] as readonly number[])];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (reached.has(index)) continue;
      reached.add(index);
      const instruction = this.#program[index] as Instruction;
      if (instruction.kind === 'split') open.push(...instruction.nexts);
      else if (instruction.kind === 'assert' && holds(instruction.assertion, before, after))
        open.push(instruction.next);
    }
    return reached;
  }

  #numberOf(instructions: readonly number[]): number {
    const sorted = [...new Set(instructions)].sort((a, b) => a - b);
    const key = sorted.join(' ');
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#states.length);
    this.#states.push(sorted);
    this.#steps.push(new Map());
    return this.#states.length - 1;
  }
}

function holds(assertion: Assertion, before: Neighbor, after: Neighbor): boolean {
  switch (assertion) {
    case 'textStart':
      return before === 'edge';
    case 'textEnd':
      return after === 'edge';
    case 'lineStart':
      return before === 'edge' || before === 'newline';
    case 'lineEnd':
      return after === 'edge' || after === 'newline';
    case 'wordEdge':
      return (before === 'word') !== (after === 'word');
    case 'noWordEdge':
      return (before === 'word') === (after === 'word');
  }
}

/** Appends the instructions of a pattern that continues at `next`. Returns its entry; `undefined` where there are too many instructions. */
function assemble(pattern: Pattern, next: number, program: Instruction[]): number | undefined {
  if (program.length > MAX_INSTRUCTIONS) return undefined;
  switch (pattern.kind) {
    case 'character':
      return program.push({ kind: 'take', characters: pattern.characters, next }) - 1;
    case 'assertion':
      return program.push({ kind: 'assert', assertion: pattern.assertion, next }) - 1;
    case 'sequence':
      return pattern.parts.reduceRight<number | undefined>(
        (after, part) => (after === undefined ? undefined : assemble(part, after, program)),
        next,
      );
    case 'choice': {
      const nexts = pattern.parts.map((part) => assemble(part, next, program));
      if (nexts.some((entry) => entry === undefined)) return undefined;
      return program.push({ kind: 'split', nexts: nexts as number[] }) - 1;
    }
    case 'repeat':
      return repeat(pattern, next, program);
  }
}

function repeat(
  { part, least, most }: Extract<Pattern, { kind: 'repeat' }>,
  next: number,
  program: Instruction[],
): number | undefined {
  let entry: number | undefined = next;
  if (most === Number.POSITIVE_INFINITY) {
    const nexts: number[] = [next];
    const loop = program.push({ kind: 'split', nexts }) - 1;
    const body = assemble(part, loop, program);
    if (body === undefined) return undefined;
    nexts.push(body);
    entry = loop;
  } else {
    for (let count = least; count < most && entry !== undefined; count += 1) {
      const body = assemble(part, entry, program);
      entry = body === undefined ? undefined : program.push({ kind: 'split', nexts: [next, body] }) - 1;
    }
  }
  for (let count = 0; count < least && entry !== undefined; count += 1)
    entry = assemble(part, entry, program);
  return entry;
}
