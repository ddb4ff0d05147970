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
  compile,
  evaluateMany,
  findClaim,
  type JsonValue,
  type QueryError as Refusal,
  toClaimReference,
} from '../../src/index.js';
import { USUAL_INSTANT } from '../../src/testing/arbitraries/instant.js';
import { credentialDrafts, policy, toCredentials } from '../../src/testing/index.js';
import type * as workersEntry from '../../src/workers/index.js';

const NUMBERS = { 'a.age': Float64Array.from({ length: 40_000 }, (_, row) => row % 36) };
const ADULT = { check: { claim: 'a.age', operator: '>=', value: 18 } };
const LIMITS = { matchCost: Number.MAX_SAFE_INTEGER };

/** The published package, in which the threads' program is next to the module. */
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

function open(columns: ClaimColumns, threads: number): workersEntry.ColumnWorkers {
  const workers = new ColumnWorkers(columns, { threads });
  opened.push(workers);
  return workers;
}

/** Numbers in the number layout, other values in the plain layout, as for many distinct values. */
function withManyValues(paths: readonly string[], sets: readonly ClaimSet[]): ClaimColumns {
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
  return new ClaimColumns(sets.length, new Map(columns));
}

/** A result without its classes, since the threads use the published package. */
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
    const coded = builder.build();
    const others = withManyValues(paths, sets);
    const [first, second] = [open(coded, 3), open(others, 2)];
    expect([first.threads, second.threads]).toEqual([3, 2]);
    let passed = 0;
    for (const query of queries) {
      const expected = evaluateMany(query, coded, { limits: LIMITS });
      expect(plain(await first.evaluateMany(query, { limits: LIMITS }))).toEqual(plain(expected));
      const ofOthers = evaluateMany(query, others, { limits: LIMITS });
      expect(plain(await second.evaluateMany(query, { limits: LIMITS }))).toEqual(plain(ofOthers));
      passed += expected.count;
    }
    // Of 150 times 150, some and not all: the answers were not all alike.
    expect(passed).toBeGreaterThan(1_000);
    expect(passed).toBeLessThan(21_500);
  });

  // V14
  it('starts no more threads than needed for the subjects, and at least one', async () => {
    const few = open(ClaimColumns.of({ 'a.age': Float64Array.of(17, 18, 19) }), 8);
    const none = open(ClaimColumns.of({}), 8);
    expect([few.threads, none.threads, few.size, none.size]).toEqual([1, 1, 3, 0]);
    expect([...(await few.evaluateMany(ADULT)).passed]).toEqual([1, 2]);
    expect((await none.evaluateMany(ADULT)).count).toBe(0);
  });

  // V14
  it('processes concurrent queries in order, each with its own result', async () => {
    const workers = open(ClaimColumns.of(NUMBERS), 2);
    const asked = [3, 18, 30].map((value) => ({ check: { claim: 'a.age', operator: '<', value } }));
    const answers = await Promise.all(asked.map((query) => workers.evaluateMany(query)));
    const columns = ClaimColumns.of(NUMBERS);
    expect(answers.map(plain)).toEqual(asked.map((query) => plain(evaluateMany(query, columns))));
  });

  // V14
  it('copies the columns, also from shared memory', async () => {
    const shared = new Float64Array(new SharedArrayBuffer(64 * 8)).fill(20);
    const workers = open(ClaimColumns.of({ 'a.age': shared }), 2);
    shared.fill(1);
    expect((await workers.evaluateMany(ADULT)).count).toBe(64);
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

describe('progress and abort', () => {
  // V14
  it('reports progress as the sum over the threads, up to all subjects', async () => {
    const workers = open(ClaimColumns.of(NUMBERS), 2);
    const told: number[] = [];
    await workers.evaluateMany(ADULT, {
      sliceRows: 8_192,
      onProgress: (done, total) => {
        expect(total).toBe(40_000);
        told.push(done);
      },
    });
    expect(told).toHaveLength(6);
    expect(told).toEqual([...told].sort((one, other) => one - other));
    expect(told.at(-1)).toBe(40_000);
  });

  // V14
  it('rejects with the reason of an abort, after which the workers remain usable', async () => {
    const workers = open(ClaimColumns.of(NUMBERS), 2);
    const abort = new AbortController();
    const answer = workers.evaluateMany(ADULT, {
      sliceRows: 8_192,
      signal: abort.signal,
      onProgress: () => abort.abort(new Error('enough')),
    });
    await expect(answer).rejects.toThrow('enough');
    await expect(workers.evaluateMany(ADULT, { signal: abort.signal })).rejects.toThrow('enough');
    expect((await workers.evaluateMany(ADULT)).count).toBe(
      evaluateMany(ADULT, ClaimColumns.of(NUMBERS)).count,
    );
  });

  // V14
  it('rejects with what a progress listener throws', async () => {
    const workers = open(ClaimColumns.of(NUMBERS), 2);
    const onProgress = () => {
      throw new Error('the listener broke');
    };
    await expect(workers.evaluateMany(ADULT, { onProgress })).rejects.toThrow('the listener broke');
    expect((await workers.evaluateMany(ADULT)).count).toBeGreaterThan(0);
  });
});

describe('errors of worker threads', () => {
  // L7, L8, V14
  it('equal those of one thread: invalid queries, projections, limits, slices, threads', async () => {
    const columns = ClaimColumns.of(NUMBERS);
    const workers = open(columns, 2);
    const refusedFor = async (query: unknown, options = {}) => {
      const alone = (() => {
        try {
          return evaluateMany(query, columns, options);
        } catch (error) {
          return error as Error;
        }
      })();
      const together = await workers.evaluateMany(query, options).catch((error: unknown) => error as Error);
      expect([(together as Error).name, (together as Error).message]).toEqual([
        (alone as Error).name,
        (alone as Error).message,
      ]);
      return together;
    };
    const malformed = await refusedFor({ check: { claim: 'a.age', operator: '>>', value: 1 } });
    expect(malformed).toBeInstanceOf(QueryError);
    expect(await refusedFor({ projections: [{ claim: 'a.age', lens: 'pluck' }] })).toBeInstanceOf(TypeError);
    expect(await refusedFor(ADULT, { limits: { checks: -1 } })).toBeInstanceOf(RangeError);
    expect(await refusedFor(ADULT, { sliceRows: 100 })).toBeInstanceOf(RangeError);
    expect(() => new ColumnWorkers(columns, { threads: 0 })).toThrow(
      '`threads` must be a whole number of 1 or more (got 0)',
    );
  });

  // S156
  it('report the cost limit for the first subject that exceeds it', async () => {
    const texts = Array.from({ length: 100 }, (_, row) => 'x'.repeat(row === 70 || row === 99 ? 50 : 1));
    const columns = ClaimColumns.of({ 'a.name': texts });
    const query = { check: { claim: 'a.name', operator: 'matchRegex', value: '(x|y)+$' } };
    const options = { limits: { matchCost: 100 } };
    const refusal = await open(columns, 3)
      .evaluateMany(query, options)
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(QueryError);
    const { code, problems } = refusal as Refusal;
    expect(code).toBe('query_too_large');
    try {
      evaluateMany(query, columns, options);
      expect.unreachable();
    } catch (error) {
      expect(problems).toEqual((error as Refusal).problems);
    }
  });

  // V14
  it('reject pending and later queries once the workers are closed', async () => {
    const workers = open(ClaimColumns.of(NUMBERS), 2);
    const waiting = expect(workers.evaluateMany(ADULT)).rejects.toThrow('the workers were closed');
    await workers.close();
    await waiting;
    await expect(workers.evaluateMany(ADULT)).rejects.toThrow('the workers were closed');
    await workers.close();
  });

  // V14
  it.each([
    ['ends', 'process.exit(1)', 'a worker thread has exited; create a new `ColumnWorkers`'],
    ['throws', 'throw new Error("out of luck")', 'out of luck'],
  ])(
    'reject pending and later queries where a thread %s, and terminate all threads',
    async (_, death, reason) => {
      // Loaded before each thread's own program, with which the first thread does not begin.
      const preload = `import { threadId } from 'node:worker_threads'; if (threadId === 1) ${death};`;
      const program = `const { ClaimColumns } = require('proviso');
        const { ColumnWorkers } = require('proviso/workers');
        const workers = new ColumnWorkers(ClaimColumns.of({ 'a.age': new Float64Array(40_000) }), { threads: 3 });
        const ask = () => workers.evaluateMany(${JSON.stringify(ADULT)}).catch(({ message }) => message);
        ask().then(async (first) => console.log(JSON.stringify([first, await ask()])));`;
      // That it ends at all shows that no thread keeps it alive.
      const { stdout } = await promisify(execFile)(process.execPath, [
        `--import=data:text/javascript,${encodeURIComponent(preload)}`,
        `--eval=${program}`,
      ]);
      expect(JSON.parse(stdout)).toEqual([reason, reason]);
    },
  );
});
