/** Loaded before a service that is watched from outside: tells its memory, after a collection, to the process that started it. */

process.on('message', (asked) => {
  if (asked !== 'memory') return;
  // Twice: what the first frees may hold what only the second can.
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
// Being asked is no reason to stay.
process.channel?.unref();
