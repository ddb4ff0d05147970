/** Descriptions of claim types in messages. */
import { expect, it } from 'vitest';
import { describeClaimType } from '../../../src/service/claims/describe-claim-type.js';

it.each([
  ['boolean', undefined, 'a boolean'],
  ['integer', undefined, 'an integer'],
  ['object', undefined, 'an object'],
  ['array', undefined, 'an array'],
  ['array', ['a', 'b'], 'an array of `a`, `b`'],
  ['enum', undefined, 'a string'],
  ['enum', ['a', 'b'], 'one of `a`, `b`'],
] as const)('a claim of type %s with the values %j is described in words', (type, values, description) => {
  expect(describeClaimType({ type, ...(values === undefined ? {} : { values }) })).toBe(description);
});
