/** Reads names out of closed lists, and says what a wrong one most likely stands for (L8). */
import type { FormProblemCode } from '../errors.js';
import type { Member } from './members.js';
import { alternatives, quote } from './problem-list.js';
import type { Reading } from './reading.js';

/** A closed list of names. */
export interface Naming<Name extends string> {
  /** What each of them names, as a message calls it: `lens`. */
  readonly called: string;
  readonly names: readonly Name[];
  /** The problem of a name that is none of them. */
  readonly unknown: FormProblemCode;
  /** What others call them; no spelling check would find these. */
  readonly foreign?: ReadonlyMap<string, Name>;
}

/** @returns `undefined` where it is none of the names, which is a problem. */
export function readName<Name extends string>(
  { value, pointer }: Member,
  { called, names, unknown, foreign }: Naming<Name>,
  { problems }: Reading,
): Name | undefined {
  if (typeof value !== 'string') {
    return problems.add(unknown, pointer, `\`${called}\` is ${alternatives(names)}.`);
  }
  const right = names.find((name) => name === value);
  if (right !== undefined) return right;
  const nearest = foreign?.get(value) ?? problems.suggest(value, names);
  const expected = nearest === undefined ? alternatives(names) : `\`${nearest}\``;
  return problems.add(unknown, pointer, `${quote(value)} is no ${called}; ${expected} would be.`);
}
