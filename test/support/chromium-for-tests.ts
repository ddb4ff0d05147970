/** Says once a run that the tests of the pages are skipped where there is no Chromium, and what to do about it. */
import { CHROMIUM } from './chromium.js';

export default function sayWhetherThereIsOne(): void {
  if (CHROMIUM !== undefined) return;
  process.stderr.write(
    'No Chromium: the tests of the pages are skipped. Install one (Debian: apt-get install chromium-headless-shell, or chromium), or name it in PROVISO_CHROMIUM.\n',
  );
}
