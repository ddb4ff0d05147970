/** What is remembered of a database is what a read would find now (V11, S148). */
import { describe, expect, it } from 'vitest';
import { createReadMemory } from '../../../src/stores/read-memory.js';

/** A database of one text by key, which counts its reads and its commits. */
function createDatabase(weight = 0) {
  const rows = new Map<string, string>();
  const counts = { commits: 0, reads: 0, questions: 0 };
  let turnEnds: (() => void)[] = [];
  return {
    counts,
    endTurn: () => {
      for (const end of turnEnds) end();
      turnEnds = [];
    },
    commit: (key: string, value: string) => {
      rows.set(key, value);
      counts.commits += 1;
    },
    freshness: {
      revision: () => {
        counts.questions += 1;
        return counts.commits;
      },
      afterTurn: (callback: () => void) => void turnEnds.push(callback),
    },
    read: async (key: string) => {
      counts.reads += 1;
      return { value: rows.get(key), weight };
    },
  };
}

describe('what is remembered', () => {
  it('is not read again before something is committed, and is read again after that (V11, S148)', async () => {
    const database = createDatabase();
    const read = createReadMemory(database.freshness).remember(database.read);
    database.commit('a', 'one');
    expect([await read('a'), await read('a'), database.counts.reads]).toEqual(['one', 'one', 1]);
    database.commit('b', 'else');
    expect([await read('a'), await read('b'), database.counts.reads]).toEqual(['one', 'else', 3]);
    database.commit('a', 'two');
    expect(await read('a')).toBe('two');
  });

  it('is never that there is nothing: who guesses keys fills no memory', async () => {
    const database = createDatabase();
    const read = createReadMemory(database.freshness).remember(database.read);
    expect([await read('a'), await read('a'), database.counts.reads]).toEqual([undefined, undefined, 2]);
  });

  it('is not what was read while something was committed and asked for since (V11)', async () => {
    const database = createDatabase();
    let arrive = (): void => undefined;
    const slow = createReadMemory(database.freshness).remember(async (key: string) => {
      const found = await database.read(key);
      if (key === 'a' && database.counts.reads === 1)
        await new Promise<void>((resolve) => (arrive = resolve));
      return found;
    });
    database.commit('a', 'old');
    const first = slow('a');
    database.commit('a', 'new');
    expect(await slow('a')).toBe('new');
    arrive();
    expect([await first, await slow('a')]).toEqual(['old', 'new']);
  });

  it('is forgotten where there is no room for more, and what is larger than all the room is not kept', async () => {
    const database = createDatabase(700);
    for (const key of ['a', 'b', 'c']) database.commit(key, key);
    const read = createReadMemory(database.freshness, 2_000).remember(database.read);
    const readsOf = async (key: string) => {
      const before = database.counts.reads;
      expect(await read(key)).toBe(key);
      return database.counts.reads - before;
    };
    const order = ['a', 'b', 'a', 'b', 'c', 'c', 'a'];
    const reads: number[] = [];
    for (const key of order) reads.push(await readsOf(key));
    expect(reads).toEqual([1, 1, 0, 0, 1, 0, 1]);
    const small = createReadMemory(database.freshness, 500).remember(database.read);
    await small('a');
    const before = database.counts.reads;
    await small('a');
    expect(database.counts.reads - before).toBe(1);
  });

  it('is asked about once for all that one request reads in a turn, and again in the next turn (V11, S148)', async () => {
    const database = createDatabase();
    const memory = createReadMemory(database.freshness);
    const [token, credentials] = [memory.remember(database.read), memory.remember(database.read)];
    database.commit('a', 'one');
    const asked = memory.ask();
    expect([await token('a', asked), await credentials('a', asked), database.counts.questions]).toEqual([
      'one',
      'one',
      1,
    ]);
    database.commit('a', 'two');
    // Another request asks for itself, in the same turn.
    expect([await token('a', memory.ask()), database.counts.questions]).toEqual(['two', 2]);
    database.endTurn();
    database.commit('a', 'three');
    expect([await credentials('a', asked), database.counts.questions]).toEqual(['three', 3]);
  });

  it('is the same object each time, and of two reads with one key each keeps its own', async () => {
    const memory = createReadMemory(createDatabase().freshness);
    const one = memory.remember(async (key: string) => ({ value: { key }, weight: 0 }));
    const other = memory.remember(async (key: string) => ({ value: [key], weight: 0 }));
    expect(await one('a')).toBe(await one('a'));
    expect(await other('a')).toEqual(['a']);
  });
});
