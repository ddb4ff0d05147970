/** Reads a check: claim, operator, operand (L2). */
import { isOperatorName, OPERATORS } from '../operators/catalogue.js';
import { OPERATOR_NAMES, type OperatorName } from '../operators/operator.js';
import { type Member, type Members, type ObjectForm, readMembers } from './members.js';
import { nearestSpelling } from './nearest-spelling.js';
import { alternatives, quote } from './problem-list.js';
import type { Check } from './query.js';
import { readClaimPath } from './read-claim.js';
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

export type CheckMember = 'claim' | 'operator' | 'value';

const CHECK_FORM: ObjectForm<CheckMember> = { called: 'a check', members: ['claim', 'operator', 'value'] };

/** @returns `undefined` where it is no check, which is a problem. */
export function readCheck(member: Member, reading: Reading): Check | undefined {
  const members = readMembers(member.value, member.pointer, CHECK_FORM, reading.problems);
  return members && readCheckMembers(members, member.pointer, reading);
}

/** Reads a check whose members stand in an object that was read already. */
export function readCheckMembers(
  members: Members<CheckMember>,
  pointer: string,
  reading: Reading,
): Check | undefined {
  countCheck(pointer, reading);
  const claimMember = required(members, 'claim', pointer, reading);
  const operatorMember = required(members, 'operator', pointer, reading);
  const claim = claimMember && readClaimPath(claimMember, reading);
  const operator = operatorMember && readOperator(operatorMember, reading);
  if (operator === undefined) return undefined;
  const { operand } = OPERATORS[operator];
  if (operand === 'none') return withoutOperand(claim, operator, members, reading);
  const valueMember = required(members, 'value', pointer, reading);
  const value = valueMember && readOperand(operator, operand, valueMember, reading);
  return claim === undefined || value === undefined ? undefined : Object.freeze({ claim, operator, value });
}

function countCheck(pointer: string, reading: Reading): void {
  const { limits, problems, checkPointers } = reading;
  checkPointers.push(pointer);
  // Told once, at the first check that is too many.
  if (checkPointers.length !== limits.checks + 1) return;
  problems.addLimit('limit_checks', pointer, limits.checks, `A query has at most ${limits.checks} checks.`);
}

function required(
  members: Members<CheckMember>,
  name: CheckMember,
  pointer: string,
  reading: Reading,
): Member | undefined {
  const member = members.get(name);
  if (member === undefined)
    reading.problems.add('member_missing', pointer, `This check also needs \`${name}\`.`);
  return member;
}

function readOperator({ value, pointer }: Member, reading: Reading): OperatorName | undefined {
  if (typeof value === 'string' && isOperatorName(value)) return value;
  const nearest =
    typeof value === 'string'
      ? (FOREIGN_NAMES.get(value) ?? nearestSpelling(value, OPERATOR_NAMES))
      : undefined;
  const expected = nearest === undefined ? alternatives(OPERATOR_NAMES) : `\`${nearest}\``;
  const message =
    typeof value === 'string'
      ? `${quote(value)} is no operator; ${expected} would be.`
      : `\`operator\` is ${expected}.`;
  reading.problems.add('operator_unknown', pointer, message);
  return undefined;
}

function withoutOperand(
  claim: string | undefined,
  operator: OperatorName,
  members: Members<CheckMember>,
  reading: Reading,
): Check | undefined {
  const operand = members.get('value');
  if (operand !== undefined) {
    reading.problems.add(
      'operand_unexpected',
      operand.pointer,
      `\`${operator}\` takes no \`value\`; leave it out.`,
    );
    return undefined;
  }
  return claim === undefined ? undefined : Object.freeze({ claim, operator });
}
