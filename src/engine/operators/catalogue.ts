/** The closed table of the twelve operators; parser, schema and documentation all read it. */
import { equals, notEquals } from './equality.js';
import { contains, isIn, notIn } from './membership.js';
import type { OperatorDefinition, OperatorName } from './operator.js';
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
