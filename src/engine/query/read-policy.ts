/** Reads policies and their items, canonical and bare, and normalises them (L3, L4). */
import { pointerTo } from '../json-pointer.js';
import { type Member, type Members, type ObjectForm, onlyMember, readMembers } from './members.js';
import type { Check, Policy, PolicyItem } from './query.js';
import { CHECK_MEMBERS, type CheckMember, readCheck, readCheckMembers } from './read-check.js';
import { readList } from './read-list.js';
import type { Reading } from './reading.js';

type PolicyMember = 'allOf' | 'anyOf' | 'not';
type ItemMember = 'check' | 'policy' | CheckMember | PolicyMember;

const POLICY_MEMBERS: readonly PolicyMember[] = ['allOf', 'anyOf', 'not'];
const POLICY_FORM: ObjectForm<PolicyMember> = { called: 'A policy', members: POLICY_MEMBERS };
const ITEM_FORM: ObjectForm<ItemMember> = {
  called: 'An item',
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
  const only = onlyMember(members, POLICY_FORM, pointer, problems);
  if (only === undefined) return undefined;
  if (depth >= limits.depth) {
    return problems.addLimit('limit_depth', pointer, limits.depth, 'Policies nest', 'deep');
  }
  const [name, content] = only;
  if (name === 'not') return readNot(content, depth, reading);
  const items = readItems(name, content, depth, reading);
  if (items === undefined) return undefined;
  return Object.freeze(name === 'allOf' ? { allOf: items } : { anyOf: items });
}

function readItems(
  name: 'allOf' | 'anyOf',
  list: Member,
  depth: number,
  reading: Reading,
): readonly PolicyItem[] | undefined {
  const members = readList(list, name, 'item', reading);
  if (members === undefined) return undefined;
  const items: PolicyItem[] = [];
  for (const member of members) {
    const item = readItem(member, depth, reading);
    if (item !== undefined) items.push(item);
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
  return reading.problems.add('not_arity', pointer, message);
}

function readItem(member: Member, depth: number, reading: Reading): PolicyItem | undefined {
  const { pointer } = member;
  const members = readMembers(member.value, pointer, ITEM_FORM, reading.problems);
  const way = members && onlyWay(members, pointer, reading);
  if (members === undefined || way === undefined) return undefined;
  if (way === CHECK_MEMBERS) return asItem(readCheckMembers(members, pointer, reading));
  const [check, policy] = [members.get('check'), members.get('policy')];
  if (check) return asItem(readCheck(check, reading));
  const inner = policy
    ? readPolicy(policy, depth + 1, reading)
    : readPolicyMembers(members, pointer, depth + 1, reading);
  return inner && Object.freeze({ policy: inner });
}

/** @returns The one way in which an item is written; `undefined` where it is not one, which is a problem. */
function onlyWay(
  members: Members<ItemMember>,
  pointer: string,
  { problems }: Reading,
): readonly ItemMember[] | undefined {
  const [only, second] = WAYS.filter((names) => names.some((name) => members.has(name)));
  if (second === undefined && only !== undefined) return only;
  return problems.add(
    only === undefined ? 'form_missing' : 'form_ambiguous',
    pointer,
    'An item is exactly one of `{"check": …}`, `{"policy": …}`, a bare check and a bare policy.',
  );
}

function asItem(check: Check | undefined): PolicyItem | undefined {
  return check && Object.freeze({ check });
}
