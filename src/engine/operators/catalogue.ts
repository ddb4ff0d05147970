/** The closed table of the twelve operators; parser, schema and documentation all read it. */
import { equals, notEquals } from './equality.js';
import { contains, isIn, notIn } from './membership.js';
import type { OperatorDefinition, OperatorName } from './operator.js';
import { OPERATOR_NAMES } from './operator.js';
import { greater, greaterOrEqual, less, lessOrEqual } from './ordering.js';
import { isDefined } from './presence.js';
import { matchRegex, startsWith } from './text.js';

export const OPERATORS: Readonly<Record<OperatorName, OperatorDefinition>> = Object.freeze({
  '==': equals,
  '!=': notEquals,
  '>': greater,
  '>=': greaterOrEqual,
  '<': less,
  '<=': lessOrEqual,
  in: isIn,
  notIn,
  contains,
  startsWith,
  matchRegex,
  isDefined,
});

/** Whether a text names an operator. Looks at own members only, so `constructor` is none (S161). */
export function isOperatorName(text: string): text is OperatorName {
  return (OPERATOR_NAMES as readonly string[]).includes(text);
}
