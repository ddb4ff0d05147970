/** Checks that a write is acknowledged only after a flush that began after its commit (V12, S183). */
import { describe, expect, it } from 'vitest';
import { createGroupCommit } from '../../../src/stores/sqlite/group-commit.js';

/** A disk whose flushes end when the test calls `end` or `fail`. */
function createDisk() {
  const flushes: { readonly end: () => void; readonly fail: () => void }[] = [];
  const sync = () =>
    new Promise<void>((resolve, reject) => {
      flushes.push({ end: resolve, fail: () => reject(new Error('EIO')) });
    });
  return { flushes, sync };
}

/** Returns a function that notes a commit and requests a flush. The state of the returned write becomes 'durable' or 'failed'. */
function createWriter({ committed, flush }: ReturnType<typeof createGroupCommit>) {
  return () => {
    const write = { state: 'waiting' };
    committed();
    flush().then(
      () => {
        write.state = 'durable';
      },
      () => {
        write.state = 'failed';
      },
    );
    return write;
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a group commit', () => {
  it('acknowledges writes only after a flush that began after their commits, and flushes several at once', async () => {
    const { flushes, sync } = createDisk();
    const write = createWriter(createGroupCommit(sync));
    const first = write();
    await settle();
    const others = [write(), write(), write()];
    await settle();
    expect(flushes).toHaveLength(1);
    flushes[0]?.end();
    await settle();
    expect([first, ...others].map(({ state }) => state)).toEqual([
      'durable',
      'waiting',
      'waiting',
      'waiting',
    ]);
    expect(flushes).toHaveLength(2);
    flushes[1]?.end();
    await settle();
    expect(others.map(({ state }) => state)).toEqual(['durable', 'durable', 'durable']);
  });

  it('flushes nothing without a commit, but waits for the flush of earlier ones', async () => {
    const { flushes, sync } = createDisk();
    const group = createGroupCommit(sync);
    await group.flush();
    expect(flushes).toHaveLength(0);
    const first = createWriter(group)();
    const reader = group.flush().then(() => first.state);
    await settle();
    expect(flushes).toHaveLength(1);
    flushes[0]?.end();
    expect(await reader).toBe('durable');
    expect(flushes).toHaveLength(1);
  });

  it('rejects every write after a failed flush, whose outcome is unknown', async () => {
    const { flushes, sync } = createDisk();
    const write = createWriter(createGroupCommit(sync));
    const first = write();
    await settle();
    const second = write();
    flushes[0]?.fail();
    await settle();
    const third = write();
    await settle();
    expect([first, second, third].map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    expect(flushes).toHaveLength(1);
  });
});
