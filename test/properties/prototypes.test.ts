/** Checks that paths, members and operands never reach a prototype. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ClaimSet, type JsonValue } from '../../src/index.js';
import { jsonValue, scenario } from '../../src/testing/index.js';
import { compile } from '../support/with-re2js.js';
import { holdsForAll, outcomeText } from './law.js';

const INHERITED = Object.getOwnPropertyNames(Object.prototype).filter((name) => /^[A-Za-z]\w*$/.test(name));

// L9, L13, S160
it('inherited properties are never found as claims', () => {
  const name = fc.constantFrom(...INHERITED, 'length', 'name', 'prototype');
  const value = jsonValue().filter((drawn) => !/constructor|length|name|proto/i.test(JSON.stringify(drawn)));
  holdsForAll(fc.tuple(name, value), ([member, claimValue]) => {
    const credential = { id: 'c1', source: 's', issuedAt: 0, claims: { 'x.a': claimValue } };
    const claims = ClaimSet.at([credential], 1);
    for (const claim of [`x.a.${member}`, `x.${member}`, `x.a.${member}.${member}`]) {
      expect(compile({ check: { claim, operator: 'isDefined' } }).test(claims)).toBe(false);
    }
  });
});

// L9, S160
it('evaluation does not modify prototypes', () => {
  const before = snapshot();
  holdsForAll(scenario(), (drawn) => {
    const poisoned = JSON.parse(JSON.stringify(drawn.query).replaceAll('"a"', '"__proto__"')) as JsonValue;
    outcomeText(drawn);
    outcomeText({ ...drawn, query: poisoned });
  });
  expect(snapshot()).toEqual(before);
});

/** The own properties of the prototypes, with their attributes. */
function snapshot(): readonly (readonly (readonly [PropertyKey, PropertyDescriptor | undefined])[])[] {
  return [Object, Array, String, Number, Boolean, Function, Map, Set, RegExp, Date].map(({ prototype }) =>
    Reflect.ownKeys(prototype).map(
      (name) => [name, Reflect.getOwnPropertyDescriptor(prototype, name)] as const,
    ),
  );
}
