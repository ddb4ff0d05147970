/**
 * Checks the OpenAPI document against a running service: requests are drawn from the document, and every answer must be documented.
 *
 *   npm run check -- openapi --requests 10000 [--seed N] [--store sqlite|postgres]
 *
 * Exit code 0: every answer is documented, and every success of every operation was seen; 1: not so; 2: the options are wrong.
 */
import { parseArgs } from 'node:util';
import { describeInterface } from '../../src/http/index.js';
import { seedOf } from '../faults/seeded-choice.js';
import startPostgres from '../support/postgres-for-tests.js';
import { checkDocument } from './check-document.js';
import { startDeployment } from './deployments.js';

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
    'check:openapi: `--requests` must be a whole number from 1, `--seed` a whole number, `--store` `sqlite` or `postgres`\n',
  );
  process.exitCode = 2;
} else {
  process.exitCode = await run(requests, seedOf(values.seed), values.store);
}

async function run(count: number, seed: number, store: string): Promise<number> {
  if (store === 'postgres') process.env['PROVISO_TEST_STORE'] = 'postgres';
  const stopPostgres = store === 'postgres' ? await startPostgres() : undefined;
  const deployments = [await startDeployment('sandbox'), await startDeployment('production')];
  try {
    const {
      generated: drawn,
      sent,
      statusCounts: seen,
      neverSeen: unseen,
      problems,
    } = await checkDocument({
      document: describeInterface('http://127.0.0.1/v2', '0.0.0'),
      deployments,
      requests: count,
      seed,
      onProgress: (line) => process.stdout.write(`${line}\n`),
    });
    const pairs = [...seen.values()].flatMap((counts) => [...counts.values()]);
    process.stdout.write(
      [
        '',
        `${drawn} drawn requests on ${store} with seed ${seed}; ${sent} were sent with those that prepare a state`,
        `${pairs.filter((one) => one > 0).length} of ${pairs.length} documented statuses were seen`,
        'Never seen, apart from 408, 429 and 5xx:',
        ...unseen.map((line) => `  ${line}`),
        ...(problems.length === 0
          ? ['Every answer is documented, and every success was seen.']
          : ['FOUND', ...problems]),
        '',
      ].join('\n'),
    );
    return problems.length === 0 ? 0 : 1;
  } finally {
    // A server that gave an undocumented answer says so when it is stopped; the report has it already.
    for (const { started } of deployments) await started.stop().catch(() => undefined);
    await stopPostgres?.();
  }
}
