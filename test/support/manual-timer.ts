/** A timer that tests advance manually. */
import type { Timer } from '../../src/service/index.js';

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
