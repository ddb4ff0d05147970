/** Where a Chromium is, for the tests of the pages. */
import { existsSync } from 'node:fs';

/** First the one without windows: it is the same Chromium, and a new profile's page opens in half the time. */
const USUAL = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const named = process.env['PROVISO_CHROMIUM'];

/** The path of the one that `PROVISO_CHROMIUM` names, else of the first in the usual places; `undefined` where there is none. */
export const CHROMIUM = (named === undefined ? USUAL : [named]).find((path) => existsSync(path));
