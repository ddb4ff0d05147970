/** Finds Chromium for browser tests. */
import { existsSync } from 'node:fs';

/** The headless shell is first: it opens a page in half the time. */
const COMMON_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const named = process.env['PROVISO_CHROMIUM'];

/** The path in `PROVISO_CHROMIUM`, or the first common location; `undefined` if not installed. */
export const CHROMIUM = (named === undefined ? COMMON_PATHS : [named]).find((path) => existsSync(path));
