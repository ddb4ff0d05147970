/** Checks that queries of the builder are valid, and have the scopes that they require. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Condition, p } from '../../src/builder/index.js';
import type { JsonValue } from '../../src/index.js';
import { jsonNumber, jsonString } from '../../src/testing/index.js';
import { compile, parse } from '../support/with-re2js.js';
import { holdsForAll, regex } from './law.js';

const strings = () => fc.array(jsonString(), { minLength: 1, maxLength: 4 });

/** Checks of every operator, on claims of several scopes. */
const built = fc.letrec<{ condition: Condition; check: Condition; policy: Condition }>((tie) => ({
  condition: fc.oneof({ depthSize: 'small' }, tie('check'), tie('policy')),
  check: fc.oneof(
    jsonNumber().map((age) => p.claim('identity.age').gte(age)),
    jsonNumber().map((worth) => p.claim('financial.net_worth').lt(worth)),
    jsonNumber().map((score) => p.claim('identity.service_score').differsFrom(score)),
    fc.constant(p.claim('kyc.last_updated_at').gt('2026-01-31')),
    fc.boolean().map((passed) => p.claim('kyc.passed').equals(passed)),
    strings().map(([first = '', ...others]) => p.claim('identity.nationality').in([first, ...others])),
    strings().map((list) => p.claim('kyc.document_country').notIn(list)),
    jsonString().map((prefix) => p.claim('identity.email').startsWith(prefix)),
    fc.constantFrom('^a+$', '[0-9]{2}').map((pattern) => p.claim('identity.email').matches(pattern)),
    fc
      .jsonValue({ maxDepth: 3 })
      .map((element) => p.claim('identity.wallet_addresses').contains(element as JsonValue)),
    fc.constant(p.claim('identity.legal_name').isDefined()),
  ),
  policy: fc.oneof(
    several(tie('condition')).map((items) => p.allOf(...items)),
    several(tie('condition')).map((items) => p.anyOf(...items)),
    tie('condition').map((negated) => p.not(negated)),
  ),
}));

// L3, L4, L25
it('`parse` accepts a built query unchanged', () => {
  holdsForAll(built.condition, ({ query }) => {
    expect(parse(query)).toEqual(query);
    const sent = JSON.stringify(query);
    expect(JSON.stringify(parse(JSON.parse(sent)))).toBe(sent);
  });
});

// L20
it('the scopes of a built query are sufficient and minimal', () => {
  holdsForAll(built.condition, ({ query, scopes }) => {
    const { assertCovered } = compile(query, { regex });
    assertCovered(scopes);
    for (const scope of scopes) {
      expect(() => assertCovered(scopes.filter((other) => other !== scope))).toThrow('do not cover');
    }
  });
});

function several(conditions: fc.Arbitrary<Condition>): fc.Arbitrary<[Condition, ...Condition[]]> {
  return fc
    .tuple(conditions, fc.array(conditions, { maxLength: 2 }))
    .map(([first, rest]) => [first, ...rest]);
}
