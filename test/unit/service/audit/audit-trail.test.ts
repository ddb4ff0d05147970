/** Batching and writing of the audit trail. */
import { describe, expect, it } from 'vitest';
import { type AuditEntry, createAuditTrail } from '../../../../src/service/index.js';

/** Creates an audit trail on a store and an event loop that the test controls: the test ends each write and each turn. */
function createManualTrail() {
  const writes: { readonly entries: readonly AuditEntry[]; readonly end: (error?: Error) => void }[] = [];
  const turns: (() => void)[] = [];
  const store = {
    recordAudit: (entries: readonly AuditEntry[]) =>
      new Promise<void>((resolve, reject) =>
        writes.push({ entries, end: (error) => (error === undefined ? resolve() : reject(error)) }),
      ),
  };
  const trail = createAuditTrail(store, (work) => turns.push(work));
  const endTurn = async () => {
    turns.shift()?.();
    await settled();
  };
  return { trail, writes, turns, endTurn };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const entry = (at: number): AuditEntry => ({ at, kind: 'query_answered' });

describe('the audit entries of a turn', () => {
  it('are written together at its end, and their callers continue after the write', async () => {
    const { trail, writes, turns, endTurn } = createManualTrail();
    const done: number[] = [];
    const first = trail.record([entry(1), entry(2)]).then(() => done.push(1));
    const second = trail.record([entry(3)]).then(() => done.push(2));
    await settled();
    expect([writes.length, turns.length]).toEqual([0, 1]);
    await endTurn();
    expect(writes.map(({ entries }) => entries.map(({ at }) => at))).toEqual([[1, 2, 3]]);
    expect(done).toEqual([]);
    writes[0]?.end();
    await Promise.all([first, second]);
    expect(done).toEqual([1, 2]);
  });

  it('wait for the previous write, and include those recorded meanwhile', async () => {
    const { trail, writes, endTurn } = createManualTrail();
    const first = trail.record([entry(1)]);
    await endTurn();
    const second = trail.record([entry(2)]);
    await endTurn();
    const third = trail.record([entry(3)]);
    expect(writes).toHaveLength(1);
    writes[0]?.end();
    await first;
    await settled();
    expect(writes[1]?.entries.map(({ at }) => at)).toEqual([2, 3]);
    writes[1]?.end();
    await Promise.all([second, third]);
  });

  it('fail together, without failing those of the next turn', async () => {
    const { trail, writes, endTurn } = createManualTrail();
    const failing = [trail.record([entry(1)]), trail.record([entry(2)])];
    const outcome = Promise.allSettled(failing);
    trail.recordInBackground(entry(3));
    await endTurn();
    writes[0]?.end(new Error('disk full'));
    expect((await outcome).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = trail.record([entry(4)]);
    await endTurn();
    writes[1]?.end();
    await expect(next).resolves.toBeUndefined();
    expect(writes.map(({ entries }) => entries.length)).toEqual([3, 1]);
  });
});

it('flushing the audit trail waits for background entries, even if they fail', async () => {
  const { trail, writes, endTurn } = createManualTrail();
  await trail.flush();
  for (const failure of [undefined, new Error('disk full')]) {
    let ended = false;
    trail.recordInBackground(entry(1));
    const stop = trail.flush().then(() => {
      ended = true;
    });
    await endTurn();
    expect(ended).toBe(false);
    writes.at(-1)?.end(failure);
    await stop;
  }
  expect(writes).toHaveLength(2);
});

it('recording no audit entries does not write to the store', async () => {
  const { trail, turns } = createManualTrail();
  await trail.record([]);
  expect(turns).toEqual([]);
});
