/** Starts the service that the examples call, in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServe } from '../support/run-command.js';
import type { ExampleContext } from './examples.js';

/** Starts the service. The caller must call `end`. */
export async function startExampleService(
  databaseUrl: ExampleContext['databaseUrl'],
): Promise<ExampleContext & { readonly end: () => Promise<void> }> {
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
