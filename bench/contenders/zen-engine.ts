/** @gorules/zen-engine: a decision of one expression, evaluated asynchronously in native code. */
import { ZenEngine } from '@gorules/zen-engine';
import { type Contender, versionOf } from './contender.js';
import { type ExpressionDialect, toExpression } from './expression-text.js';

const dialect: ExpressionDialect = {
  and: 'and',
  or: 'or',
  not: 'not ',
  claim: (flat) => flat,
  // Backslashes are literal in the strings of this language.
  literal: (value) => (typeof value === 'string' ? `"${value}"` : String(value)),
  isIn: (claim, list) => `${claim} in [${list.join(', ')}]`,
  startsWith: (claim, prefix) => `startsWith(${claim}, ${prefix})`,
  matches: (claim, pattern) => `matches(${claim}, ${pattern})`,
};

const engine = new ZenEngine();

export const zenEngine: Contender = {
  name: '@gorules/zen-engine',
  version: versionOf('@gorules/zen-engine'),
  kind: 'peer',
  note: 'each result is awaited',
  supports: () => true,
  prepare: ({ query, people }) => {
    const decision = engine.createDecision(decisionOf(toExpression(query, dialect)));
    return {
      mode: 'async',
      inputs: people.map(({ flat }) => flat),
      passes: async (claims) => {
        const { result } = await decision.evaluate(claims);
        return (result as { passed: unknown }).passed === true;
      },
    };
  },
};

function decisionOf(expression: string): object {
  const position = { x: 0, y: 0 };
  return {
    nodes: [
      { id: 'in', name: 'in', type: 'inputNode', position },
      {
        id: 'check',
        name: 'check',
        type: 'expressionNode',
        position,
        content: { expressions: [{ id: 'passed', key: 'passed', value: expression }] },
      },
      { id: 'out', name: 'out', type: 'outputNode', position },
    ],
    edges: [
      { id: 'first', type: 'edge', sourceId: 'in', targetId: 'check' },
      { id: 'second', type: 'edge', sourceId: 'check', targetId: 'out' },
    ],
  };
}
