/** The log while its file cannot be written. */
import fs, { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createServiceLog } from '../../../src/telemetry/service-log.js';

const MEGABYTE = 'x'.repeat(1_000_000);

it('the log continues when its file can be written again, although more lines than it can buffer were logged meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'log');
  const log = createServiceLog('info', openSync(file, 'w'));
  // Fails as on a full disk.
  const write = vi.spyOn(fs, 'write').mockImplementation(((...args: readonly unknown[]) => {
    const callback = args.at(-1) as (error: Error) => void;
    setImmediate(callback, Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
  }) as unknown as typeof fs.write);
  onTestFinished(() => write.mockRestore());
  for (let line = 1; line <= 20; line += 1) {
    log.event(`line ${line}`, { text: MEGABYTE });
    await new Promise((resolve) => setImmediate(resolve));
  }
  write.mockRestore();
  log.event('again', { text: MEGABYTE });
  await expect.poll(() => readFileSync(file).length).toBeGreaterThan(16_000_000);
  log.event('the last one');
  await expect.poll(() => readFileSync(file, 'utf8')).toMatch(/the last one"}\n$/);
  const events = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly event: string }).event);
  const kept = events.filter((event) => event.startsWith('line'));
  expect(kept.length).toBeLessThan(20);
  expect(kept).toEqual(kept.map((_event, index) => `line ${index + 1}`));
});

// `PIPE_BUF`: a longer line could be mixed with those of another process that writes to the same pipe.
it('a line about a failure with many causes and long stacks is at most 4096 bytes long, and has the kind of each cause', () => {
  let error = new RangeError('x');
  for (let depth = 0; depth < 4; depth += 1) error = new RangeError('x', { cause: error });
  for (let one: unknown = error; one instanceof Error; one = one.cause)
    one.stack = `RangeError: x\n${`    at ${'é'.repeat(80)} (/app/node_modules/driver/index.js:1:1)\n`.repeat(20)}`;
  const lines: string[] = [];
  createServiceLog('info', { write: (line) => lines.push(line) }, 1).failure('sweep', error, 'r'.repeat(64));
  const [line = ''] = lines;
  expect(Buffer.byteLength(line)).toBeLessThanOrEqual(4_096);
  expect(Buffer.byteLength(line)).toBeGreaterThan(2_500);
  expect(line.match(/"kind":"RangeError"/g)).toHaveLength(5);
});
