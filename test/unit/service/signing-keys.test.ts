/** The first signing keys of a store, and their rotation (V10, S179). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Signer, Store } from '../../../src/service/index.js';
import { ensureSigningKeys, rotateSigningKeys, signingKeyAt } from '../../../src/service/index.js';
import { systemSigner } from '../../../src/system/signer.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { openTestStore } from '../../support/open-test-store.js';

/** Opens an empty store for one test. */
async function openStore(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-keys-'));
  const { store, remove } = await openTestStore(folder);
  onTestFinished(async () => {
    await remove();
    rmSync(folder, { recursive: true });
  });
  return store;
}

// V10, S179
it('a rotated key signs one cache lifetime of the JWKS after it was created, however long that took', async () => {
  const store = await openStore();
  const clock = createFixedClock(0);
  const createKey: Signer['createKey'] = async (algorithm) => {
    clock.moveTo(clock.now() + 1_000);
    return { kid: algorithm, algorithm, privateJwk: '{}' };
  };
  await rotateSigningKeys({ store, signer: { ...systemSigner, createKey }, clock });
  const keys = (await store.listSigningKeys()).map((key) => [key.kid, key.publishedAt, key.signsFrom]);
  expect(keys).toEqual([
    ['ES256', 1_000, 301_000],
    ['RS256', 2_000, 302_000],
  ]);
});

// V10, S179
it('the newest key that signs is chosen, or the first that will sign', () => {
  const keys = [
    { kid: 'second', algorithm: 'ES256', signsFrom: 2 },
    { kid: 'first', algorithm: 'ES256', signsFrom: 1 },
    { kid: 'other', algorithm: 'RS256', signsFrom: 0 },
  ] as const;
  const chosen = [0, 1, 2].map((at) => signingKeyAt(keys, 'ES256', at)?.kid);
  expect(chosen).toEqual(['first', 'first', 'second']);
  expect(signingKeyAt([], 'ES256', 2)).toBeUndefined();
});

// S179
it('an instance adds no first signing key if another one added its keys while this one created a key', async () => {
  const store = await openStore();
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
});
