/** Checks that `test` agrees with `evaluate`. */
import { expect, it } from 'vitest';
import { ClaimSet, createScopeCatalogue } from '../../src/index.js';
import { policy, scenario } from '../../src/testing/index.js';
import { compile } from '../support/with-re2js.js';
import { ANY_COST, holdsForAll, regex } from './law.js';

// L21
it('`test` passes exactly when the result of `evaluate` passes', () => {
  const policies = policy().map((drawn) => ({ policy: drawn }));
  holdsForAll(scenario(policies), ({ query, credentials, now }) => {
    const catalogue = createScopeCatalogue([{ name: 'all', covers: ['x', 'y', 'z'] }]);
    const compiled = compile(query, { regex, catalogue, limits: ANY_COST });
    const claims = ClaimSet.at(credentials, now);
    const result = compiled.evaluate(claims, { now, scopes: ['all'] });
    expect(result).toMatchObject({ type: 'predicate', passed: compiled.test(claims) });
  });
});
