/** Reports once per run that browser tests are skipped without Chromium. */
import { CHROMIUM } from './chromium.js';

export default function warnIfChromiumIsMissing(): void {
  if (CHROMIUM !== undefined) return;
  process.stderr.write(
    'No Chromium: the tests of the pages are skipped. Install one (Debian: apt-get install chromium-headless-shell, or chromium), or name it in PROVISO_CHROMIUM.\n',
  );
}
