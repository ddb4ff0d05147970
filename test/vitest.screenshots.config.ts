/** Takes the screenshots of the documentation: `npm run check -- screenshots`. */
import { mergeConfig } from 'vitest/config';
import base from './vitest.config.js';

const config = mergeConfig(base, {});

delete config.test.projects;
config.test.include = ['test/browser/screenshots.ts'];
config.test.globalSetup = 'test/support/chromium-for-tests.ts';

export default config;
