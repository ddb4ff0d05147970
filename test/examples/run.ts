/** Starts and checks every example, with one line for each: `npm run check -- examples`. */
import { createPostgresCluster, type PostgresCluster } from '../support/postgres-cluster.js';
import { EXAMPLES, hindrance } from './examples.js';
import { createSurroundings } from './surroundings.js';

let cluster: PostgresCluster | undefined;
const surroundings = await createSurroundings(async () => {
  cluster = await createPostgresCluster();
  return cluster.url;
});
const width = Math.max(...EXAMPLES.map(({ name }) => name.length));
let failed = 0;
try {
  for (const example of EXAMPLES) {
    const outcome = hindrance(example) ?? (await outcomeOf(() => example.check(surroundings)));
    if (outcome.startsWith('FAILED')) failed += 1;
    process.stdout.write(`${example.name.padEnd(width)}  ${outcome}\n`);
  }
} finally {
  await surroundings.end();
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
