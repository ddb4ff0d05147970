/** Reads an object's members against the names that it may have; a typo must not weaken a policy (L6). */

import { isPlainObject } from '../plain-object.js';
import { pointerTo } from '../problems.js';
import { alternatives, quote } from './problem-list.js';
import type { Reading } from './reading.js';

/** A member's value and its place in the document. */
export interface Member {
  readonly value: unknown;
  readonly pointer: string;
}

/** The members of one object by their right names. */
export interface Members<Name extends string> {
  has(name: Name): boolean;
  get(name: Name): Member | undefined;
}

/** What an object is for, and the members that it may have. */
export interface ObjectForm<Name extends string> {
  /** As a message begins: `A check`. */
  readonly called: string;
  readonly members: readonly Name[];
}

/**
 * Reads the members of an object; each unknown one is a problem, and so are more than the limit: none of those is read.
 *
 * A member that is nearly right is read as what it most likely stands for, so that problems below it are told as well.
 * A member that is `undefined` counts as absent, as in JSON text.
 *
 * @returns `undefined` where the value is no object, which is a problem too.
 */
export function readMembers<Name extends string>(
  value: unknown,
  pointer: string,
  form: ObjectForm<Name>,
  reading: Reading,
): Members<Name> | undefined {
  const { problems } = reading;
  if (!isPlainObject(value)) {
    const message = `${form.called} is an object that may have ${alternatives(form.members)}.`;
    return problems.add('not_an_object', pointer, message);
  }
  const sent = Object.keys(value);
  if (reading.exceeds('members', sent.length, 'limit_members', pointer, `${form.called} has`, 'members')) {
    return undefined;
  }
  const members = new Map<Name, Member>();
  for (const name of sent) {
    if (value[name] === undefined) continue;
    const names: readonly string[] = form.members;
    const right = form.members[names.indexOf(name)];
    if (right !== undefined) {
      // None of the right names has to be escaped in a pointer.
      members.set(right, { value: value[name], pointer: `${pointer}/${right}` });
      continue;
    }
    const member = { value: value[name], pointer: pointerTo(pointer, name) };
    const absent = form.members.filter(
      (candidate) => !Object.hasOwn(value, candidate) && !members.has(candidate),
    );
    const nearest = problems.suggest(name, absent);
    problems.add('member_unknown', member.pointer, unknownMember(name, nearest, form));
    if (nearest !== undefined) members.set(nearest, member);
  }
  return members;
}

/** @returns The member; `undefined` where it is not there, which is a problem. */
export function requireMember<Name extends string>(
  members: Members<Name>,
  name: Name,
  form: ObjectForm<Name>,
  pointer: string,
  { problems }: Reading,
): Member | undefined {
  return (
    members.get(name) ?? problems.add('member_missing', pointer, `${form.called} also needs \`${name}\`.`)
  );
}

/** @returns The one that is there, with its name, of names that shut each other out; `undefined` where it is not one, which is a problem. */
export function onlyMember<Name extends string>(
  members: Members<Name>,
  form: ObjectForm<Name>,
  pointer: string,
  { problems }: Reading,
): readonly [Name, Member] | undefined {
  const [name, second] = form.members.filter((candidate) => members.has(candidate));
  if (name !== undefined && second === undefined) return [name, members.get(name) as Member];
  const code = name === undefined ? 'form_missing' : 'form_ambiguous';
  return problems.add(code, pointer, `${form.called} has exactly one of ${alternatives(form.members)}.`);
}

function unknownMember(name: string, nearest: string | undefined, form: ObjectForm<string>): string {
  const right =
    nearest === undefined ? `it may have ${alternatives(form.members)}` : `\`${nearest}\` would be one`;
  return `${quote(name)} is no member of ${form.called.toLowerCase()}; ${right}.`;
}
