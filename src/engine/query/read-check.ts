/** Reads a check: claim, operator, operand (L2). */
import { OPERATOR_NAMES, OPERATORS, type OperatorName } from '../operators/operators.js';
import { type Member, type Members, type ObjectForm, readMembers, requireMember } from './members.js';
import type { PolicyItem } from './query.js';
import { readClaimPath } from './read-claim.js';
import { type Naming, readName } from './read-name.js';
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

export const CHECK_MEMBERS: readonly CheckMember[] = ['claim', 'operator', 'value'];

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
export function readCheckMembers(
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
