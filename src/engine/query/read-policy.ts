/** Reads policies, items and checks, wrapped or bare, and normalizes them (L2–L4). */
import { OPERATOR_NAMES, OPERATORS, type OperatorName } from '../operators/operators.js';
import { pointerTo } from '../problems.js';
import {
  findOnlyMember,
  type Member,
  type Members,
  type NameList,
  type ObjectForm,
  readClaimPath,
  readList,
  readMembers,
  readName,
  requireMember,
} from './members.js';
import type { ParseContext } from './parse-context.js';
import type { Policy, PolicyItem } from './query.js';
import { readOperand } from './read-operand.js';

/** Operator names of other languages, which are too different for a spelling suggestion. */
const OPERATOR_ALIASES: ReadonlyMap<string, OperatorName> = new Map([
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

const CHECK_FORM: ObjectForm<CheckMember> = { label: 'A check', members: CHECK_MEMBERS };

const OPERATOR_NAME_LIST: NameList<OperatorName> = {
  label: 'operator',
  names: OPERATOR_NAMES,
  unknownCode: 'operator_unknown',
  aliases: OPERATOR_ALIASES,
};

/** Reads a check; `undefined` where it is invalid, which is reported. */
export function readCheck(member: Member, context: ParseContext): PolicyItem | undefined {
  const members = readMembers(member.value, member.pointer, CHECK_FORM, context);
  return members && readCheckMembers(members, member.pointer, context);
}

/** Reads a check from the members of an object. */
function readCheckMembers(
  members: Members<CheckMember>,
  pointer: string,
  context: ParseContext,
): PolicyItem | undefined {
  countCheck(pointer, context);
  const claimMember = requireMember(members, 'claim', CHECK_FORM, pointer, context);
  const operatorMember = requireMember(members, 'operator', CHECK_FORM, pointer, context);
  const claim = claimMember && readClaimPath(claimMember, context);
  const operator = operatorMember && readName(operatorMember, OPERATOR_NAME_LIST, context);
  if (operator === undefined) return undefined;
  const { operand } = OPERATORS[operator];
  if (operand === 'none') return withoutOperand(claim, operator, members, context);
  const valueMember = requireMember(members, 'value', CHECK_FORM, pointer, context);
  const value = valueMember && readOperand(operator, operand, valueMember, context);
  if (claim === undefined || value === undefined) return undefined;
  return Object.freeze({ check: Object.freeze({ claim, operator, value }) });
}

function countCheck(pointer: string, context: ParseContext): void {
  const { limits, problems, checkPointers } = context;
  checkPointers.push(pointer);
  // Reported once, at the first check beyond the limit.
  if (checkPointers.length !== limits.checks + 1) return;
  problems.addLimit('limit_checks', pointer, limits.checks, 'A query must have', 'checks');
}

function withoutOperand(
  claim: string | undefined,
  operator: OperatorName,
  members: Members<CheckMember>,
  context: ParseContext,
): PolicyItem | undefined {
  const operand = members.get('value');
  if (operand !== undefined) {
    const message = `\`${operator}\` must not have a \`value\`; remove it.`;
    return context.problems.add('operand_unexpected', operand.pointer, message);
  }
  return claim === undefined ? undefined : Object.freeze({ check: Object.freeze({ claim, operator }) });
}

type PolicyMember = 'allOf' | 'anyOf' | 'not';
type ItemMember = 'check' | 'policy' | CheckMember | PolicyMember;

const POLICY_MEMBERS: readonly PolicyMember[] = ['allOf', 'anyOf', 'not'];
const POLICY_FORM: ObjectForm<PolicyMember> = { label: 'A policy', members: POLICY_MEMBERS };
const ITEM_FORM: ObjectForm<ItemMember> = {
  label: 'An item',
  members: ['check', 'policy', ...CHECK_MEMBERS, ...POLICY_MEMBERS],
};

/** The four shapes of an item: wrapped check, wrapped policy, bare check, bare policy. */
const ITEM_SHAPES: readonly (readonly ItemMember[])[] = [
  ['check'],
  ['policy'],
  CHECK_MEMBERS,
  POLICY_MEMBERS,
];

/**
 * Reads a policy. Does not recurse beyond the depth limit (L7).
 *
 * @param depth - Number of enclosing policies.
 * @returns `undefined` where it is invalid, which is reported.
 */
export function readPolicy(member: Member, depth: number, context: ParseContext): PolicyItem | undefined {
  const members = readMembers(member.value, member.pointer, POLICY_FORM, context);
  return members && readPolicyMembers(members, member.pointer, depth, context);
}

function readPolicyMembers(
  members: Members<PolicyMember>,
  pointer: string,
  depth: number,
  context: ParseContext,
): PolicyItem | undefined {
  const only = findOnlyMember(members, POLICY_FORM, pointer, context);
  if (only === undefined) return undefined;
  if (context.exceeds('depth', depth + 1, 'limit_depth', pointer, 'Policies must nest', 'deep'))
    return undefined;
  const [name, content] = only;
  if (name === 'not') {
    const not = readNot(content, depth, context);
    return not && asItem({ not });
  }
  const items = readList(content, name, 'item', context, (item) => readItem(item, depth, context));
  return items && asItem(name === 'allOf' ? { allOf: items } : { anyOf: items });
}

function readNot({ value, pointer }: Member, depth: number, context: ParseContext): PolicyItem | undefined {
  const item = Array.isArray(value) ? onlyItem(value, pointer, context) : { value, pointer };
  return item && readItem(item, depth, context);
}

function asItem(policy: Policy): PolicyItem {
  return Object.freeze({ policy: Object.freeze(policy) });
}

function onlyItem(items: readonly unknown[], pointer: string, context: ParseContext): Member | undefined {
  if (items.length === 1) return { value: items[0], pointer: pointerTo(pointer, 0) };
  const message = `\`not\` must have exactly one item, not ${items.length}; combine several with \`anyOf\` or \`allOf\`.`;
  return context.problems.add('not_arity', pointer, message);
}

function readItem(member: Member, depth: number, context: ParseContext): PolicyItem | undefined {
  const { pointer } = member;
  const members = readMembers(member.value, pointer, ITEM_FORM, context);
  const shape = members && matchShape(members, pointer, context);
  if (members === undefined || shape === undefined) return undefined;
  if (shape === CHECK_MEMBERS) return readCheckMembers(members, pointer, context);
  const [check, policy] = [members.get('check'), members.get('policy')];
  if (check) return readCheck(check, context);
  return policy
    ? readPolicy(policy, depth + 1, context)
    : readPolicyMembers(members, pointer, depth + 1, context);
}

/** Returns the shape of an item; `undefined` where it matches none or several, which is reported. */
function matchShape(
  members: Members<ItemMember>,
  pointer: string,
  { problems }: ParseContext,
): readonly ItemMember[] | undefined {
  const [only, second] = ITEM_SHAPES.filter((names) => names.some((name) => members.has(name)));
  if (second === undefined && only !== undefined) return only;
  const code = only === undefined ? 'form_missing' : 'form_ambiguous';
  const received = only === undefined ? 'has none of their members' : 'combines several of them';
  const message = `An item must be exactly one of \`{"check": …}\`, \`{"policy": …}\`, a bare check or a bare policy; it ${received}.`;
  return problems.add(code, pointer, message);
}
