/** A process that cannot be started. */
import cluster from 'node:cluster';
import { expect, it, vi } from 'vitest';
import { startServiceProcess } from '../../../src/cli/serving/service-process.js';

it('a process counts as ended at once if the system cannot start it, and the reason is printed', async () => {
  const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const fork = vi.spyOn(cluster, 'fork').mockImplementation(() => {
    throw new Error('spawn EAGAIN');
  });
  try {
    const started = startServiceProcess({}, () => Promise.reject(new Error('not called')));
    expect([await started.ready, await started.ended, started.isReady()]).toEqual([undefined, 1, false]);
    expect(String(printed.mock.calls)).toContain('a process could not be started: spawn EAGAIN');
  } finally {
    fork.mockRestore();
    printed.mockRestore();
  }
});
