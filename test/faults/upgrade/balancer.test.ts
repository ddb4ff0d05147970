/** Starts of instances behind the load balancer of the upgrade test. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createBalancer } from './balancer.js';

it('an instance that a signal ends during its start is not started again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-balancer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const command = join(folder, 'crash.cjs');
  const starts = join(folder, 'starts');
  writeFileSync(
    command,
    `require('node:fs').appendFileSync(${JSON.stringify(starts)}, 'x'); process.kill(process.pid, 'SIGKILL');`,
  );
  const balancer = createBalancer(folder, {});
  await expect(balancer.add({ name: 'next', command })).rejects.toThrow('serve ended with SIGKILL');
  expect(readFileSync(starts, 'utf8')).toBe('x');
});
