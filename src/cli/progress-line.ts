/** How far something is, on one line of a terminal that is written again and again; nothing where there is no terminal. */

/** How many were asked and found. */
export interface Progress {
  readonly evaluated: number;
  readonly satisfied: number;
}

const REFRESH_MS = 100;
const WIDTH = 24;

/** @param total - How many there are to be asked. @param now - Epoch milliseconds. */
export function progressLine(
  total: number,
  now: () => number,
): { readonly tell: (progress: Progress) => void; readonly end: () => void } {
  const startedAt = now();
  const { tell, end } = terminalLine(now);
  return { tell: (progress) => tell(() => describe(progress, total, now() - startedAt)), end };
}

/** The line itself, whatever it says. @param now - Epoch milliseconds. */
export function terminalLine(now: () => number): {
  readonly tell: (text: () => string) => void;
  readonly end: () => void;
} {
  if (!process.stderr.isTTY) return { tell: () => undefined, end: () => undefined };
  let writtenAt = 0;
  return {
    tell: (text) => {
      if (now() - writtenAt < REFRESH_MS) return;
      writtenAt = now();
      process.stderr.write(`\r${text()}\u001b[K`);
    },
    end: () => void process.stderr.write('\r\u001b[K'),
  };
}

/** The line: a bar, how many of how many, how many were found, and how fast it goes. Never throws. */
export function describe({ evaluated, satisfied }: Progress, total: number, elapsedMs: number): string {
  const share = total === 0 ? 1 : Math.min(1, evaluated / total);
  const filled = Math.round(share * WIDTH);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
  const rate = elapsedMs === 0 ? 0 : Math.round((evaluated * 1_000) / elapsedMs);
  const parts = [
    `${count(evaluated)} of ${count(total)} people`,
    `${count(satisfied)} found`,
    `${count(rate)} a second`,
  ];
  return `${bar} ${Math.floor(share * 100)} % · ${parts.join(' · ')}`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
