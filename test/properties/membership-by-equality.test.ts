/** `in` and `notIn` in terms of `==` and `!=`. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { credentialDrafts, jsonValue } from '../../src/testing/index.js';
import { claimsFor, holdsForAll, passes } from './law.js';

const claim = 'x.a';

/** Values of a list that is not empty – of none there is no policy – and claims that are often among them. */
function listsAndClaims(minLength: number) {
  const values = fc.array(jsonValue().filter(isOperand), { minLength, maxLength: 5 });
  return fc.tuple(values, credentialDrafts()).map(([value, drafts]) => {
    return { value, claims: claimsFor({ claim, operator: 'in', value }, drafts) };
  });
}

/** Operands nest at most 16 deep, inside of a list at most 15. */
function isOperand(value: unknown): boolean {
  return !/[[{]{15}/.test(JSON.stringify(value).replace(/"[^"]*":/g, ''));
}

// L16, L18
it('in a list that is not empty means equal to any of its elements', () => {
  holdsForAll(listsAndClaims(1), ({ value, claims }) => {
    const anyOf = value.map((element) => ({ claim, operator: '==', value: element }) as const);
    expect(passes({ claim, operator: 'in', value }, claims)).toBe(passes({ anyOf }, claims));
  });
});

// L14, L18
it('not in a list that is not empty means unequal to all of its elements, and fails on an undefined claim as they do', () => {
  holdsForAll(listsAndClaims(1), ({ value, claims }) => {
    const allOf = value.map((element) => ({ claim, operator: '!=', value: element }) as const);
    expect(passes({ claim, operator: 'notIn', value }, claims)).toBe(passes({ allOf }, claims));
  });
});

// L14, L18
it('nothing is in an empty list, and every defined claim is not in it', () => {
  holdsForAll(listsAndClaims(0), ({ claims }) => {
    expect(passes({ claim, operator: 'in', value: [] }, claims)).toBe(false);
    const isDefined = passes({ claim, operator: 'isDefined' }, claims);
    expect(passes({ claim, operator: 'notIn', value: [] }, claims)).toBe(isDefined);
  });
});
