/** Long work that a person may end in its midst: it is told, and stops where it can go on later. */

/** Whether to stop: SIGINT and SIGTERM say so, and so does a reader who has had enough. */
export interface StopSignal {
  isStopped(): boolean;
  forget(): void;
}

export function stopOnSignal(): StopSignal {
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  process.stdout.on('error', stop);
  return {
    isStopped: () => stopped,
    forget: () => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
    },
  };
}
