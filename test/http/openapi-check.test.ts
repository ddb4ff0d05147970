/** Responses to requests generated from the OpenAPI document conform to it. `npm run check -- openapi` runs longer. */
import { expect, it } from 'vitest';
import { describeInterface } from '../../src/http/index.js';
import { checkDocument, type DocumentReport } from '../openapi/check-document.js';
import { startDeployments } from '../openapi/deployments.js';

const SEED = 1;
const REQUESTS = 400;

/** Runs the check on newly started deployments. */
async function check(requests: number): Promise<DocumentReport> {
  const deployments = await startDeployments();
  try {
    const document = describeInterface('http://127.0.0.1/v2', '0.0.0');
    return await checkDocument({ document, deployments, requests, seed: SEED });
  } finally {
    for (const { started } of deployments) await started.stop();
  }
}

it('every response to requests generated from the document is documented, and every documented success status occurs', async () => {
  const { problems, generated, statusCounts } = await check(REQUESTS);
  expect(problems).toEqual([]);
  expect(generated).toBeGreaterThanOrEqual(REQUESTS);
  const unused = [...statusCounts].filter(([, counts]) => [...counts.values()].every((count) => count === 0));
  expect(unused).toEqual([]);
});

it('two checks with the same seed get each status equally often', async () => {
  const [first, second] = [await check(REQUESTS / 4), await check(REQUESTS / 4)];
  expect(second).toEqual(first);
});
