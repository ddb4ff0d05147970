/** Cedar's official WebAssembly build: a policy that is parsed once, and a request with the claims as its context. */
import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import { createFlatObjectContender, versionOf, withoutPatterns } from './contender.js';
import { type ExpressionDialect, toExpression } from './expression-text.js';

const dialect: ExpressionDialect = {
  and: '&&',
  or: '||',
  not: '!',
  claim: (flat) => `context.${flat}`,
  literal: (value) => JSON.stringify(value),
  isIn: (claim, list) => `[${list.join(', ')}].contains(${claim})`,
  startsWith: (claim, prefix) => `${claim} like ${prefix.slice(0, -1)}*"`,
  matches: () => {
    throw new Error('Cedar has no regular expressions');
  },
};

const request = {
  principal: { type: 'Person', id: 'person' },
  action: { type: 'Action', id: 'pass' },
  resource: { type: 'Query', id: 'query' },
  entities: [],
};

/** The module keeps policies in memory by name; a fixed number of names bounds that memory. */
const NAME_COUNT = 512;
let nameIndex = 0;

export const cedar = createFlatObjectContender(
  {
    name: '@cedar-policy/cedar-wasm',
    version: versionOf('@cedar-policy/cedar-wasm'),
    note: 'each request is serialized as JSON for WebAssembly',
    supports: withoutPatterns,
  },
  (query) => `permit(principal, action, resource) when { ${toExpression(query, dialect)} };`,
  (staticPolicies) => {
    nameIndex = (nameIndex + 1) % NAME_COUNT;
    const preparsedPolicySetId = `query-${nameIndex}`;
    const parsed = preparsePolicySet(preparsedPolicySetId, { staticPolicies });
    if (parsed.type !== 'success') throw new Error(JSON.stringify(parsed.errors));
    return (claims) => {
      const response = statefulIsAuthorized({ ...request, context: claims, preparsedPolicySetId });
      return response.type === 'success' && response.response.decision === 'allow';
    };
  },
);
