/** Bulk evaluation on worker threads: results, progress, aborts and errors equal those on one thread (V14). */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { toPlainColumn } from '../../src/engine/bulk/column.js';
import {
  type BulkResult,
  ClaimColumns,
  ClaimColumnsBuilder,
  ClaimSet,
  type Column,
  createEngine,
  findClaim,
  type JsonValue,
  type QueryError as QueryErrorType,
  toClaimReference,
} from '../../src/index.js';
import { USUAL_INSTANT } from '../../src/testing/arbitraries/instant.js';
import { credentialDrafts, policy, toCredentials } from '../../src/testing/index.js';
import type * as workersEntry from '../../src/workers/index.js';
import { compile, evaluateMany } from '../support/with-re2js.js';

const NUMBERS = { 'a.age': Float64Array.from({ length: 40_000 }, (_, row) => row % 36) };
const ADULT = { check: { claim: 'a.age', operator: '>=', value: 18 } };
const LIMITS = { matchCost: Number.MAX_SAFE_INTEGER };

/** The built package: the module loads the program of its threads from the same folder. */
const { ColumnWorkers } = (await import(
  new URL('../../dist/workers.js', import.meta.url).href
)) as typeof workersEntry;
const { QueryError } = (await import(new URL('../../dist/index.js', import.meta.url).href)) as {
  readonly QueryError: typeof import('../../src/index.js').QueryError;
};

const opened: workersEntry.ColumnWorkers[] = [];
afterAll(async () => {
  for (const workers of opened) await workers.close();
});

function open(
  columns: ClaimColumns,
  threads: number,
  options: workersEntry.ColumnWorkersOptions = {},
): workersEntry.ColumnWorkers {
  const workers = new ColumnWorkers(columns, { threads, ...options });
  opened.push(workers);
  return workers;
}

/** Columns in the number layout, and in the plain layout for other values, as if they had many distinct values. */
function createPlainColumns(paths: readonly string[], sets: readonly ClaimSet[]): ClaimColumns {
  const columns = paths.map((path): [string, Column] => {
    const values = sets.map(
      (claims): JsonValue | undefined => findClaim(claims, toClaimReference(path))?.value,
    );
    const isOfNumbers = values.every((value) => value == null || typeof value === 'number');
    if (!isOfNumbers) return [path, toPlainColumn(values)];
    const nulls = Uint8Array.from(values, (value) => Number(value === null));
    return [
      path,
      { layout: 'numbers', values: Float64Array.from(values, (value) => value as number), nulls },
    ];
  });
  return new ClaimColumns(sets.length, new Map(columns), 'all');
}

/** Returns the contents of a result, without its classes: the threads use those of the built package. */
function plain({ passed, count }: BulkResult) {
  return { count, size: passed.size, words: [...passed.words] };
}

