/** Checks that `in` and `notIn` can be expressed by `==` and `!=`. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { credentialDrafts, jsonValue } from '../../src/testing/index.js';
import { claimsFor, holdsForAll, passes } from './law.js';

const claim = 'x.a';

/** Lists, and claims that are often elements of them. Lists from which `anyOf` or `allOf` is created must not be empty. */
function listsAndClaims(minLength: number) {
  const values = fc.array(jsonValue().filter(isOperand), { minLength, maxLength: 5 });
  return fc.tuple(values, credentialDrafts()).map(([value, drafts]) => {
    return { value, claims: claimsFor({ claim, operator: 'in', value }, drafts) };
  });
}

/** Whether a list may have the value as an element: a list nests at most 16 deep, so an element at most 15. */
function isOperand(value: unknown): boolean {
  return !/[[{]{16}/.test(JSON.stringify(value).replace(/"[^"]*":/g, ''));
}

// L16, L18
it('`in` with a non-empty list equals `==` with any of its elements', () => {
  holdsForAll(listsAndClaims(1), ({ value, claims }) => {
    const anyOf = value.map((element) => ({ claim, operator: '==', value: element }) as const);
    expect(passes({ claim, operator: 'in', value }, claims)).toBe(passes({ anyOf }, claims));
  });
});

// L14, L18
it('`notIn` with a non-empty list equals `!=` with all of its elements, also on an undefined claim', () => {
  holdsForAll(listsAndClaims(1), ({ value, claims }) => {
    const allOf = value.map((element) => ({ claim, operator: '!=', value: element }) as const);
    expect(passes({ claim, operator: 'notIn', value }, claims)).toBe(passes({ allOf }, claims));
  });
});

// L14, L18
it('`in` with an empty list always fails, and `notIn` passes on every defined claim', () => {
  holdsForAll(listsAndClaims(0), ({ claims }) => {
    expect(passes({ claim, operator: 'in', value: [] }, claims)).toBe(false);
    const isDefined = passes({ claim, operator: 'isDefined' }, claims);
    expect(passes({ claim, operator: 'notIn', value: [] }, claims)).toBe(isDefined);
  });
});
