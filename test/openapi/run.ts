/**
 * Checks the OpenAPI document against a running service: requests are generated from the document, and every response must be documented.
 *
 *   npm run check -- openapi [--requests 10000] [--seed N] [--store sqlite|postgres]
 *
 * Exit code 0: every response is documented, and every success status occurred; 1: otherwise, or an unknown option; 2: an option
 * has an invalid value.
 */
import { parseArgs } from 'node:util';
import { describeInterface } from '../../src/http/index.js';
import { seedOf } from '../faults/seeded-choice.js';
import startPostgres from '../support/postgres-for-tests.js';
import { checkDocument } from './check-document.js';
import { startDeployments } from './deployments.js';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
  },
});
const requests = Number(values.requests);
if (
  !(Number.isInteger(requests) && requests > 0) ||
  !Number.isInteger(Number(values.seed ?? 0)) ||
  !['sqlite', 'postgres'].includes(values.store)
) {
  process.stderr.write(
    'openapi: `--requests` must be an integer from 1, `--seed` an integer, `--store` `sqlite` or `postgres`\n',
  );
  process.exitCode = 2;
} else {
  process.exitCode = await run(requests, seedOf(values.seed), values.store);
}

async function run(count: number, seed: number, store: string): Promise<number> {
  if (store === 'postgres') process.env['PROVISO_TEST_STORE'] = 'postgres';
  const stopPostgres = store === 'postgres' ? await startPostgres() : undefined;
  const deployments = await startDeployments();
  try {
    const { generated, sent, statusCounts, neverSeen, problems } = await checkDocument({
      document: describeInterface('http://127.0.0.1/v2', '0.0.0'),
      deployments,
      requests: count,
      seed,
      onProgress: (line) => process.stdout.write(`${line}\n`),
    });
    const pairs = [...statusCounts.values()].flatMap((counts) => [...counts.values()]);
    process.stdout.write(
      [
        '',
        `${generated} generated requests on ${store} with seed ${seed}; ${sent} sent in total, including preparation`,
        `${pairs.filter((one) => one > 0).length} of ${pairs.length} documented statuses occurred`,
        'Statuses that never occurred, apart from 408, 429 and 5xx:',
        ...neverSeen.map((line) => `  ${line}`),
        ...(problems.length === 0
          ? ['Every response is documented, and every success status occurred.']
          : ['FOUND', ...problems]),
        '',
      ].join('\n'),
    );
    return problems.length === 0 ? 0 : 1;
  } finally {
    // Stopping a server throws if it sent an undocumented response; the report contains it already.
    for (const { started } of deployments) await started.stop().catch(() => undefined);
    await stopPostgres?.();
  }
}
