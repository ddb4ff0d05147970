/** Checks that a cached read returns the same as a new read (V11, S148). */
import { describe, expect, it } from 'vitest';
import { createReadCache, createRevision } from '../../../src/stores/read-cache.js';

/** A key-value database that counts its reads and commits. */
function createDatabase(weight = 0) {
  const rows = new Map<string, string>();
  const counts = { commits: 0, reads: 0 };
  let changed: string[] | undefined = [];
  return {
    counts,
    commit: (key: string, value: string) => {
      rows.set(key, value);
      counts.commits += 1;
      changed?.push(key);
    },
    /** Makes the subjects of the commits so far unknown. */
    loseChanges: () => {
      changed = undefined;
    },
    revision: createRevision(() => counts.commits, queueMicrotask),
    changedSubjects: () => {
      const subjects = changed;
      changed = [];
      return subjects;
    },
    read: async (key: string) => {
      counts.reads += 1;
      return { value: rows.get(key), weight, subject: key };
    },
  };
}

/** A database whose revision is checked at the end of turns that the test ends. */
function createTurns() {
  const database = createDatabase();
  const counts = { checks: 0, failures: 0 };
  const callbacks: (() => void)[] = [];
  const read = () => {
    counts.checks += 1;
    if (counts.checks <= counts.failures) throw new Error('the revision cannot be read');
    return database.counts.commits;
  };
  const revision = createRevision(read, (callback) => void callbacks.push(callback));
  const endTurn = () => {
    for (const callback of callbacks.splice(0)) callback();
  };
  return { database, counts, revision, endTurn };
}

