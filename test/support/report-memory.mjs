/**
 * Preloaded into a watched service: reports memory after a garbage collection to the parent process, and ends the service with its parent. Workers of
 * the service report nothing.
 */
import cluster from 'node:cluster';

if (cluster.isPrimary) {
  process.on('message', (request) => {
    if (request !== 'memory') return;
    // Twice, since the first collection can make further objects collectable.
    globalThis.gc?.();
    globalThis.gc?.();
    process.send?.(process.memoryUsage());
  });
  process.once('disconnect', () => process.exit());
  // The channel to the parent must not keep the process alive.
  process.channel?.unref();
}
