/** @marcbachmann/cel-js: the Common Expression Language. */
import { Environment } from '@marcbachmann/cel-js';
import { createFlatObjectContender, versionOf } from './contender.js';
import { type ExpressionDialect, toExpression } from './expression-text.js';

const dialect: ExpressionDialect = {
  and: '&&',
  or: '||',
  not: '!',
  claim: (flat) => flat,
  // JavaScript numbers become doubles in CEL, which never equal an integer literal.
  literal: (value) => (typeof value === 'number' ? value.toFixed(1) : JSON.stringify(value)),
  isIn: (claim, list) => `${claim} in [${list.join(', ')}]`,
  startsWith: (claim, prefix) => `${claim}.startsWith(${prefix})`,
  matches: (claim, pattern) => `${claim}.matches(${pattern})`,
};

const environment = new Environment({
  unlistedVariablesAreDyn: true,
  limits: { maxListElements: 100_000, maxAstNodes: 100_000, maxDepth: 1_000 },
});

export const celJs = createFlatObjectContender(
  { name: '@marcbachmann/cel-js', version: versionOf('@marcbachmann/cel-js') },
  (query) => toExpression(query, dialect),
  (text) => {
    const evaluate = environment.parse(text);
    return (claims) => evaluate(claims) === true;
  },
);