describe('a cached read', () => {
  // V11, S148
  it('is repeated only after a commit that changed it, or after changes that are unknown', async () => {
    const database = createDatabase();
    const read = createReadCache(database)(database.read, 'check');
    database.commit('a', 'one');
    expect([await read('a'), await read('a'), database.counts.reads]).toEqual(['one', 'one', 1]);
    database.commit('b', 'else');
    expect([await read('a'), await read('b'), database.counts.reads]).toEqual(['one', 'else', 2]);
    database.commit('a', 'two');
    expect([await read('a'), await read('b'), database.counts.reads]).toEqual(['two', 'else', 3]);
    database.commit('a', 'three');
    database.loseChanges();
    expect([await read('a'), await read('b'), database.counts.reads]).toEqual(['three', 'else', 5]);
  });

  it('does not cache absent values, so that guessed keys cannot fill memory', async () => {
    const database = createDatabase();
    const read = createReadCache(database)(database.read, 'check');
    expect([await read('a'), await read('a'), database.counts.reads]).toEqual([undefined, undefined, 2]);
  });

  // V11
  it('does not return the value of an earlier read that was in progress during a commit', async () => {
    const database = createDatabase();
    let finishRead = (): void => undefined;
    let reportStart = (): void => undefined;
    const started = new Promise<void>((resolve) => (reportStart = resolve));
    const slow = createReadCache(database)(async (key: string) => {
      const found = await database.read(key);
      if (key === 'a' && database.counts.reads === 1) {
        reportStart();
        await new Promise<void>((resolve) => (finishRead = resolve));
      }
      return found;
    }, 'check');
    database.commit('a', 'old');
    const first = slow('a');
    await started;
    database.commit('a', 'new');
    expect(await slow('a')).toBe('new');
    finishRead();
    expect([await first, await slow('a')]).toEqual(['old', 'new']);
  });

  it('is evicted when the cache is full, and not cached if it exceeds the capacity', async () => {
    const database = createDatabase(700);
    for (const key of ['a', 'b', 'c']) database.commit(key, key);
    const read = createReadCache(database, 4_000)(database.read, 'check');
    const readsOf = async (key: string) => {
      const before = database.counts.reads;
      expect(await read(key)).toBe(key);
      return database.counts.reads - before;
    };
    const order = ['a', 'b', 'a', 'b', 'c', 'c', 'a'];
    const reads: number[] = [];
    for (const key of order) reads.push(await readsOf(key));
    expect(reads).toEqual([1, 1, 0, 0, 1, 0, 1]);
    const small = createReadCache(database, 1_000)(database.read, 'check');
    await small('a');
    const before = database.counts.reads;
    await small('a');
    expect(database.counts.reads - before).toBe(1);
  });

  // V11, S148
  it('stays cached while a value that exceeds the capacity is read', async () => {
    const [database, large] = [createDatabase(), createDatabase(10_000)];
    const memoize = createReadCache(database, 2_000);
    const [read, readLarge] = [memoize(database.read, 'check'), memoize(large.read, 'check')];
    database.commit('a', 'one');
    large.commit('b', 'many');
    await read('a');
    expect([await readLarge('b'), await readLarge('b'), await read('a')]).toEqual(['many', 'many', 'one']);
    expect([database.counts.reads, large.counts.reads]).toEqual([1, 2]);
  });

  it('is checked once for the requests of a turn, after the last of them has arrived', async () => {
    const { database, counts, revision, endTurn } = createTurns();
    const token = createReadCache({ ...database, revision })(database.read, 'check');
    database.commit('a', 'one');
    const first = token('a');
    database.commit('a', 'two');
    const second = token('a');
    expect(counts.checks).toBe(0);
    endTurn();
    expect([await first, await second, counts.checks]).toEqual(['two', 'two', 1]);
    database.commit('a', 'three');
    const third = token('a');
    endTurn();
    expect([await third, counts.checks]).toEqual(['three', 2]);
  });

  it('is checked before the end of the turn if sixteen requests wait', async () => {
    const { database, counts, revision, endTurn } = createTurns();
    const token = createReadCache({ ...database, revision })(database.read, 'check');
    await Promise.all(Array.from({ length: 16 }, () => token('a')));
    expect(counts.checks).toBe(1);
    const later = token('a');
    endTurn();
    await later;
    expect(counts.checks).toBe(2);
  });

  it('in recall mode uses the last check until the end of the next turn, once for each request that it was made for', async () => {
    const { database, counts, revision, endTurn } = createTurns();
    const memoize = createReadCache({ ...database, revision });
    const [token, credentials] = [memoize(database.read, 'check'), memoize(database.read, 'recall')];
    const check = async (requests: number) => {
      const reads = Array.from({ length: requests }, () => token('a'));
      endTurn();
      await Promise.all(reads);
    };
    database.commit('a', 'one');
    await check(2);
    expect([await credentials('a'), await credentials('a'), counts.checks]).toEqual(['one', 'one', 1]);
    database.commit('a', 'two');
    expect([await credentials('a'), counts.checks]).toEqual(['two', 2]);
    await check(2);
    endTurn();
    database.commit('a', 'three');
    expect([await credentials('a'), counts.checks]).toEqual(['three', 4]);
  });

  it('in recall mode checks again after this process has run a statement', async () => {
    const { database, counts, revision, endTurn } = createTurns();
    const memoize = createReadCache({ ...database, revision });
    const [token, credentials] = [memoize(database.read, 'check'), memoize(database.read, 'recall')];
    const read = token('a');
    endTurn();
    await read;
    database.commit('a', 'one');
    revision.expire();
    expect([await credentials('a'), counts.checks]).toEqual(['one', 2]);
  });

  it('rejects the requests whose check fails, and checks again for the next one', async () => {
    const { database, counts, revision, endTurn } = createTurns();
    const token = createReadCache({ ...database, revision })(database.read, 'check');
    counts.failures = 1;
    const failed = [token('a'), token('b')];
    endTurn();
    const outcomes = await Promise.allSettled(failed);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    database.commit('a', 'one');
    const next = token('a');
    endTurn();
    expect(await next).toBe('one');
  });

  it('returns the same object each time, and separate ones for different read functions', async () => {
    const memoize = createReadCache(createDatabase());
    const one = memoize(async (key: string) => ({ value: { key }, weight: 0, subject: key }), 'check');
    const other = memoize(async (key: string) => ({ value: [key], weight: 0, subject: key }), 'check');
    expect(await one('a')).toBe(await one('a'));
    expect(await other('a')).toEqual(['a']);
  });
});
