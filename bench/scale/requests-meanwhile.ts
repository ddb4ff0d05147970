/** Measures the response times of a service before and while `proviso encrypt` runs on its store, in each of several rounds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from './client.js';
import { encryptionKeys } from './encryption-checkout.js';
import { evaluate } from './operations.js';
import { createDeployment } from './service-process.js';

/** Time between the starts of two requests. A request does not wait for earlier responses. */
const INTERVAL_MS = 10;
const IDLE_MS = 3_000;
/** A prime. If the number of people is not a multiple of it, every person is drawn. */
const STRIDE = 7_919;

export interface MeanwhileOptions {
  readonly checkout: string;
  readonly folder: string;
  readonly location: string;
  readonly people: number;
  readonly rounds: number;
  /** The number of the first round. No earlier run encrypted the store with its key. */
  readonly firstRound: number;
}

export async function measureRequests(options: MeanwhileOptions): Promise<void> {
  const before: number[] = [];
  const meanwhile: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const deployment = await createDeploymentOf(options, options.firstRound + round);
    // As in a rotation, the service encrypts with the newest key before the command runs.
    const service = await deployment.start();
    const client = createClient(service.port);
    try {
      const sendNext = createRequests(client, options.people);
      // The first sample warms up.
      await sample(sendNext, sleep(IDLE_MS));
      before.push(...(await sample(sendNext, sleep(IDLE_MS))));
      meanwhile.push(...(await sample(sendNext, deployment.run(['encrypt']))));
    } finally {
      client.close();
      await service.stop();
    }
  }
  process.stdout.write(`  requests before: ${describe(before)}\n  meanwhile: ${describe(meanwhile)}\n`);
}

function createDeploymentOf({ checkout, folder, location }: MeanwhileOptions, round: number) {
  return createDeployment(checkout, folder, {
    PROVISO_DATABASE_URL: location.includes('://') ? location : `sqlite:${location}`,
    PROVISO_AUDIT: 'all',
    PROVISO_ENCRYPTION_KEYS: encryptionKeys(round)
      .map(({ id, bytes }) => `${id}:${Buffer.from(bytes).toString('hex')}`)
      .join(','),
  });
}

/** Returns a function that sends a query about the next person, and returns the time that the response took, in milliseconds. */
function createRequests(client: Client, people: number): () => Promise<number> {
  let person = 0;
  return async () => {
    person = (person + STRIDE) % people;
    const startedAt = performance.now();
    const { status, text } = await client.send(evaluate(person));
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return performance.now() - startedAt;
  };
}

/** Sends requests until a promise settles. Returns the time of each response in milliseconds; throws if the promise or a request fails. */
async function sample(sendNext: () => Promise<number>, until: Promise<unknown>): Promise<readonly number[]> {
  let running = true;
  const ended = until.finally(() => {
    running = false;
  });
  // Failures are thrown after the last request.
  ended.catch(() => undefined);
  const sent: Promise<number>[] = [];
  while (running) {
    const request = sendNext();
    request.catch(() => undefined);
    sent.push(request);
    await sleep(INTERVAL_MS);
  }
  await ended;
  return await Promise.all(sent);
}

function describe(times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);
  return `${times.length}, median ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, maximum ${at(1)} ms`;
}
