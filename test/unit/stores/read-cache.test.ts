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
    revision: createRevision(
      () => counts.commits,
      () => undefined,
    ),
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
    const slow = createReadCache(database)(async (key: string) => {
      const found = await database.read(key);
      if (key === 'a' && database.counts.reads === 1)
        await new Promise<void>((resolve) => (finishRead = resolve));
      return found;
    }, 'check');
    database.commit('a', 'old');
    const first = slow('a');
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

  it('in recall mode uses the last check of the same turn, but only once, and checks again if this process has committed since', async () => {
    const database = createDatabase();
    const turnEnds: (() => void)[] = [];
    let checks = 0;
    const revision = createRevision(
      () => {
        checks += 1;
        return database.counts.commits;
      },
      (callback) => turnEnds.push(callback),
    );
    const memoize = createReadCache({ ...database, revision });
    const [token, credentials] = [memoize(database.read, 'check'), memoize(database.read, 'recall')];
    database.commit('a', 'one');
    expect([await token('a'), await credentials('a'), checks]).toEqual(['one', 'one', 1]);
    database.commit('a', 'two');
    expect([await credentials('a'), checks]).toEqual(['two', 2]);
    // Another request in the same turn makes a separate check.
    database.commit('a', 'three');
    expect([await token('a'), checks]).toEqual(['three', 3]);
    database.commit('a', 'four');
    revision.expire();
    expect([await credentials('a'), checks]).toEqual(['four', 4]);
    expect([await token('a'), checks]).toEqual(['four', 5]);
    for (const end of turnEnds) end();
    database.commit('a', 'five');
    expect([await credentials('a'), checks]).toEqual(['five', 6]);
  });

  it('returns the same object each time, and separate ones for different read functions', async () => {
    const memoize = createReadCache(createDatabase());
    const one = memoize(async (key: string) => ({ value: { key }, weight: 0, subject: key }), 'check');
    const other = memoize(async (key: string) => ({ value: [key], weight: 0, subject: key }), 'check');
    expect(await one('a')).toBe(await one('a'));
    expect(await other('a')).toEqual(['a']);
  });
});
