/** Reads policies, their items and checks, canonical and bare, and normalises them (L2–L4). */
import { OPERATOR_NAMES, OPERATORS, type OperatorName } from '../operators/operators.js';
import { pointerTo } from '../problems.js';
import {
  type Member,
  type Members,
  type Naming,
  type ObjectForm,
  onlyMember,
  readClaimPath,
  readList,
  readMembers,
  readName,
  requireMember,
} from './members.js';
import type { Policy, PolicyItem } from './query.js';
import { readOperand } from './read-operand.js';
import type { Reading } from './reading.js';

/** What other languages call our operators; no spelling check would find them. */
const FOREIGN_NAMES: ReadonlyMap<string, OperatorName> = new Map([
  ['=', '=='],
  ['===', '=='],
  ['eq', '=='],
  ['equals', '=='],
  ['!==', '!='],
  ['<>', '!='],
  ['ne', '!='],
  ['gt', '>'],
  ['gte', '>='],
  ['=>', '>='],
  ['lt', '<'],
  ['lte', '<='],
  ['=<', '<='],
  ['nin', 'notIn'],
  ['not in', 'notIn'],
  ['includes', 'contains'],
  ['regex', 'matchRegex'],
  ['matches', 'matchRegex'],
  ['exists', 'isDefined'],
]);

type CheckMember = 'claim' | 'operator' | 'value';

const CHECK_MEMBERS: readonly CheckMember[] = ['claim', 'operator', 'value'];

const CHECK_FORM: ObjectForm<CheckMember> = { called: 'A check', members: CHECK_MEMBERS };

const OPERATOR_NAMING: Naming<OperatorName> = {
  called: 'operator',
  names: OPERATOR_NAMES,
  unknown: 'operator_unknown',
  foreign: FOREIGN_NAMES,
};

/** @returns `undefined` where it is no check, which is a problem. */
export function readCheck(member: Member, reading: Reading): PolicyItem | undefined {
  const members = readMembers(member.value, member.pointer, CHECK_FORM, reading);
  return members && readCheckMembers(members, member.pointer, reading);
}

/** Reads a check whose members stand in an object that was read already. */
function readCheckMembers(
  members: Members<CheckMember>,
  pointer: string,
  reading: Reading,
): PolicyItem | undefined {
  countCheck(pointer, reading);
  const claimMember = requireMember(members, 'claim', CHECK_FORM, pointer, reading);
  const operatorMember = requireMember(members, 'operator', CHECK_FORM, pointer, reading);
  const claim = claimMember && readClaimPath(claimMember, reading);
  const operator = operatorMember && readName(operatorMember, OPERATOR_NAMING, reading);
  if (operator === undefined) return undefined;
  const { operand } = OPERATORS[operator];
  if (operand === 'none') return withoutOperand(claim, operator, members, reading);
  const valueMember = requireMember(members, 'value', CHECK_FORM, pointer, reading);
  const value = valueMember && readOperand(operator, operand, valueMember, reading);
  if (claim === undefined || value === undefined) return undefined;
  return Object.freeze({ check: Object.freeze({ claim, operator, value }) });
}

function countCheck(pointer: string, reading: Reading): void {
  const { limits, problems, checkPointers } = reading;
  checkPointers.push(pointer);
  // Told once, at the first check that is too many.
  if (checkPointers.length !== limits.checks + 1) return;
  problems.addLimit('limit_checks', pointer, limits.checks, 'A query has', 'checks');
}

function withoutOperand(
  claim: string | undefined,
  operator: OperatorName,
  members: Members<CheckMember>,
  reading: Reading,
): PolicyItem | undefined {
  const operand = members.get('value');
  if (operand !== undefined) {
    const message = `\`${operator}\` takes no \`value\`; leave it out.`;
    return reading.problems.add('operand_unexpected', operand.pointer, message);
  }
  return claim === undefined ? undefined : Object.freeze({ check: Object.freeze({ claim, operator }) });
}

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
export function readPolicy(member: Member, depth: number, reading: Reading): PolicyItem | undefined {
  const members = readMembers(member.value, member.pointer, POLICY_FORM, reading);
  return members && readPolicyMembers(members, member.pointer, depth, reading);
}

function readPolicyMembers(
  members: Members<PolicyMember>,
  pointer: string,
  depth: number,
  reading: Reading,
): PolicyItem | undefined {
  const only = onlyMember(members, POLICY_FORM, pointer, reading);
  if (only === undefined) return undefined;
  if (reading.exceeds('depth', depth + 1, 'limit_depth', pointer, 'Policies nest', 'deep')) return undefined;
  const [name, content] = only;
  if (name === 'not') {
    const not = readNot(content, depth, reading);
    return not && asItem({ not });
  }
  const items = readList(content, name, 'item', reading, (item) => readItem(item, depth, reading));
  return items && asItem(name === 'allOf' ? { allOf: items } : { anyOf: items });
}

function readNot({ value, pointer }: Member, depth: number, reading: Reading): PolicyItem | undefined {
  const item = Array.isArray(value) ? onlyItem(value, pointer, reading) : { value, pointer };
  return item && readItem(item, depth, reading);
}

function asItem(policy: Policy): PolicyItem {
  return Object.freeze({ policy: Object.freeze(policy) });
}

function onlyItem(items: readonly unknown[], pointer: string, reading: Reading): Member | undefined {
  if (items.length === 1) return { value: items[0], pointer: pointerTo(pointer, 0) };
  const message = `\`not\` takes one item, not ${items.length}; \`anyOf\` or \`allOf\` inside of it joins several.`;
  return reading.problems.add('not_arity', pointer, message);
}

function readItem(member: Member, depth: number, reading: Reading): PolicyItem | undefined {
  const { pointer } = member;
  const members = readMembers(member.value, pointer, ITEM_FORM, reading);
  const way = members && onlyWay(members, pointer, reading);
  if (members === undefined || way === undefined) return undefined;
  if (way === CHECK_MEMBERS) return readCheckMembers(members, pointer, reading);
  const [check, policy] = [members.get('check'), members.get('policy')];
  if (check) return readCheck(check, reading);
  return policy
    ? readPolicy(policy, depth + 1, reading)
    : readPolicyMembers(members, pointer, depth + 1, reading);
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
