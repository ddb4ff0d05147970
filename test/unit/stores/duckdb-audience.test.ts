/** Audiences on a DuckDB file to which no connection can be opened (V14). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openDuckdbAudience } from '../../../src/stores/duckdb/open-duckdb-audience.js';

// V14
it('`openDuckdbAudience` closes a DuckDB file that it opened but could not connect to', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-duckdb-'));
  onTestFinished(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, 'people.duckdb');
  (await DuckDBInstance.create(path)).closeSync();
  vi.spyOn(DuckDBInstance.prototype, 'connect').mockRejectedValueOnce(new Error('no connection'));
  const close = vi.spyOn(DuckDBInstance.prototype, 'closeSync');
  await expect(openDuckdbAudience(path)).rejects.toThrow('no connection');
  expect(close).toHaveBeenCalledTimes(1);
});
