/** json-rules-engine: one rule, which passes when its event fires. */
import { Engine, type TopLevelCondition } from 'json-rules-engine';
import type { Check, PolicyItem } from '../../src/index.js';
import { flatName } from '../scenarios/claims.js';
import { type Contender, versionOf } from './contender.js';
import { cachedPattern } from './pattern.js';

const OPERATORS: Readonly<Partial<Record<Check['operator'], string>>> = {
  '==': 'equal',
  '!=': 'notEqual',
  '>': 'greaterThan',
  '>=': 'greaterThanInclusive',
  '<': 'lessThan',
  '<=': 'lessThanInclusive',
  in: 'in',
  notIn: 'notIn',
  startsWith: 'startsWith',
  matchRegex: 'matchRegex',
};

export const jsonRulesEngine: Contender = {
  name: 'json-rules-engine',
  version: versionOf('json-rules-engine'),
  kind: 'peer',
  note: 'each result is awaited',
  supports: () => true,
  prepare: ({ query, people }) => {
    const engine = new Engine();
    engine.addOperator('startsWith', (text: string, prefix: string) => text.startsWith(prefix));
    engine.addOperator('matchRegex', (text: string, pattern: string) => cachedPattern(pattern).test(text));
    const conditions = { all: [toCondition(query)] } as unknown as TopLevelCondition;
    engine.addRule({ conditions, event: { type: 'passed' } });
    return {
      mode: 'async',
      inputs: people.map(({ flat }) => flat),
      passes: async (claims) => (await engine.run(claims)).events.length > 0,
    };
  },
};

function toCondition(item: PolicyItem): object {
  if ('check' in item) {
    const { claim, operator, value } = item.check;
    return { fact: flatName(claim), operator: OPERATORS[operator], value };
  }
  const { policy } = item;
  if ('not' in policy) return { not: toCondition(policy.not) };
  return 'allOf' in policy ? { all: policy.allOf.map(toCondition) } : { any: policy.anyOf.map(toCondition) };
}