describe('evaluation on several threads', () => {
  // V14, L13–L19
  it('selects the same people as on one thread, in columns of any layout', async () => {
    const queries = fc.sample(
      policy().map((drawn) => ({ policy: drawn })),
      { numRuns: 150, seed: 7 },
    );
    const paths = [...new Set(queries.flatMap((query) => compile(query, { limits: LIMITS }).claims))];
    const sets = fc
      .sample(credentialDrafts(), { numRuns: 150, seed: 8 })
      .map((person, index) =>
        ClaimSet.at(toCredentials(person, queries[index] as JsonValue, USUAL_INSTANT), USUAL_INSTANT),
      );
    const builder = new ClaimColumnsBuilder({ now: USUAL_INSTANT, claims: paths });
    for (const claims of sets) builder.addClaimSet(claims);
    const dictionary = builder.build();
    const otherLayouts = createPlainColumns(paths, sets);
    const [first, second] = [
      open(dictionary, 3, { limits: LIMITS }),
      open(otherLayouts, 2, { limits: LIMITS }),
    ];
    expect([first.threads, second.threads]).toEqual([3, 2]);
    let passed = 0;
    for (const query of queries) {
      const expected = evaluateMany(query, dictionary, { limits: LIMITS });
      expect(plain(await first.evaluateMany(query))).toEqual(plain(expected));
      const expectedOther = evaluateMany(query, otherLayouts, { limits: LIMITS });
      expect(plain(await second.evaluateMany(query))).toEqual(plain(expectedOther));
      passed += expected.count;
    }
    // Of 150 × 150 results, some pass and some do not.
    expect(passed).toBeGreaterThan(1_000);
    expect(passed).toBeLessThan(21_500);
  });

  // V14
  it('starts no more threads than needed for the subjects, and at least one', async () => {
    const few = open(ClaimColumns.of({ 'a.age': Float64Array.of(17, 18, 19) }), 8);
    const none = open(ClaimColumns.of({}, { undefinedClaims: ['a.age'] }), 8);
    expect([few.threads, none.threads, few.size, none.size]).toEqual([1, 1, 3, 0]);
    expect([...(await few.evaluateMany(ADULT)).passed]).toEqual([1, 2]);
    expect((await none.evaluateMany(ADULT)).count).toBe(0);
  });

  // V14
  it('processes concurrent queries in order, each with its own result', async () => {
    const workers = open(ClaimColumns.of(NUMBERS), 2);
    const queries = [3, 18, 30].map((value) => ({ check: { claim: 'a.age', operator: '<', value } }));
    const finished: number[] = [];
    const results = await Promise.all(
      queries.map(async (query, index) => {
        const result = await workers.evaluateMany(query);
        finished.push(index);
        return result;
      }),
    );
    expect(finished).toEqual([0, 1, 2]);
    const columns = ClaimColumns.of(NUMBERS);
    expect(results.map(plain)).toEqual(queries.map((query) => plain(evaluateMany(query, columns))));
  });

  // V14
  it('copies the columns, also from shared memory', async () => {
    const shared = new Float64Array(new SharedArrayBuffer(64 * 8)).fill(20);
    for (const values of [new Float64Array(64).fill(20), shared]) {
      const workers = open(ClaimColumns.of({ 'a.age': values }), 2);
      values.fill(1);
      expect((await workers.evaluateMany(ADULT)).count).toBe(64);
    }
  });

  it('works in CommonJS', async () => {
    const entry = createRequire(import.meta.url)('../../dist/workers.cjs') as typeof workersEntry;
    const workers = new entry.ColumnWorkers(ClaimColumns.of(NUMBERS), { threads: 2 });
    expect((await workers.evaluateMany(ADULT)).count).toBe(
      evaluateMany(ADULT, ClaimColumns.of(NUMBERS)).count,
    );
    await workers.close();
  });
});

describe('wrong arguments of worker threads', () => {
  it('are rejected by the constructor: limits, columns, number of threads', () => {
    const columns = ClaimColumns.of(NUMBERS);
    expect(() => new ColumnWorkers(columns, { limits: { checks: -1 } })).toThrow(RangeError);
    expect(() => new ColumnWorkers([] as never)).toThrow(
      '`columns` must be claim columns, created by `ClaimColumns.of` or a builder (got an array)',
    );
    expect(() => new ColumnWorkers(columns, { threads: 0 })).toThrow(
      '`threads` must be a whole number of 1 or more (got 0)',
    );
  });

  // S435
  it('are named, with the options of the function', async () => {
    const columns = ClaimColumns.of(NUMBERS);
    expect(() => new ColumnWorkers(columns, { regex: 1 } as never)).toThrow(
      '`regex` is not an option of this function. Its options are `catalogue`, `unknownClaims`, `limits` and `threads`.',
    );
    expect(() => new ColumnWorkers(columns, null as never)).toThrow('`options` must be an object (got null)');
    expect(() => new ColumnWorkers(columns, { threads: '2' as never })).toThrow(
      new TypeError('`threads` must be a whole number of 1 or more (got a string)'),
    );
    const workers = open(columns, 1);
    await expect(workers.evaluateMany(ADULT, { sliceRow: 8_192 } as never)).rejects.toThrow(
      '`sliceRow` is not an option of this function. Did you mean `sliceRows`?',
    );
  });

  // S421
  it('include a check that no value of its claim passes', async () => {
    const claim = {
      path: 'a.age',
      type: 'integer',
      scope: 'a',
      sensitivity: 'low',
      description: 'Age.',
    } as const;
    const scope = {
      name: 'a',
      category: 'a',
      sensitivity: 'low',
      displayName: 'A',
      description: 'A.',
    } as const;
    const workers = open(ClaimColumns.of(NUMBERS), 1, { catalogue: { scopes: [scope], claims: [claim] } });
    const clash = { policy: { not: { claim: 'a.age', operator: '==', value: '18' } } };
    const problems = [{ code: 'operand_type', pointer: '/policy/not/value' }];
    await expect(workers.evaluateMany(clash)).rejects.toMatchObject({ name: 'QueryError', problems });
    expect((await workers.evaluateMany(ADULT)).count).toBeGreaterThan(0);
  });
});

