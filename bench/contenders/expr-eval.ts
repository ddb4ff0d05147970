/** expr-eval: an expression, interpreted. */
import { Parser } from 'expr-eval';
import { createFlatObjectContender, versionOf } from './contender.js';
import { type ExpressionDialect, toExpression } from './expression-text.js';
import { cachedPattern } from './pattern.js';

const dialect: ExpressionDialect = {
  and: 'and',
  or: 'or',
  not: 'not ',
  claim: (flat) => flat,
  literal: (value) => JSON.stringify(value),
  isIn: (claim, list) => `${claim} in [${list.join(', ')}]`,
  startsWith: (claim, prefix) => `startsWith(${claim}, ${prefix})`,
  matches: (claim, pattern) => `matches(${claim}, ${pattern})`,
};

const parser = new Parser({ operators: { in: true } });
parser.functions.startsWith = (text: string, prefix: string) => text.startsWith(prefix);
parser.functions.matches = (text: string, pattern: string) => cachedPattern(pattern).test(text);

export const exprEval = createFlatObjectContender(
  { name: 'expr-eval', version: versionOf('expr-eval') },
  (query) => toExpression(query, dialect),
  (text) => {
    const expression = parser.parse(text);
    // The declared types omit booleans, which are supported.
    return (claims) => expression.evaluate(claims as never) === true;
  },
);
