/** Checks that parsing and serializing round-trip, and that equal queries have the same canonical text. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalText, type JsonValue } from '../../src/index.js';
import { query } from '../../src/testing/index.js';
import { parse } from '../support/with-re2js.js';
import { holdsForAll, regex } from './law.js';

function toCanonicalText(input: unknown): string {
  return canonicalText(parse(input, { regex }));
}

// L4, L25
it('parsing a serialized query gives the same query', () => {
  holdsForAll(query(), (drawn) => {
    const parsed = parse(drawn, { regex });
    expect(parse(JSON.parse(canonicalText(parsed)), { regex })).toEqual(positiveZeros(parsed));
    expect(parse(parsed, { regex })).toEqual(parsed);
    expect(toCanonicalText(JSON.parse(canonicalText(parsed)))).toBe(canonicalText(parsed));
  });
});

// L25
it('the canonical text does not depend on the order of members', () => {
  holdsForAll(query(), (drawn) => {
    expect(toCanonicalText(withMembersReversed(drawn as unknown as JsonValue))).toBe(toCanonicalText(drawn));
  });
});

// L4, L25
it('the canonical text does not depend on whether items are wrapped, nor on whether the item of `not` is in an array', () => {
  holdsForAll(query(), (drawn) => {
    const text = toCanonicalText(drawn);
    // All items of the canonical form are wrapped; here all are bare.
    expect(toCanonicalText(bare(JSON.parse(text)))).toBe(text);
  });
});

// L25
it('different queries have different canonical texts', () => {
  holdsForAll(fc.tuple(query(), query()), ([one, other]) => {
    const same = JSON.stringify(parse(one)) === JSON.stringify(parse(other));
    expect(toCanonicalText(one) === toCanonicalText(other)).toBe(same);
  });
});

/** Replaces −0 by 0, as the canonical text does (L16). */
function positiveZeros(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_name, inner: unknown) => (Object.is(inner, -0) ? 0 : inner));
}

function withMembersReversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withMembersReversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, withMembersReversed(inner)] as const);
  return Object.fromEntries(members.reverse());
}

/** Removes the wrappers of items, and puts the item of `not` into an array. */
function bare(printed: { policy?: Members }): unknown {
  return printed.policy === undefined ? printed : { policy: barePolicy(printed.policy) };
}

type Members = { readonly [form: string]: Item | readonly Item[] };
type Item = { readonly check?: unknown; readonly policy?: Members };

function barePolicy(policy: Members): unknown {
  const forms = Object.entries(policy).map(([form, items]) => [form, [items].flat().map(bareItem)] as const);
  return Object.fromEntries(forms);
}

function bareItem({ check, policy }: Item): unknown {
  return policy === undefined ? check : barePolicy(policy);
}
