/** A thread that holds its share of the subjects, and answers queries about them: the program that `ColumnWorkers` starts. */
import { parentPort, workerData } from 'node:worker_threads';
import { type AbortSignalLike, ClaimColumns, evaluateMany, QueryError } from '../engine/index.js';
import { re2js } from '../regex/re2js.js';
import type { Reply, Request, Share } from './messages.js';

/** Thrown through the engine where the answer is not wanted any more. */
const INTERRUPTED = new Error('interrupted');

const { size, columns } = workerData as Share;
const subjects = new ClaimColumns(size, new Map(columns));

parentPort?.on('message', (request: Request) => tell(answer(request)));

function answer({ id, query, limits, sliceRows, interrupted }: Request): Reply {
  const signal: AbortSignalLike = {
    throwIfAborted: () => {
      if (Atomics.load(interrupted, 0) !== 0) throw INTERRUPTED;
    },
  };
  try {
    const { passed, count } = evaluateMany(query, subjects, {
      regex: re2js,
      signal,
      onProgress: (done) => tell({ id, kind: 'progress', done }),
      ...(limits === undefined ? {} : { limits }),
      ...(sliceRows === undefined ? {} : { sliceRows }),
    });
    return { id, kind: 'answer', words: passed.words, count };
  } catch (error) {
    if (error === INTERRUPTED) return { id, kind: 'interrupted' };
    if (!(error instanceof QueryError)) return { id, kind: 'failed', error };
    const { code, problems, problemCount } = error;
    return { id, kind: 'refused', refusal: { code, problems, problemCount } };
  }
}

function tell(reply: Reply): void {
  parentPort?.postMessage(reply);
}
