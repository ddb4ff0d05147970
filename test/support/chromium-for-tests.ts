/** Reports once per run that browser tests are skipped without Chromium. */
import { CHROMIUM } from './chromium.js';

export default function warnIfChromiumIsMissing(): void {
  if (CHROMIUM !== undefined) return;
  process.stderr.write(
    'Chromium was not found: browser tests are skipped. Install it (Debian: apt-get install chromium-headless-shell, or chromium), or set PROVISO_CHROMIUM to its path.\n',
  );
}
