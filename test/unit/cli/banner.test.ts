/** The text that `proviso serve` prints in the sandbox. */
import { expect, it, onTestFinished } from 'vitest';
import { createBanner } from '../../../src/cli/serving/banner.js';
import type { Catalogue } from '../../../src/index.js';
import { startService } from '../../support/start-service.js';

const CATALOGUE: Catalogue = {
  scopes: [
    {
      name: 'club:read',
      category: 'club',
      sensitivity: 'low',
      displayName: 'Membership',
      description: 'Your membership.',
    },
  ],
  claims: [
    {
      path: 'club.level',
      type: 'integer',
      scope: 'club:read',
      sensitivity: 'low',
      description: 'Level of the member.',
    },
  ],
  presets: [],
};

async function bannerWith(catalogue?: Catalogue): Promise<string> {
  const started = await startService(catalogue === undefined ? {} : { options: { catalogue } });
  onTestFinished(() => started.stop());
  return await createBanner(started.url, 'store.db', started.service, false);
}

it('with the default catalogue, the banner has a query to run, and a command for tokens of other people and scopes', async () => {
  const banner = await bannerWith();
  expect(banner).toContain('/queries/evaluate');
  expect(banner).toContain('--scope "kyc:read"');
});

it('the banner names no scope that is not in the catalogue', async () => {
  const banner = await bannerWith(CATALOGUE);
  expect(banner).toContain('`proviso sandbox token` prints a token for its scopes');
  expect(banner).not.toContain('kyc:read');
});
