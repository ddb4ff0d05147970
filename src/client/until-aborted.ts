/** Waiting for work that goes on without whoever waits. */

const SHARED_WORK_MS = 30_000;

/** Ends work that none of those who wait for it can end. */
export function timeoutOfSharedWork(): AbortSignal {
  return AbortSignal.timeout(SHARED_WORK_MS);
}

/** The work's outcome, or the signal's reason where that comes first; the work itself goes on, for others who wait for it. */
export async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return await work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
