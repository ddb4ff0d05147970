/** Reads policies and their items, canonical and bare, and normalises them (L3, L4). */
import { pointerTo } from '../json-pointer.js';
import { type Member, type Members, type ObjectForm, readMembers } from './members.js';
import { alternatives } from './problem-list.js';
import type { Check, Policy, PolicyItem } from './query.js';
import { type CheckMember, readCheck, readCheckMembers } from './read-check.js';
import type { Reading } from './reading.js';

type PolicyMember = 'allOf' | 'anyOf' | 'not';
type ItemMember = 'check' | 'policy' | CheckMember | PolicyMember;

const POLICY_MEMBERS: readonly PolicyMember[] = ['allOf', 'anyOf', 'not'];
const CHECK_MEMBERS: readonly CheckMember[] = ['claim', 'operator', 'value'];
const POLICY_FORM: ObjectForm<PolicyMember> = { called: 'a policy', members: POLICY_MEMBERS };
const ITEM_FORM: ObjectForm<ItemMember> = {
  called: 'an item',
  members: ['check', 'policy', ...CHECK_MEMBERS, ...POLICY_MEMBERS],
};

/** The four ways to write an item. */
const WAYS: readonly (readonly ItemMember[])[] = [['check'], ['policy'], CHECK_MEMBERS, POLICY_MEMBERS];

/**
 * Reads a policy. Recurses no deeper than the limit: what lies below is not looked at (L7).
 *
 * @param depth - Policies around this one.
 * @returns `undefined` where it is no policy, which is a problem.
 */
export function readPolicy(member: Member, depth: number, reading: Reading): Policy | undefined {
  const members = readMembers(member.value, member.pointer, POLICY_FORM, reading.problems);
  return members && readPolicyMembers(members, member.pointer, depth, reading);
}

function readPolicyMembers(
  members: Members<PolicyMember>,
  pointer: string,
  depth: number,
  reading: Reading,
): Policy | undefined {
  const { limits, problems } = reading;
  const [form, ...more] = POLICY_MEMBERS.filter((name) => members.has(name));
  const content = form && members.get(form);
  if (form === undefined || content === undefined || more.length > 0) {
    const code = form === undefined ? 'form_missing' : 'form_ambiguous';
    problems.add(code, pointer, `A policy has exactly one of ${alternatives(POLICY_MEMBERS)}.`);
    return undefined;
  }
  if (depth >= limits.depth) {
    problems.addLimit('limit_depth', pointer, limits.depth, `Policies nest at most ${limits.depth} deep.`);
    return undefined;
  }
  if (form === 'not') return readNot(content, depth, reading);
  const items = readItems(form, content, depth, reading);
  if (items === undefined) return undefined;
  return Object.freeze(form === 'allOf' ? { allOf: items } : { anyOf: items });
}

function readItems(
  form: 'allOf' | 'anyOf',
  { value, pointer }: Member,
  depth: number,
  reading: Reading,
): readonly PolicyItem[] | undefined {
  if (!Array.isArray(value)) {
    reading.problems.add('not_an_array', pointer, `\`${form}\` is an array of one or more items.`);
    return undefined;
  }
  if (value.length === 0) {
    reading.problems.add('list_empty', pointer, `\`${form}\` has one item or more.`);
    return undefined;
  }
  const items: PolicyItem[] = [];
  for (const [index, item] of value.entries()) {
    const read = readItem({ value: item, pointer: pointerTo(pointer, index) }, depth, reading);
    if (read !== undefined) items.push(read);
  }
  return Object.freeze(items);
}

function readNot({ value, pointer }: Member, depth: number, reading: Reading): Policy | undefined {
  const item = Array.isArray(value) ? onlyItem(value, pointer, reading) : { value, pointer };
  const read = item && readItem(item, depth, reading);
  return read && Object.freeze({ not: read });
}

function onlyItem(items: readonly unknown[], pointer: string, reading: Reading): Member | undefined {
  if (items.length === 1) return { value: items[0], pointer: pointerTo(pointer, 0) };
  const message = `\`not\` takes one item, not ${items.length}; \`anyOf\` or \`allOf\` inside of it joins several.`;
  reading.problems.add('not_arity', pointer, message);
  return undefined;
}

function readItem(member: Member, depth: number, reading: Reading): PolicyItem | undefined {
  const { pointer } = member;
  const members = readMembers(member.value, pointer, ITEM_FORM, reading.problems);
  if (members === undefined || !hasOneForm(members, pointer, reading)) return undefined;
  const wrappedCheck = members.get('check');
  if (wrappedCheck !== undefined) return asItem(readCheck(wrappedCheck, reading));
  if (hasAny(members, CHECK_MEMBERS)) return asItem(readCheckMembers(members, pointer, reading));
  const wrappedPolicy = members.get('policy');
  const policy =
    wrappedPolicy === undefined
      ? readPolicyMembers(members, pointer, depth + 1, reading)
      : readPolicy(wrappedPolicy, depth + 1, reading);
  return policy && Object.freeze({ policy });
}

/** Whether an item is written in exactly one of the four ways; anything else is a problem. */
function hasOneForm(members: Members<ItemMember>, pointer: string, reading: Reading): boolean {
  const count = WAYS.filter((names) => hasAny(members, names)).length;
  if (count === 1) return true;
  const message =
    'An item is exactly one of `{"check": …}`, `{"policy": …}`, a bare check and a bare policy.';
  reading.problems.add(count === 0 ? 'form_missing' : 'form_ambiguous', pointer, message);
  return false;
}

function hasAny<Name extends string>(members: Members<Name>, names: readonly Name[]): boolean {
  return names.some((name) => members.has(name));
}

function asItem(check: Check | undefined): PolicyItem | undefined {
  return check && Object.freeze({ check });
}
