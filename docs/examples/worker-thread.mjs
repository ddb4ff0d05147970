/**
 * A worker thread, in plain JavaScript: one policy for two hundred thousand people, while the main thread continues. The ages are in
 * shared memory, so that nothing is copied.
 *
 * Start: `node docs/examples/worker-thread.mjs`
 */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { ClaimColumns, evaluateMany } from 'proviso';
import { p } from 'proviso/builder';

const PEOPLE = 200_000;

if (isMainThread) {
  const ages = new Float64Array(new SharedArrayBuffer(PEOPLE * Float64Array.BYTES_PER_ELEMENT));
  // Sample data: ages from 0 to 99, in turn.
  for (let row = 0; row < PEOPLE; row += 1) ages[row] = row % 100;
  const { query } = p.allOf(p.claim('identity.age').gte(18), p.claim('identity.age').lt(65));
  const worker = new Worker(new URL(import.meta.url), { workerData: { query, ages } });
  const [count] = await once(worker, 'message');
  console.log(`${count} of ${PEOPLE} people are from 18 to 64`);
} else {
  const { query, ages } = workerData;
  parentPort?.postMessage(evaluateMany(query, ClaimColumns.of({ 'identity.age': ages })).count);
}
