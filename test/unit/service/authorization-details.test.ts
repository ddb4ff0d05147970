/** Conditions with claims whose paths are like those that the analysis of a query uses in place of patterns. */
import { expect, it } from 'vitest';
import { re2js } from '../../../src/regex/re2js.js';
import type { Application } from '../../../src/service/clients/application.js';
import { createConditionParser } from '../../../src/service/conditions/authorization-details.js';
import { createServiceCatalogue, DEFAULT_CATALOGUE } from '../../../src/service/index.js';

const APPLICATION: Application = {
  ...{ clientId: 'cinema', name: 'Cinema', organizationId: 'o1', redirectUris: [], scopes: [] },
  ...{ authorizationDetailsTypes: ['claims_condition'], idTokenAlgorithm: 'RS256', createdAt: 0 },
};
const NAMED = { claim: 'identity.legal_name', operator: 'matchRegex', value: '^[A-Z]' };

/** Parses a condition whose query has a pattern, and checks on claims with the given paths. */
function parseWith(policy: object, paths: readonly string[]) {
  const [claim] = DEFAULT_CATALOGUE.claims.filter(({ path }) => path === NAMED.claim);
  if (claim === undefined) throw new Error('the default catalogue must have the claim');
  const claims = [...DEFAULT_CATALOGUE.claims, ...paths.map((path) => ({ ...claim, path }))];
  const catalogue = createServiceCatalogue({ ...DEFAULT_CATALOGUE, claims });
  const details = [{ type: 'claims_condition', query: { policy }, purpose: 'To sell a ticket.' }];
  const parser = createConditionParser({ regex: re2js, catalogue, limits: {} });
  return parser.parseRequest(JSON.stringify(details), APPLICATION);
}

// S288
it.each([[['pattern.p0']], [['pattern.p0', 'pattern_.p0']]])(
  'a query with a pattern and the claims %j is not rejected as always false or always true',
  (paths) => {
    const defined = paths.map((claim) => ({ claim, operator: 'isDefined' }));
    const undefinedClaims = defined.map((check) => ({ not: check }));
    expect(parseWith({ allOf: [NAMED, ...undefinedClaims] }, paths)).toHaveLength(1);
    expect(parseWith({ anyOf: [{ not: NAMED }, ...defined] }, paths)).toHaveLength(1);
  },
);
