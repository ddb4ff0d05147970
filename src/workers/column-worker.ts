/** The program of a worker thread, which has a partition of the subjects and evaluates queries on it. */
import { parentPort, workerData } from 'node:worker_threads';
import { type AbortSignalLike, ClaimColumns, evaluateMany, QueryError } from '../engine/index.js';
import { re2js } from '../regex/re2js.js';
import type { Partition, Reply, Request } from './messages.js';

/** Thrown through the engine when the evaluation was aborted. */
const ABORTED = new Error('aborted');

const { size, columns, known } = workerData as Partition;
const subjects = new ClaimColumns(size, new Map(columns), known);

parentPort?.on('message', (request: Request) => send(evaluate(request)));

function evaluate({ id, query, limits, sliceRows, aborted }: Request): Reply {
  const signal: AbortSignalLike = {
    throwIfAborted: () => {
      if (Atomics.load(aborted, 0) !== 0) throw ABORTED;
    },
  };
  try {
    const { passed, count } = evaluateMany(query, subjects, {
      regex: re2js,
      signal,
      onProgress: (done) => send({ id, kind: 'progress', done }),
      ...(limits === undefined ? {} : { limits }),
      ...(sliceRows === undefined ? {} : { sliceRows }),
    });
    return { id, kind: 'result', words: passed.words, count };
  } catch (error) {
    if (error === ABORTED) return { id, kind: 'aborted' };
    if (!(error instanceof QueryError)) return { id, kind: 'failed', error };
    const { code, problems, problemCount } = error;
    return { id, kind: 'rejected', error: { code, problems, problemCount } };
  }
}

function send(reply: Reply): void {
  parentPort?.postMessage(reply);
}
