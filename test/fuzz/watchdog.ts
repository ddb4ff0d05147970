/**
 * Ends the run if a probe does not finish within a minute. A separate thread watches, since timers do not fire while an input blocks the event loop.
 *
 * The current input is in shared memory; the watchdog thread saves it before it ends the process.
 */
import { mkdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { REGRESSIONS } from './regressions.js';

/** Longer than a request timeout, so that other hangs are reported separately. */
const HANG_MS = 60_000;
const MAX_INPUT_BYTES = 1_048_576;
const HEAD_BYTES = 16;

const shared = new SharedArrayBuffer(HEAD_BYTES + MAX_INPUT_BYTES);
/** The number of the probe, and the length of its input; a length of zero between probes. */
const head = new Int32Array(shared, 0, 2);
const bytes = new Uint8Array(shared, HEAD_BYTES);
const encoder = new TextEncoder();
let worker: Worker | undefined;

const SOURCE = `
const { workerData: { shared, hangMs, headBytes, file } } = require('node:worker_threads');
const { writeFileSync } = require('node:fs');
const head = new Int32Array(shared, 0, 2);
let [last, since] = [-1, Date.now()];
setInterval(() => {
  const [probe, length] = [Atomics.load(head, 0), Atomics.load(head, 1)];
  if (probe !== last || length === 0) { last = probe; since = Date.now(); return; }
  if (Date.now() - since < hangMs) return;
  const text = Buffer.from(new Uint8Array(shared, headBytes, length)).toString();
  writeFileSync(file, text + '\\n');
  process.stderr.write('FOUND  a probe did not finish within ' + hangMs + ' ms; the input is in ' + file + '\\n');
  process.kill(process.pid, 'SIGKILL');
}, 1000);
`;

/** Starts the watchdog thread, which does not keep the process alive. */
export function startWatchdog(): void {
  mkdirSync(REGRESSIONS, { recursive: true });
  const file = `${REGRESSIONS}/blocked-${process.pid}.json`;
  worker = new Worker(SOURCE, {
    eval: true,
    workerData: { shared, hangMs: HANG_MS, headBytes: HEAD_BYTES, file },
  });
  worker.unref();
}

/** Runs a probe; if it takes too long, the watchdog thread saves its input, up to 1 MiB of it, and ends the process. */
export async function runWatched<Result>(
  target: string,
  input: unknown,
  act: () => Promise<Result>,
): Promise<Result> {
  if (worker === undefined) return await act();
  const text = JSON.stringify({ target, kind: 'blocked', detail: 'no end within a minute', input });
  const { written } = encoder.encodeInto(text, bytes);
  Atomics.add(head, 0, 1);
  Atomics.store(head, 1, written);
  try {
    return await act();
  } finally {
    Atomics.store(head, 1, 0);
  }
}

export async function stopWatchdog(): Promise<void> {
  await worker?.terminate();
  worker = undefined;
}
