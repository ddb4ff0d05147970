/** Where a Chromium is, for the tests of the pages. */
import { existsSync } from 'node:fs';

const CANDIDATES = [
  process.env['PROVISO_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The path of the first that is there; `undefined` where there is none. */
export const CHROMIUM = CANDIDATES.find((path) => path !== undefined && existsSync(path));
