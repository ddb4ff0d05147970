/** Cedar's own WebAssembly build: a policy parsed once, a request with the claims as its context. */
import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import { flatContender, versionOf, withoutPatterns } from './contender.js';
import { type ExpressionDialect, toExpression } from './expression-text.js';

const dialect: ExpressionDialect = {
  and: '&&',
  or: '||',
  not: '!',
  claim: (flat) => `context.${flat}`,
  literal: (value) => JSON.stringify(value),
  isIn: (claim, list) => `[${list.join(', ')}].contains(${claim})`,
  startsWith: (claim, beginning) => `${claim} like ${beginning.slice(0, -1)}*"`,
  matches: () => {
    throw new Error('Cedar has no regular expressions');
  },
};

const request = {
  principal: { type: 'Person', id: 'anybody' },
  action: { type: 'Action', id: 'pass' },
  resource: { type: 'Query', id: 'query' },
  entities: [],
};

/** Policies stay in the module's memory under their names; a fixed number of names keeps it from growing. */
const NAME_COUNT = 512;
let named = 0;

export const cedar = flatContender(
  {
    name: '@cedar-policy/cedar-wasm',
    version: versionOf('@cedar-policy/cedar-wasm'),
    note: 'each request is written as JSON for WebAssembly',
    supports: withoutPatterns,
  },
  (query) => `permit(principal, action, resource) when { ${toExpression(query, dialect)} };`,
  (staticPolicies) => {
    named = (named + 1) % NAME_COUNT;
    const preparsedPolicySetId = `query-${named}`;
    const parsed = preparsePolicySet(preparsedPolicySetId, { staticPolicies });
    if (parsed.type !== 'success') throw new Error(JSON.stringify(parsed.errors));
    return (claims) => {
      const answer = statefulIsAuthorized({ ...request, context: claims, preparsedPolicySetId });
      return answer.type === 'success' && answer.response.decision === 'allow';
    };
  },
);
