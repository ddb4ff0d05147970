/** Reads members, names, lists and claim paths. Unknown members are rejected, since a typo must not weaken a policy (L6, L8, L9). */

import { isPlainObject } from '../../util/is-plain-object.js';
import { isClaimPath } from '../claims/claim-path.js';
import type { FormProblemCode } from '../errors.js';
import { didYouMean, joinNames, quote } from '../names.js';
import { pointerTo } from '../problems.js';
import { describeType } from '../value-types.js';
import type { ParseContext, ReadableClaim } from './parse-context.js';

/** A member's value and its JSON Pointer in the query. */
export interface Member {
  readonly value: unknown;
  readonly pointer: string;
}

/** The members of one object, by their correct names. */
export interface Members<Name extends string> {
  has(name: Name): boolean;
  get(name: Name): Member | undefined;
}

/** The members that an object may have, and its label in messages. */
export interface ObjectForm<Name extends string> {
  /** Label with its article, as a message begins: `A check`. */
  readonly label: string;
  readonly members: readonly Name[];
  /** How to correct a member that belongs elsewhere, by its name. */
  readonly hints?: ReadonlyMap<string, string>;
}

/**
 * Reads the members of an object. Reports more members than the limit, in which case none is read, and unknown members
 * in code-unit order of their names.
 *
 * A misspelled member is read as the absent member that it resembles, so that problems inside it are reported as well.
 * A member whose value is `undefined` counts as absent, as in JSON text.
 *
 * @returns `undefined` where the value is not an object, which is reported.
 */
export function readMembers<Name extends string>(
  value: unknown,
  pointer: string,
  form: ObjectForm<Name>,
  context: ParseContext,
): Members<Name> | undefined {
  const { problems } = context;
  if (!isPlainObject(value)) {
    const message = `${form.label} must be an object, not ${describeType(value)}. It may have ${joinNames(form.members)}.`;
    return problems.add('not_an_object', pointer, message);
  }
  const sent = Object.keys(value);
  if (
    context.exceeds('members', sent.length, 'limit_members', pointer, `${form.label} must have`, 'members')
  ) {
    return undefined;
  }
  const members = new Map<Name, Member>();
  const names: readonly string[] = form.members;
  let unknown: string[] | undefined;
  for (const name of sent) {
    if (value[name] === undefined) continue;
    const right = form.members[names.indexOf(name)];
    // No valid member name needs escaping in a pointer.
    if (right !== undefined) members.set(right, { value: value[name], pointer: `${pointer}/${right}` });
    else unknown = [...(unknown ?? []), name];
  }
  if (unknown !== undefined) addUnknownMembers(unknown, value, pointer, form, members, context);
  return members;
}

/** Reports unknown members, and adds those that are corrected. */
function addUnknownMembers<Name extends string>(
  unknown: string[],
  value: Readonly<Record<string, unknown>>,
  pointer: string,
  form: ObjectForm<Name>,
  members: Map<Name, Member>,
  { problems }: ParseContext,
): void {
  for (const name of unknown.sort()) {
    const member = { value: value[name], pointer: pointerTo(pointer, name) };
    const absent = form.members.filter((candidate) => !members.has(candidate));
    const nearest = didYouMean(name, absent);
    problems.add('member_unknown', member.pointer, unknownMember(name, nearest, form));
    if (nearest !== undefined) members.set(nearest, member);
  }
}

/** Returns a required member; `undefined` where it is absent, which is reported. */
export function requireMember<Name extends string>(
  members: Members<Name>,
  name: Name,
  form: ObjectForm<Name>,
  pointer: string,
  { problems }: ParseContext,
): Member | undefined {
  return (
    members.get(name) ??
    problems.add('member_missing', pointer, `${form.label} must have the member \`${name}\`; it is missing.`)
  );
}

/**
 * Returns the names and values of all members that are present, of an object whose members exclude each other. Reports
 * where none or several are present; several are returned as well, so that the problems in each are reported.
 */
export function readExclusiveMembers<Name extends string>(
  members: Members<Name>,
  form: ObjectForm<Name>,
  pointer: string,
  { problems }: ParseContext,
): readonly (readonly [Name, Member])[] {
  const found: [Name, Member][] = [];
  for (const name of form.members) {
    const member = members.get(name);
    if (member !== undefined) found.push([name, member]);
  }
  if (found.length === 1) return found;
  const code = found.length === 0 ? 'form_missing' : 'form_ambiguous';
  const names = found.map(([name]) => name);
  const received = found.length === 0 ? 'none of them' : joinNames(names, 'and');
  const message = `${form.label} must have exactly one of ${joinNames(form.members)}; it has ${received}.`;
  problems.add(code, pointer, message);
  return found;
}

