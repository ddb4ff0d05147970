/** Retries of statements while another program holds the lock of a SQLite file (V12, S183). */
import { CompiledQuery, type DatabaseConnection } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { retryWhenBusy } from '../../../src/stores/sqlite/connections.js';

let locked: boolean;
let attempts: number;
let connection: DatabaseConnection;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] });
  locked = true;
  attempts = 0;
  connection = {
    executeQuery: async ({ sql }) => {
      if (sql.startsWith('select ') || sql === 'rollback') return { rows: [] };
      attempts += 1;
      if (locked) throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
      return { rows: [] };
    },
    streamQuery: () => {
      throw new Error('not supported');
    },
  };
  retryWhenBusy(connection, () => undefined);
});

afterEach(() => {
  vi.useRealTimers();
});

/** Executes a statement. Returns `'done'`, or the code of its error after its last attempt. */
async function outcomeOf(text: string): Promise<string> {
  const outcome = connection.executeQuery(CompiledQuery.raw(text)).then(
    () => 'done',
    ({ code }: { code: string }) => code,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  return await outcome;
}

it('after a statement used 120 attempts on a locked SQLite file, each later statement makes one attempt', async () => {
  const first = outcomeOf('begin');
  expect([await first, attempts]).toEqual(['SQLITE_BUSY', 120]);
  for (const text of ['begin', 'insert into person values (1)', 'begin']) {
    expect(await outcomeOf(text)).toBe('SQLITE_BUSY');
  }
  expect(attempts).toBe(123);
});

it('once the attempts on a locked SQLite file are used up, statements fail without an attempt until the next interval, except reads and `rollback`', async () => {
  await outcomeOf('begin');
  const fail = () => connection.executeQuery(CompiledQuery.raw('begin')).catch(() => 'failed');
  expect([await fail(), await fail(), await fail(), attempts]).toEqual(['failed', 'failed', 'failed', 121]);
  expect(await connection.executeQuery(CompiledQuery.raw('select 1'))).toEqual({ rows: [] });
  expect(await connection.executeQuery(CompiledQuery.raw('rollback'))).toEqual({ rows: [] });
});

it('a statement has all attempts again after another one got the lock of a SQLite file, but not after a read', async () => {
  await outcomeOf('begin');
  await outcomeOf('select 1');
  expect([await outcomeOf('begin'), attempts]).toEqual(['SQLITE_BUSY', 121]);
  locked = false;
  expect(await outcomeOf('begin')).toBe('done');
  locked = true;
  attempts = 0;
  expect([await outcomeOf('begin'), attempts]).toEqual(['SQLITE_BUSY', 120]);
});
