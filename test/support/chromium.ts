/** Finds Chromium for browser tests. */
import { existsSync } from 'node:fs';

/** First the one without windows: it is the same Chromium, and a new profile's page opens in half the time. */
const USUAL = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const named = process.env['PROVISO_CHROMIUM'];

/** The path in `PROVISO_CHROMIUM`, or the first common location; `undefined` if not installed. */
export const CHROMIUM = (named === undefined ? USUAL : [named]).find((path) => existsSync(path));
