/** A timer that tests advance manually. */
import type { Timer } from '../../src/service/index.js';

export function createManualTimer() {
  const waiting: { readonly ms: number; readonly work: () => void }[] = [];
  const timer: Timer = {
    after: (ms, work) => {
      const entry = { ms, work };
      waiting.push(entry);
      return () => waiting.splice(waiting.indexOf(entry), 1);
    },
  };
  return { timer, waiting, fire: () => waiting.shift()?.work() };
}