describe('a query on worker threads', () => {
  // V14
  it('reports progress as the sum over the threads, up to all subjects', async () => {
    const workers = open(ClaimColumns.of(NUMBERS), 2);
    const reported: number[] = [];
    await workers.evaluateMany(ADULT, {
      sliceRows: 8_192,
      onProgress: (done, total) => {
        expect(total).toBe(40_000);
        reported.push(done);
      },
    });
    expect(reported).toHaveLength(6);
    expect(reported).toEqual([...reported].sort((one, other) => one - other));
    expect(reported.at(-1)).toBe(40_000);
  });

  // V14
  it('rejects with the reason of an abort, after which the workers remain usable', async () => {
    const workers = open(ClaimColumns.of(NUMBERS), 2);
    const abort = new AbortController();
    const result = workers.evaluateMany(ADULT, {
      sliceRows: 8_192,
      signal: abort.signal,
      onProgress: () => abort.abort(new Error('enough')),
    });
    await expect(result).rejects.toThrow('enough');
    await expect(workers.evaluateMany(ADULT, { signal: abort.signal })).rejects.toThrow('enough');
    expect((await workers.evaluateMany(ADULT)).count).toBe(
      evaluateMany(ADULT, ClaimColumns.of(NUMBERS)).count,
    );
  });

  // V14
  it('rejects with the error that a progress listener throws', async () => {
    const workers = open(ClaimColumns.of(NUMBERS), 2);
    const onProgress = () => {
      throw new Error('the listener broke');
    };
    await expect(workers.evaluateMany(ADULT, { onProgress })).rejects.toThrow('the listener broke');
    expect((await workers.evaluateMany(ADULT)).count).toBeGreaterThan(0);
  });
});

