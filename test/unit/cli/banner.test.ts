/** The text that `proviso serve` prints in the sandbox. */
import { expect, it, onTestFinished } from 'vitest';
import { createBanner } from '../../../src/cli/serving/banner.js';
import type { Catalogue } from '../../../src/index.js';
import { STARTED_AT, type StartedService, startService } from '../../support/start-service.js';

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

async function start(catalogue?: Catalogue): Promise<StartedService> {
  const started = await startService(catalogue === undefined ? {} : { options: { catalogue } });
  onTestFinished(() => started.stop());
  return started;
}

async function bannerOf({ url, service }: StartedService, host = '127.0.0.1'): Promise<string> {
  return await createBanner(service, { url, host, storePath: 'store.db', hasPlayground: false });
}

it('with the default catalogue, the banner has a query to run, and a command for tokens of other people and scopes', async () => {
  const banner = await bannerOf(await start());
  expect(banner).toContain('/queries/evaluate');
  expect(banner).toContain('--scope "kyc:read"');
});

it('the banner names no scope that is not in the catalogue', async () => {
  const banner = await bannerOf(await start(CATALOGUE));
  expect(banner).toContain(
    '`proviso sandbox token` prints a token for a person of the store and scopes of the catalogue',
  );
  expect(banner).not.toContain('kyc:read');
});

it('without the person of the example, who was erased, the banner names the command for tokens instead', async () => {
  const started = await start();
  const ada = await started.store.findPerson('name', 'ada');
  await started.store.erasePerson({ userId: ada?.id ?? '', hashId: (id) => id, at: STARTED_AT });
  const banner = await bannerOf(started);
  expect(banner).toContain('`proviso sandbox token` prints a token');
  expect(banner).not.toContain('/queries/evaluate');
});

it('the banner says that the sandbox is on this machine only if it listens on a loopback address, and otherwise where it listens', async () => {
  const started = await start();
  expect(await bannerOf(started, '::1')).toContain('on this machine only');
  for (const host of ['0.0.0.0', '::', '192.0.2.2']) {
    const banner = await bannerOf(started, host);
    expect(banner).not.toContain('on this machine only');
    expect(banner).toContain(`It listens on ${host}, so other machines may reach it`);
  }
});
