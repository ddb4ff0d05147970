/** Responses to requests generated from the OpenAPI document conform to it. `npm run check -- openapi` runs longer. */
import { expect, it } from 'vitest';
import { describeInterface } from '../../src/http/index.js';
import { checkDocument, type DocumentReport } from '../openapi/check-document.js';
import { startDeployment } from '../openapi/deployments.js';

const SEED = 1;
const REQUESTS = 400;

/** Runs the check on deployments of its own. */
async function check(requests: number): Promise<DocumentReport> {
  const deployments = [await startDeployment('sandbox'), await startDeployment('production')];
  try {
    const document = describeInterface('http://127.0.0.1/v2', '0.0.0');
    return await checkDocument({ document, deployments, requests, seed: SEED });
  } finally {
    for (const { started } of deployments) await started.stop();
  }
}

it('every answer to requests that are drawn from the document is documented, and every success is seen', async () => {
  const { problems, drawn, seen } = await check(REQUESTS);
  expect(problems).toEqual([]);
  expect(drawn).toBeGreaterThanOrEqual(REQUESTS);
  const unasked = [...seen].filter(([, counts]) => [...counts.values()].every((count) => count === 0));
  expect(unasked).toEqual([]);
});

it('the same seed draws the same requests, which are answered in the same way', async () => {
  const [first, second] = [await check(REQUESTS / 4), await check(REQUESTS / 4)];
  expect([...second.seen]).toEqual([...first.seen]);
});