function unknownMember(name: string, nearest: string | undefined, form: ObjectForm<string>): string {
  const label = form.label.toLowerCase();
  const hint =
    form.hints?.get(name) ??
    (nearest === undefined ? `Allowed members: ${joinNames(form.members)}.` : `Did you mean \`${nearest}\`?`);
  return `Unknown member ${quote(name)} of ${label}. ${hint}`;
}

/**
 * Reads the entries of a list in order. Reading may stop early when too many problems were found.
 *
 * @param name - The member that holds the list.
 * @param entry - Label of an entry in messages: `item`.
 * @param read - Reads an entry; returns `undefined` for an invalid one, which it reports.
 * @returns `undefined` where the value is not a list, or is empty, which is reported.
 */
export function readList<Read extends object>(
  { value, pointer }: Member,
  name: string,
  entry: string,
  { problems }: ParseContext,
  read: (entry: Member) => Read | undefined,
): readonly Read[] | undefined {
  if (!Array.isArray(value)) {
    return problems.add(
      'not_an_array',
      pointer,
      `\`${name}\` must be an array of one or more ${entry}s, not ${describeType(value)}.`,
    );
  }
  if (value.length === 0)
    return problems.add('list_empty', pointer, `\`${name}\` must have at least one ${entry}; it is empty.`);
  const entries: Read[] = [];
  // Not `flatMap`, which takes longer, and skips the holes of a sparse array.
  for (let index = 0; index < value.length; index += 1) {
    const entryRead = read({ value: value[index], pointer: pointerTo(pointer, index) });
    if (entryRead !== undefined) entries.push(entryRead);
  }
  // `slice` removes the spare capacity of an array that was filled by `push`.
  return Object.freeze(entries.slice());
}

/** The valid values of a member that holds a name. */
export interface NameList<Name extends string> {
  /** Label of such a name in messages: `lens`. */
  readonly label: string;
  readonly names: readonly Name[];
  /** Problem code for an unknown name. */
  readonly unknownCode: FormProblemCode;
  /** Names from other languages, which are too different for a spelling suggestion. */
  readonly aliases?: ReadonlyMap<string, Name>;
}

/** Reads one of a list of names; `undefined` where it is not one of them, which is reported. */
export function readName<Name extends string>(
  { value, pointer }: Member,
  { label, names, unknownCode, aliases }: NameList<Name>,
  { problems }: ParseContext,
): Name | undefined {
  if (typeof value !== 'string') {
    const message = `\`${label}\` must be one of ${joinNames(names)}, not ${describeType(value)}.`;
    return problems.add('not_a_string', pointer, message);
  }
  const right = names.find((name) => name === value);
  if (right !== undefined) return right;
  const nearest = aliases?.get(value) ?? didYouMean(value, names);
  const hint =
    nearest === undefined ? `It must be one of ${joinNames(names)}.` : `Did you mean \`${nearest}\`?`;
  return problems.add(unknownCode, pointer, `Unknown ${label} ${quote(value)}. ${hint}`);
}

const GRAMMAR = 'two or more names joined by dots, each a letter followed by letters, digits or `_`';

/** Reads a claim path; `undefined` where it is malformed, which is reported. */
export function readClaimPath(member: Member, context: ParseContext): string | undefined {
  const { value: path, pointer } = member;
  const { problems } = context;
  if (typeof path !== 'string') {
    const message = `\`claim\` must be a string (${GRAMMAR}), not ${describeType(path)}.`;
    return problems.add('not_a_string', pointer, message);
  }
  const owner = 'A claim path must have';
  if (context.exceeds('pathCodeUnits', path.length, 'limit_path_length', pointer, owner, 'code units')) {
    return undefined;
  }
  if (!isClaimPath(path)) return problems.add('claim_path_malformed', pointer, malformed(path));
  const segments = countSegments(path);
  if (context.exceeds('pathSegments', segments, 'limit_path_segments', pointer, owner, 'segments')) {
    return undefined;
  }
  if (context.claims !== undefined && !hasClaim(context.claims, path)) {
    const paths = context.claims.map((claim) => claim.path);
    return problems.addUnknownClaim(pointer, 'The catalogue has no claim', path, paths);
  }
  return path;
}

/** Returns whether a catalogue has a claim, or a claim of type `object` of which it may be a member (L13); with `*`, it has all. */
export function hasClaim(claims: readonly ReadableClaim[], path: string): boolean {
  return claims.some(
    (claim) =>
      claim.path === '*' ||
      claim.path === path ||
      (claim.type === 'object' && path.startsWith(`${claim.path}.`)),
  );
}

/** Counts without splitting: this runs for every check of every query. */
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
  const hint =
    trimmed !== path && isClaimPath(trimmed) ? `Did you mean \`${trimmed}\`?` : `It must be ${GRAMMAR}.`;
  return `${quote(path)} is not a valid claim path. ${hint}`;
}
