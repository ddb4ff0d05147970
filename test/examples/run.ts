/** Checks every example, and prints one line for each: `npm run check -- examples`. */
import { createPostgresCluster, type PostgresCluster } from '../support/postgres-cluster.js';
import { EXAMPLES, skipReason } from './examples.js';
import { startExampleService } from './start-example-service.js';

let cluster: PostgresCluster | undefined;
const context = await startExampleService(async () => {
  cluster = await createPostgresCluster();
  return cluster.url;
});
const width = Math.max(...EXAMPLES.map(({ name }) => name.length));
let failed = 0;
try {
  for (const example of EXAMPLES) {
    const outcome = skipReason(example) ?? (await outcomeOf(() => example.check(context)));
    if (outcome.startsWith('FAILED')) failed += 1;
    process.stdout.write(`${example.name.padEnd(width)}  ${outcome}\n`);
  }
} finally {
  await context.end();
  await cluster?.remove();
}
process.exitCode = failed === 0 ? 0 : 1;

async function outcomeOf(check: () => Promise<void>): Promise<string> {
  try {
    await check();
    return 'works';
  } catch (error) {
    return `FAILED: ${error instanceof Error ? error.message : String(error)}`;
  }
}
