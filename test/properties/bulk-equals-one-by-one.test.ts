/** Checks that bulk evaluation gives the results of single evaluations. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { LOOKUPS_BEFORE_INDEX } from '../../src/engine/bulk/claim-columns.js';
import { toPlainColumn } from '../../src/engine/bulk/column.js';
import {
  ClaimColumns,
  ClaimColumnsBuilder,
  ClaimSet,
  type Column,
  findClaim,
  type JsonValue,
  QueryError,
  toClaimReference,
} from '../../src/index.js';
import { USUAL_INSTANT } from '../../src/testing/arbitraries/instant.js';
import { type CredentialDraft, credentialDrafts, policy, toCredentials } from '../../src/testing/index.js';
import { compile, evaluateMany } from '../support/with-re2js.js';
import { ANY_COST, holdsForAll, regex } from './law.js';

/** Between two and three words of a bitmap, to cover full words and a partial one. */
const ROWS = 75;

/** Enough to detect bugs planted in kernels, bit-sliced indexes and columns: of fourteen, the hardest required 1,108 runs. */
const RUNS = 1_500;

/** A few people, repeated in this order. */
const people = fc
  .array(credentialDrafts(), { minLength: 1, maxLength: 12, size: 'max' })
  .map((drawn) => Array.from({ length: ROWS }, (_, row) => drawn[row % drawn.length] as (typeof drawn)[0]));
const queries = policy().map((drawn) => ({ policy: drawn }));

/** Credentials for a query, on which about half of its checks pass. */
function credentialsOf(person: readonly CredentialDraft[], query: unknown) {
  return toCredentials(person, query as JsonValue, USUAL_INSTANT);
}

/** The outcome: a result, or the error of a rejected query. */
function outcome(select: () => readonly number[]): unknown {
  try {
    return select();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { code: error.code, problems: error.problems };
  }
}

// V14
it('bulk evaluation selects the same people from their credentials as single evaluations', () => {
  holdsForAll(
    fc.tuple(queries, people),
    ([query, drawn]) => {
      const options = { regex, limits: ANY_COST };
      const compiled = compile(query, options);
      const builder = new ClaimColumnsBuilder({ now: USUAL_INSTANT });
      const expected = drawn.map((person) => {
        const credentials = credentialsOf(person, query);
        builder.addCredentials(credentials);
        return Number(compiled.test(ClaimSet.at(credentials, USUAL_INSTANT)));
      });
      const columns = builder.build();
      const first = evaluateMany(query, columns, options);
      expect([...first.passed.toBytes()]).toEqual(expected);
      expect(first.count).toBe(expected.filter((passed) => passed === 1).length);
      // Frequently used columns get a bit-sliced index, which must give the same results.
      for (let lookup = 2; lookup < LOOKUPS_BEFORE_INDEX; lookup += 1) evaluateMany(query, columns, options);
      expect(evaluateMany(query, columns, options)).toEqual(first);
    },
    RUNS,
  );
});

// V14, L13–L19
it('bulk evaluation selects the same people in columns of any layout', () => {
  holdsForAll(
    fc.tuple(queries, people),
    ([query, drawn]) => {
      const options = { regex, limits: ANY_COST };
      const compiled = compile(query, options);
      const sets = drawn.map((person) => ClaimSet.at(credentialsOf(person, query), USUAL_INSTANT));
      const expected = sets.map((claims) => Number(compiled.test(claims)));
      const builder = new ClaimColumnsBuilder({ now: USUAL_INSTANT, claims: compiled.claims });
      for (const claims of sets) builder.addClaimSet(claims);
      expect([...evaluateMany(query, builder.build(), options).passed.toBytes()]).toEqual(expected);
      expect([
        ...evaluateMany(query, withoutDictionary(compiled.claims, sets), options).passed.toBytes(),
      ]).toEqual(expected);
    },
    RUNS,
  );
});

// S156
it('bulk evaluation fails with the error of the first subject for whom a pattern exceeds the cost limit', () => {
  holdsForAll(
    fc.tuple(queries, people, fc.integer({ min: 1, max: 60 })),
    ([query, drawn, matchCost]) => {
      const options = { regex, limits: { matchCost } };
      const compiled = compile(query, options);
      const builder = new ClaimColumnsBuilder({ now: USUAL_INSTANT });
      const sets = drawn.map((person) => {
        const credentials = credentialsOf(person, query);
        builder.addCredentials(credentials);
        return ClaimSet.at(credentials, USUAL_INSTANT);
      });
      expect(outcome(() => [...evaluateMany(query, builder.build(), options).passed.toBytes()])).toEqual(
        outcome(() => sets.map((claims) => Number(compiled.test(claims)))),
      );
    },
    RUNS,
  );
});

/** Columns without a dictionary, as for many distinct values: the number layout if all values are numbers, or else the plain layout. */
function withoutDictionary(paths: readonly string[], sets: readonly ClaimSet[]): ClaimColumns {
  const columns = paths.map((path) => {
    const reference = toClaimReference(path);
    const values = sets.map((claims) => findClaim(claims, reference)?.value);
    return [path, toColumnWithoutDictionary(values)] as const;
  });
  return new ClaimColumns(sets.length, new Map(columns), 'all');
}

function toColumnWithoutDictionary(values: readonly (JsonValue | undefined)[]): Column {
  if (!values.every((value) => value === undefined || value === null || typeof value === 'number')) {
    return toPlainColumn(values);
  }
  return {
    layout: 'numbers',
    values: Float64Array.from(values, (value) => (typeof value === 'number' ? value : Number.NaN)),
    nulls: values.includes(null) ? Uint8Array.from(values, (value) => Number(value === null)) : undefined,
  };
}
