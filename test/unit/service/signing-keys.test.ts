/** The first signing keys of a store (S179). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Signer } from '../../../src/service/index.js';
import { ensureSigningKeys } from '../../../src/service/index.js';
import { systemSigner } from '../../../src/system/signer.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { openTestStore } from '../../support/open-test-store.js';

// S179
it('an instance adds no first signing key if another one added its keys while this one created a key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-keys-'));
  const { store, remove } = await openTestStore(folder, {});
  const ensure = async (name: string, whileCreating: () => Promise<void>) => {
    const createKey: Signer['createKey'] = async (algorithm) => {
      await whileCreating();
      return { kid: `${name}-${algorithm}`, algorithm, privateJwk: '{}' };
    };
    await ensureSigningKeys({ store, signer: { ...systemSigner, createKey }, clock: createFixedClock(1) });
  };
  await ensure('slow', () => ensure('fast', async () => undefined));
  const kids = (await store.listSigningKeys()).map(({ kid }) => kid);
  expect(kids.sort()).toEqual(['fast-ES256', 'fast-RS256']);
  await remove();
  rmSync(folder, { recursive: true });
});
