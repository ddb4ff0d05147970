/** Reads policies, items and checks, wrapped or bare, and normalizes them (L2–L4). */
import { OPERATOR_NAMES, OPERATORS, type OperatorName } from '../operators/operators.js';
import { pointerTo } from '../problems.js';
import {
  type Member,
  type Members,
  type NameList,
  type ObjectForm,
  readClaimPath,
  readExclusiveMembers,
  readList,
  readMembers,
  readName,
  requireMember,
} from './members.js';
import type { ParseContext } from './parse-context.js';
import type { Policy, PolicyItem } from './query.js';
import { readOperand } from './read-operand.js';

/** Operator names of other languages, and transposed signs, for which a suggestion by similar spelling would be missing or wrong. */
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
  if (!countCheck(member.pointer, context)) return undefined;
  const members = readMembers(member.value, member.pointer, CHECK_FORM, context);
  return members && readCheckMembers(members, member.pointer, context);
}

/** Reads a check from the members of an object. */
function readCheckMembers(
  members: Members<CheckMember>,
  pointer: string,
  context: ParseContext,
): PolicyItem | undefined {
  const claimMember = requireMember(members, 'claim', CHECK_FORM, pointer, context);
  const claim = claimMember && readClaimPath(claimMember, context);
  const operatorMember = requireMember(members, 'operator', CHECK_FORM, pointer, context);
  const operator = operatorMember && readName(operatorMember, OPERATOR_NAME_LIST, context);
  if (operator === undefined) return undefined;
  const { operand } = OPERATORS[operator];
  if (operand === 'none') return readCheckWithoutOperand(claim, operator, members, context);
  const valueMember = requireMember(members, 'value', CHECK_FORM, pointer, context);
  const value = valueMember && readOperand(operator, operand, valueMember, context);
  if (valueMember === undefined || claim === undefined || value === undefined) return undefined;
  context.claims
    ?.find(({ path }) => path === claim)
    ?.reportOperand?.({ operator, value, pointer: valueMember.pointer }, context.problems);
  return Object.freeze({ check: Object.freeze({ claim, operator, value }) });
}

/** Counts a check. The first one beyond the limit is reported. @returns Whether the check is within the limit. */
function countCheck(pointer: string, context: ParseContext): boolean {
  const { limits, problems, checkPointers } = context;
  checkPointers.push(pointer);
  if (checkPointers.length === limits.checks + 1)
    problems.addLimit('limit_checks', pointer, limits.checks, 'A query must have', 'checks');
  return checkPointers.length <= limits.checks;
}

function readCheckWithoutOperand(
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
  if (isTooDeep(depth, member.pointer, context)) return undefined;
  const members = readMembers(member.value, member.pointer, POLICY_FORM, context);
  return members && readPolicyMembers(members, member.pointer, depth, context);
}

function isTooDeep(depth: number, pointer: string, context: ParseContext): boolean {
  return context.exceeds('depth', depth + 1, 'limit_depth', pointer, 'Policies must nest', 'deep');
}

function readPolicyMembers(
  members: Members<PolicyMember>,
  pointer: string,
  depth: number,
  context: ParseContext,
): PolicyItem | undefined {
  let read: PolicyItem | undefined;
  for (const [name, content] of readExclusiveMembers(members, POLICY_FORM, pointer, context))
    read = readCombination(name, content, depth, context);
  return read;
}

function readCombination(
  name: PolicyMember,
  content: Member,
  depth: number,
  context: ParseContext,
): PolicyItem | undefined {
  if (name === 'not') {
    const not = readNot(content, depth, context);
    return not && asItem({ not });
  }
  const items = readList(content, name, 'item', context, (item) => readItem(item, depth, context));
  return items && asItem(name === 'allOf' ? { allOf: items } : { anyOf: items });
}

function readNot(member: Member, depth: number, context: ParseContext): PolicyItem | undefined {
  const { value, pointer } = member;
  if (!Array.isArray(value)) return readItem(member, depth, context);
  if (value.length !== 1) {
    const message = `\`not\` must have exactly one item, not ${value.length}; combine several with \`anyOf\` or \`allOf\`.`;
    context.problems.add('not_arity', pointer, message);
  }
  const read = Array.from(value, (item: unknown, index) =>
    readItem({ value: item, pointer: pointerTo(pointer, index) }, depth, context),
  );
  return read[0];
}

function asItem(policy: Policy): PolicyItem {
  return Object.freeze({ policy: Object.freeze(policy) });
}

function readItem(member: Member, depth: number, context: ParseContext): PolicyItem | undefined {
  const { pointer } = member;
  const members = readMembers(member.value, pointer, ITEM_FORM, context);
  if (members === undefined) return undefined;
  const shapes = ITEM_SHAPES.filter((names) => names.some((name) => members.has(name)));
  const [shape, second] = shapes;
  if (shape === undefined || second !== undefined) {
    const code = shape === undefined ? 'form_missing' : 'form_ambiguous';
    const received = shape === undefined ? 'has none of their members' : 'combines several of them';
    const message = `An item must be exactly one of \`{"check": …}\`, \`{"policy": …}\`, a bare check or a bare policy; it ${received}.`;
    context.problems.add(code, pointer, message);
    readAmbiguousItem(members, pointer, depth, context);
    return undefined;
  }
  if (shape === CHECK_MEMBERS)
    return countCheck(pointer, context) ? readCheckMembers(members, pointer, context) : undefined;
  const [check, policy] = [members.get('check'), members.get('policy')];
  if (check) return readCheck(check, context);
  if (policy) return readPolicy(policy, depth + 1, context);
  return isTooDeep(depth + 1, pointer, context)
    ? undefined
    : readPolicyMembers(members, pointer, depth + 1, context);
}

/** Reports the problems of each member of an item that has several shapes. No member of the item is reported as missing, since its shape is not known. */
function readAmbiguousItem(
  members: Members<ItemMember>,
  pointer: string,
  depth: number,
  context: ParseContext,
): void {
  const [check, policy] = [members.get('check'), members.get('policy')];
  if (check) readCheck(check, context);
  if (policy) readPolicy(policy, depth + 1, context);
  const [claim, operatorMember] = [members.get('claim'), members.get('operator')];
  if (claim) readClaimPath(claim, context);
  const operator = operatorMember && readName(operatorMember, OPERATOR_NAME_LIST, context);
  const value = members.get('value');
  if (operator && value) {
    const { operand } = OPERATORS[operator];
    if (operand === 'none') readCheckWithoutOperand(undefined, operator, members, context);
    else readOperand(operator, operand, value, context);
  }
  const combinations = POLICY_MEMBERS.filter((name) => members.has(name));
  if (combinations.length === 0 || isTooDeep(depth + 1, pointer, context)) return;
  for (const name of combinations) readCombination(name, members.get(name) as Member, depth + 1, context);
}
