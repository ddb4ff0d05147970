/** A timer for tests, which run its pending work manually. */
import type { Timer } from '../../src/service/index.js';

/** Creates a timer; `fire` runs the pending work that was scheduled first, whatever its delay. */
export function createManualTimer() {
  const pending: { readonly ms: number; readonly work: () => void }[] = [];
  const timer: Timer = {
    after: (ms, work) => {
      const entry = { ms, work };
      pending.push(entry);
      return () => {
        const index = pending.indexOf(entry);
        if (index >= 0) pending.splice(index, 1);
      };
    },
  };
  return { timer, pending, fire: () => pending.shift()?.work() };
}
