/** `>`, `>=`, `<` and `<=`: numbers by value, dates by instant (L17). */
import { parseInstant } from '../claims/instant.js';
import type { OperatorDefinition, OperatorName, ValueTest } from './operator.js';

type Comparison = (claim: number, operand: number) => boolean;

export const greater = ordering('>', (claim, operand) => claim > operand);
export const greaterOrEqual = ordering('>=', (claim, operand) => claim >= operand);
export const less = ordering('<', (claim, operand) => claim < operand);
export const lessOrEqual = ordering('<=', (claim, operand) => claim <= operand);

function ordering(name: OperatorName, compare: Comparison): OperatorDefinition<number | string> {
  return {
    name,
    operand: 'number-or-date',
    compile: (operand) =>
      typeof operand === 'number' ? onNumbers(compare, operand) : onInstants(compare, operand),
  };
}

function onNumbers(compare: Comparison, operand: number): ValueTest {
  return (claim) => typeof claim === 'number' && compare(claim, operand);
}

function onInstants(compare: Comparison, operand: string): ValueTest {
  // Parsing has made sure that the text is an instant.
  const instant = parseInstant(operand) as number;
  return (claim) => {
    const claimed = typeof claim === 'string' ? parseInstant(claim) : undefined;
    return claimed !== undefined && compare(claimed, instant);
  };
}
