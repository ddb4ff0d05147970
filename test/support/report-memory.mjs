/** Preloaded into a watched service: reports memory after a garbage collection to the parent process. */

process.on('message', (asked) => {
  if (asked !== 'memory') return;
  // Twice: what the first frees may hold what only the second can.
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
// Being asked is no reason to stay.
process.channel?.unref();
