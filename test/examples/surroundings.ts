/** What the examples need around them: a service that runs, a database, a folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServe } from '../support/run-command.js';
import type { Surroundings } from './examples.js';

/** Starts them; the caller ends them. */
export async function createSurroundings(
  databaseUrl: Surroundings['databaseUrl'],
): Promise<Surroundings & { readonly end: () => Promise<void> }> {
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-examples-'));
  const service = await startServe({ cwd });
  return {
    service,
    databaseUrl,
    cwd,
    end: async () => {
      await service.stop('SIGTERM');
      rmSync(cwd, { recursive: true });
    },
  };
}
