/**
 * Checks that a moved claim set gives the results of one that is indexed for the new instant, and that a claim set cannot be moved across
 * a change of active credentials (L10, L22, L24).
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ClaimSet, type Credential, QueryError } from '../../src/index.js';
import { scenario } from '../../src/testing/index.js';
import { compile } from '../support/with-re2js.js';

const EVERYTHING = { scopes: [], expand: () => new Set(['all']), coveringScopes: () => ['all'] };
const YEAR_MS = 366 * 86_400_000;

/** Instants at, near and far from the start and end of credentials. */
function instantNear(credentials: readonly Credential[], now: number): fc.Arbitrary<number> {
  const changes = credentials.flatMap(({ issuedAt, expiresAt = now, revokedAt = now }) => [
    issuedAt,
    expiresAt,
    revokedAt,
  ]);
  const nearby = fc
    .tuple(fc.constantFrom(now, ...changes), fc.constantFrom(-1, 0, 1))
    .map(([instant, offset]) => instant + offset);
  return fc.oneof(nearby, fc.integer({ min: now - YEAR_MS, max: now + YEAR_MS }));
}

const moves = scenario().chain((drawn) =>
  instantNear(drawn.credentials, drawn.now).map((then) => ({ ...drawn, then })),
);

// L22, L24
it('a moved claim set gives the same bytes as a new one, also after JSON was cached', () => {
  const outcomes = { moved: 0, indexed: 0 };
  fc.assert(
    fc.property(moves, ({ query, credentials, now, then }) => {
      try {
        const compiled = compile(query, { catalogue: EVERYTHING });
        const claims = ClaimSet.at(credentials, now);
        const earlier = compiled.evaluateToJson(claims, { now, scopes: [] });
        const moved = ClaimSet.move(claims, then);
        const active = (at: number) =>
          ClaimSet.at(credentials, at).metadata.attestations.map((one) => one?.id);
        if (moved === undefined) {
          outcomes.indexed += 1;
          return;
        }
        outcomes.moved += 1;
        expect(active(then)).toEqual(active(now));
        const fresh = compiled.evaluateToJson(ClaimSet.at(credentials, then), { now: then, scopes: [] });
        expect(compiled.evaluateToJson(moved, { now: then, scopes: [] })).toBe(fresh);
        expect(JSON.stringify(compiled.evaluate(moved, { now: then, scopes: [] }))).toBe(fresh);
        expect(compiled.evaluateToJson(claims, { now, scopes: [] })).toBe(earlier);
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
      }
    }),
    { seed: 20_261_121, numRuns: 3_000 },
  );
  expect(Math.min(outcomes.moved, outcomes.indexed)).toBeGreaterThan(500);
});

// L10
it('a claim set is not moved across the start or end of a credential', () => {
  const credentials = [
    { id: 'a', source: 's', issuedAt: 100, expiresAt: 200, claims: { 'x.y': 1 } },
    { id: 'b', source: 's', issuedAt: 0, revokedAt: 300, claims: { 'x.y': 2 } },
  ];
  const canMove = (from: number, to: number) =>
    ClaimSet.move(ClaimSet.at(credentials, from), to) !== undefined;
  expect([canMove(150, 100), canMove(150, 99), canMove(150, 199), canMove(150, 200)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([canMove(50, 99), canMove(50, 100), canMove(299, 300), canMove(300, 299)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

// L15
it.each([Number.NaN, 0.5, -1e18, 1e18, Number.POSITIVE_INFINITY])(
  'a claim set is not moved to %d, which is not a valid instant',
  (then) => {
    expect(ClaimSet.move(ClaimSet.at([], 0), then)).toBeUndefined();
  },
);
