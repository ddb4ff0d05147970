/** Reads members, names, lists and claim paths. An unknown member is a problem: a typo must not weaken a policy (L6, L8, L9). */
import { isClaimPath } from '../claims/claim-path.js';
import { isPlainObject } from '../claims/json-value.js';
import type { FormProblemCode } from '../errors.js';
import { pointerTo } from '../problems.js';
import type { ParseContext } from './parse-context.js';
import { alternatives, quote } from './problem-list.js';

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
  readonly label: string;
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
  context: ParseContext,
): Members<Name> | undefined {
  const { problems } = context;
  if (!isPlainObject(value)) {
    const message = `${form.label} is an object that may have ${alternatives(form.members)}.`;
    return problems.add('not_an_object', pointer, message);
  }
  const sent = Object.keys(value);
  if (context.exceeds('members', sent.length, 'limit_members', pointer, `${form.label} has`, 'members')) {
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
  { problems }: ParseContext,
): Member | undefined {
  return (
    members.get(name) ?? problems.add('member_missing', pointer, `${form.label} also needs \`${name}\`.`)
  );
}

/** @returns The one that is there, with its name, of names that shut each other out; `undefined` where it is not one, which is a problem. */
export function findOnlyMember<Name extends string>(
  members: Members<Name>,
  form: ObjectForm<Name>,
  pointer: string,
  { problems }: ParseContext,
): readonly [Name, Member] | undefined {
  const [name, second] = form.members.filter((candidate) => members.has(candidate));
  if (name !== undefined && second === undefined) return [name, members.get(name) as Member];
  const code = name === undefined ? 'form_missing' : 'form_ambiguous';
  return problems.add(code, pointer, `${form.label} has exactly one of ${alternatives(form.members)}.`);
}

function unknownMember(name: string, nearest: string | undefined, form: ObjectForm<string>): string {
  const right =
    nearest === undefined ? `it may have ${alternatives(form.members)}` : `\`${nearest}\` would be one`;
  return `${quote(name)} is no member of ${form.label.toLowerCase()}; ${right}.`;
}

/**
 * Reads the entries of a list, one after the other: the problems of the first ones may end the reading.
 *
 * @param name - The member that holds it.
 * @param entry - What an entry is, as a message calls it: `item`.
 * @param read - Reads an entry; `undefined` where it is wrong, which is a problem.
 * @returns `undefined` where it is no list or holds nothing, which is a problem.
 */
export function readList<Read extends object>(
  { value, pointer }: Member,
  name: string,
  entry: string,
  { problems }: ParseContext,
  read: (entry: Member) => Read | undefined,
): readonly Read[] | undefined {
  if (!Array.isArray(value)) {
    return problems.add('not_an_array', pointer, `\`${name}\` is an array of one or more ${entry}s.`);
  }
  if (value.length === 0) return problems.add('list_empty', pointer, `\`${name}\` has one ${entry} or more.`);
  return Object.freeze(
    value.flatMap((item, index) => read({ value: item, pointer: pointerTo(pointer, index) }) ?? []),
  );
}

/** A closed list of names. */
export interface NameList<Name extends string> {
  /** What each of them names, as a message calls it: `lens`. */
  readonly label: string;
  readonly names: readonly Name[];
  /** The problem of a name that is none of them. */
  readonly unknownCode: FormProblemCode;
  /** What others call them; no spelling check would find these. */
  readonly aliases?: ReadonlyMap<string, Name>;
}

/** @returns `undefined` where it is none of the names, which is a problem. */
export function readName<Name extends string>(
  { value, pointer }: Member,
  { label, names, unknownCode, aliases }: NameList<Name>,
  { problems }: ParseContext,
): Name | undefined {
  if (typeof value !== 'string') {
    return problems.add(unknownCode, pointer, `\`${label}\` is ${alternatives(names)}.`);
  }
  const right = names.find((name) => name === value);
  if (right !== undefined) return right;
  const nearest = aliases?.get(value) ?? problems.suggest(value, names);
  const expected = nearest === undefined ? alternatives(names) : `\`${nearest}\``;
  return problems.add(unknownCode, pointer, `${quote(value)} is no ${label}; ${expected} would be.`);
}

const EXPECTED =
  'a claim path is two or more names joined by dots, each a letter and then letters, digits or `_`';

/** @returns `undefined` where the member is no claim path, which is a problem. */
export function readClaimPath(member: Member, context: ParseContext): string | undefined {
  const { value: path, pointer } = member;
  const { problems } = context;
  if (typeof path !== 'string') {
    return problems.add('not_a_string', pointer, `\`claim\` is a string: ${EXPECTED}.`);
  }
  const owner = 'A claim path has';
  if (context.exceeds('pathCodeUnits', path.length, 'limit_path_length', pointer, owner, 'code units')) {
    return undefined;
  }
  if (!isClaimPath(path)) return problems.add('claim_path_malformed', pointer, malformed(path));
  const segments = countSegments(path);
  if (context.exceeds('pathSegments', segments, 'limit_path_segments', pointer, owner, 'segments')) {
    return undefined;
  }
  return path;
}

/** Without taking the path apart: every check of every query comes by here. */
function countSegments(path: string): number {
  let count = 1;
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) count += 1;
  return count;
}

function malformed(path: string): string {
  const trimmed = path
    .split('.')
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '')
    .join('.');
  const hint = trimmed !== path && isClaimPath(trimmed) ? `\`${trimmed}\` would be one` : EXPECTED;
  return `${quote(path)} is no claim path; ${hint}.`;
}
