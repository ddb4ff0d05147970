/** `>`, `>=`, `<` and `<=`: numbers by value, dates by instant (L17). */
import { parseInstant } from '../claims/instant.js';
import type { JsonValue } from '../claims/json-value.js';
import type { OperatorDefinition, OperatorName, ValueTest } from './operator.js';

type Comparison = (claim: number, operand: number) => boolean;

export const greater = ordering('>', (claim, operand) => claim > operand);
export const greaterOrEqual = ordering('>=', (claim, operand) => claim >= operand);
export const less = ordering('<', (claim, operand) => claim < operand);
export const lessOrEqual = ordering('<=', (claim, operand) => claim <= operand);

function ordering(name: OperatorName, compare: Comparison): OperatorDefinition {
  return {
    name,
    operand: { kind: 'number-or-date' },
    compile: ({ value }) =>
      typeof value === 'number' ? onNumbers(compare, value) : onInstants(compare, value),
  };
}

function onNumbers(compare: Comparison, operand: number): ValueTest {
  return (claim) => typeof claim === 'number' && compare(claim, operand);
}

function onInstants(compare: Comparison, operand: JsonValue): ValueTest {
  const instant = typeof operand === 'string' ? parseInstant(operand) : undefined;
  if (instant === undefined)
    throw new TypeError('the operand of an ordering is a number or an RFC 3339 date');
  return (claim) => {
    const claimed = typeof claim === 'string' ? parseInstant(claim) : undefined;
    return claimed !== undefined && compare(claimed, instant);
  };
}
