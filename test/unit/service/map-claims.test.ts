/** Mapping of claims by JSON Pointers into credentials with withheld array elements. */
import { expect, it } from 'vitest';
import type { JsonValue } from '../../../src/engine/index.js';
import { mapClaims } from '../../../src/service/credentials/signed-credentials.js';

function claimsAt(content: Readonly<Record<string, JsonValue>>, claims: Readonly<Record<string, string>>) {
  const issuer = { issuer: 'i', source: 's', keys: [], mappings: [{ type: 'T', claims }] };
  return mapClaims({ issuer, types: ['T'], signedContent: '', issuedAt: 0, content }).claims;
}

/** An array with a value at one index and holes before it. */
function arrayWithHoles(index: number, value: JsonValue): JsonValue[] {
  const array = new Array<JsonValue>(index + 1);
  array[index] = value;
  return array;
}

it('a JSON Pointer counts withheld elements of arrays', () => {
  const list = arrayWithHoles(1, arrayWithHoles(2, 'x'));
  expect(claimsAt({ list }, { '/list/0': 'a', '/list/1/2': 'b', '/list/1/0': 'c' })).toEqual({ b: 'x' });
});

it('an array is mapped to its disclosed elements, at every depth', () => {
  const list = arrayWithHoles(1, { inner: arrayWithHoles(2, 'x') });
  const { a } = claimsAt({ list }, { '/list': 'a' });
  expect(JSON.stringify(a)).toBe('[{"inner":["x"]}]');
});