describe('errors of worker threads', () => {
  it('include a value that cannot be sent to a thread, after which the workers remain usable', async () => {
    const workers = open(ClaimColumns.of(NUMBERS), 2);
    const sliceRows = (() => 1) as unknown as number;
    await expect(workers.evaluateMany(ADULT, { sliceRows })).rejects.toThrow('could not be cloned');
    expect((await workers.evaluateMany(ADULT)).count).toBeGreaterThan(0);
  });

  // L7, L8, V14
  it('equal those of one thread: invalid queries, projections, slices', async () => {
    const columns = ClaimColumns.of(NUMBERS);
    const workers = open(columns, 2);
    const errorOfQuery = async (query: unknown, options = {}) => {
      const singleThreaded = (() => {
        try {
          return evaluateMany(query, columns, options);
        } catch (error) {
          return error as Error;
        }
      })();
      const multiThreaded = await workers
        .evaluateMany(query, options)
        .catch((error: unknown) => error as Error);
      expect([(multiThreaded as Error).name, (multiThreaded as Error).message]).toEqual([
        (singleThreaded as Error).name,
        (singleThreaded as Error).message,
      ]);
      return multiThreaded;
    };
    const malformed = await errorOfQuery({ check: { claim: 'a.age', operator: '>>', value: 1 } });
    expect(malformed).toBeInstanceOf(QueryError);
    expect(await errorOfQuery({ projections: [{ claim: 'a.age', lens: 'pluck' }] })).toBeInstanceOf(
      TypeError,
    );
    expect(await errorOfQuery(ADULT, { sliceRows: 100 })).toBeInstanceOf(RangeError);
  });

  // S156
  it.each([
    ['a.name', 10, 70, '/policy/anyOf/0/check'],
    ['a.city', 70, 10, '/policy/anyOf/1/check'],
  ])(
    'report the cost limit for the first subject that exceeds it, by %s',
    async (_claim, nameRow, cityRow, pointer) => {
      const texts = (longRow: number) =>
        Array.from({ length: 100 }, (_, row) => 'x'.repeat(row === longRow ? 50 : 1));
      const columns = ClaimColumns.of({ 'a.name': texts(nameRow), 'a.city': texts(cityRow) });
      const checks = [
        { claim: 'a.name', operator: 'matchRegex', value: '(x|y)+z$' },
        { claim: 'a.city', operator: 'matchRegex', value: '(x|y)+w$' },
      ];
      // In canonical form, to which the pointers of errors of the threads refer.
      const query = { policy: { anyOf: checks.map((check) => ({ check })) } };
      const options = { limits: { matchCost: 100 } };
      const workers = open(columns, 2, options);
      // The rows 10 and 70 are on different threads.
      expect(workers.threads).toBe(2);
      const rejection = await workers.evaluateMany(query).catch((error: unknown) => error);
      expect(rejection).toBeInstanceOf(QueryError);
      const { code, problems } = rejection as QueryErrorType;
      expect([code, problems.map((problem) => problem.pointer)]).toEqual(['query_too_large', [pointer]]);
      try {
        evaluateMany(query, columns, options);
        expect.unreachable();
      } catch (error) {
        expect(problems).toEqual((error as QueryErrorType).problems);
      }
    },
  );

  // V14
  it('with a catalogue, equal those of an engine: unknown claims, wrong operands and columns', async () => {
    const claim = (path: string, type: 'boolean' | 'integer') =>
      ({ path, type, scope: 'gym:read', sensitivity: 'low', description: 'A claim.' }) as const;
    const catalogue = {
      scopes: [
        {
          name: 'gym:read',
          category: 'gym',
          sensitivity: 'low',
          displayName: 'Gym',
          description: 'Your gym.',
        },
      ],
      claims: [claim('gym.banned', 'boolean'), claim('gym.visits', 'integer')],
    } as const;
    const engine = createEngine({ catalogue });
    const columns = ClaimColumns.of({ 'gym.banned': [true, false] }, { undefinedClaims: ['gym.visits'] });
    const workers = open(columns, 2, { catalogue });
    const not = (path: string, value: unknown) => ({
      policy: { not: { claim: path, operator: '==', value } },
    });
    expect(await workers.evaluateMany(not('gym.banned', true))).toMatchObject({ count: 1 });
    for (const query of [not('gym.baned', true), not('gym.banned', 'true')]) {
      const rejection: unknown = await workers.evaluateMany(query).catch((error: unknown) => error);
      expect(rejection).toBeInstanceOf(QueryError);
      expect(() => engine.evaluateMany(query, columns)).toThrow((rejection as Error).message);
    }
    const texts = ClaimColumns.of({ 'gym.banned': ['true', 'false'] });
    expect(() => new ColumnWorkers(texts, { catalogue })).toThrow(/claim `gym.banned` must be/);
    expect(() => engine.evaluateMany(not('gym.banned', true), texts)).toThrow(/claim `gym.banned` must be/);
  });

  // V14
  it('reject pending and later queries once the workers are closed', async () => {
    const workers = open(ClaimColumns.of(NUMBERS), 2);
    const pending = expect(workers.evaluateMany(ADULT)).rejects.toThrow('the workers were closed');
    await workers.close();
    await pending;
    await expect(workers.evaluateMany(ADULT)).rejects.toThrow('the workers were closed');
    await workers.close();
  });

  // V14
  it.each([
    ['exits', 'process.exit(1)', 'a worker thread has exited; create a new `ColumnWorkers`'],
    ['throws', 'throw new Error("out of luck")', 'out of luck'],
  ])(
    'reject pending and later queries if a thread %s, and terminate all threads',
    async (_title, failure, reason) => {
      // Loaded before the program of each thread, so that the first thread fails before its program starts.
      const preload = `import { threadId } from 'node:worker_threads'; if (threadId === 1) ${failure};`;
      const program = `const { ClaimColumns } = require('proviso');
        const { ColumnWorkers } = require('proviso/workers');
        const workers = new ColumnWorkers(ClaimColumns.of({ 'a.age': new Float64Array(40_000) }), { threads: 3 });
        const outcomeOf = () => workers.evaluateMany(${JSON.stringify(ADULT)}).catch(({ message }) => message);
        outcomeOf().then(async (first) => console.log(JSON.stringify([first, await outcomeOf()])));`;
      // The process exits only if no thread keeps it alive.
      const { stdout } = await promisify(execFile)(process.execPath, [
        `--import=data:text/javascript,${encodeURIComponent(preload)}`,
        `--eval=${program}`,
      ]);
      expect(JSON.parse(stdout)).toEqual([reason, reason]);
    },
  );
});
