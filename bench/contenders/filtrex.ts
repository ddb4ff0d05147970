/** filtrex: an expression compiled to JavaScript. */
import { compileExpression } from 'filtrex';
import { createFlatObjectContender, versionOf } from './contender.js';
import { type ExpressionDialect, toExpression } from './expression-text.js';
import { cachedPattern } from './pattern.js';

const dialect: ExpressionDialect = {
  and: 'and',
  or: 'or',
  not: 'not ',
  claim: (flat) => flat,
  // The language has only numbers and strings; booleans are passed as constants.
  literal: (value) => (typeof value === 'boolean' ? `is_${value}` : JSON.stringify(value)),
  isIn: (claim, list) => `${claim} in (${list.join(', ')})`,
  startsWith: (claim, prefix) => `starts_with(${claim}, ${prefix})`,
  matches: (claim, pattern) => `matches(${claim}, ${pattern})`,
};

const options = {
  constants: { is_true: true, is_false: false },
  extraFunctions: {
    starts_with: (text: string, prefix: string) => text.startsWith(prefix),
    matches: (text: string, pattern: string) => cachedPattern(pattern).test(text),
  },
};

export const filtrex = createFlatObjectContender(
  { name: 'filtrex', version: versionOf('filtrex') },
  (query) => toExpression(query, dialect),
  (text) => {
    const compiled = compileExpression(text, options);
    return (claims) => compiled(claims) === true;
  },
);
