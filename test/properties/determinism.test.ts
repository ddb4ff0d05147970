/** Checks that evaluation is deterministic: the same query, credentials, scopes and instant give the same bytes. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonValue } from '../../src/index.js';
import { scenario } from '../../src/testing/index.js';
import { holdsForAll, outcomeText } from './law.js';

// L24, S169
it('two evaluations give the same bytes', () => {
  holdsForAll(scenario(), (drawn) => {
    const before = structuredClone(drawn);
    expect(outcomeText(drawn)).toBe(outcomeText(structuredClone(drawn)));
    // The evaluation does not modify its inputs.
    expect(drawn).toEqual(before);
  });
});

// L11, L24
it('the result does not depend on the order of credentials and granted scopes', () => {
  holdsForAll(fc.tuple(scenario(), fc.nat()), ([drawn, turn]) => {
    const credentials = rotate(drawn.credentials.toReversed(), turn);
    expect(outcomeText({ ...drawn, credentials, scopes: rotate(drawn.scopes, turn) })).toBe(
      outcomeText(drawn),
    );
  });
});

// L16, L24, S169
it('the result does not depend on the order of members in claims and credentials', () => {
  holdsForAll(scenario(), (drawn) => {
    // Credentials are plain JSON, which their type does not express.
    const credentials = reverseMembers(
      drawn.credentials as unknown as JsonValue,
    ) as unknown as typeof drawn.credentials;
    expect(outcomeText({ ...drawn, credentials })).toBe(outcomeText(drawn));
  });
});

function rotate<Element>(list: readonly Element[], turn: number): readonly Element[] {
  const start = turn % Math.max(1, list.length);
  return [...list.slice(start), ...list.slice(0, start)];
}

function reverseMembers(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, reverseMembers(inner)] as const);
  return Object.fromEntries(members.reverse());
}
