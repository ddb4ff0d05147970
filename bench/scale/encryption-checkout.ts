/** Opens encrypted stores with the code of any checkout of the project. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EncryptionKey } from '../../src/service/index.js';
import type { Engine } from './results.js';

/** The part of a store that the benchmark uses. Its members have the same names in all checkouts. */
export interface OpenStore {
  readonly encryption?: {
    encryptAll(limit: number): AsyncIterable<number>;
    finish(): Promise<boolean>;
  };
  close(): Promise<void>;
}

export interface Checkout {
  /** Opens a store without encryption, or with keys of which the first encrypts. */
  readonly open: (location: string, ...keys: readonly EncryptionKey[]) => Promise<OpenStore>;
}

type Open = (location: string, options: object) => Promise<OpenStore>;

interface SystemModules {
  readonly createValueCipher: (keys: readonly EncryptionKey[], random: unknown) => unknown;
  readonly systemRandom: unknown;
}

/** @param folder - A built checkout. */
export async function loadCheckout(folder: string, engine: Engine): Promise<Checkout> {
  // Earlier versions have other folders and files.
  const load = async (...paths: readonly string[]) => {
    const found = paths.map((path) => join(folder, path)).find(existsSync);
    if (found === undefined) throw new Error(`${folder} must be a built checkout with ${paths[0]}`);
    return (await import(found)) as object;
  };
  const stores = (await load(`dist/server/${engine}.js`, `dist/${engine}.js`)) as Readonly<
    Record<string, Open>
  >;
  const { createValueCipher, systemRandom } = {
    ...(await load('src/system/value-cipher.ts')),
    ...(await load('src/system/node-ports.ts', 'src/system/random.ts')),
  } as SystemModules;
  const open = stores[engine === 'sqlite' ? 'openSqliteStore' : 'openPostgresStore'];
  if (open === undefined) throw new Error(`${folder} must export a function that opens a store`);
  return {
    open: (location, ...keys) =>
      open(location, keys.length === 0 ? {} : { cipher: createValueCipher(keys, systemRandom) }),
  };
}

/** The keys of a round: that of the round encrypts, those of earlier rounds decrypt. */
export function encryptionKeys(round: number): readonly EncryptionKey[] {
  return Array.from({ length: round + 1 }, (_, index) => keyOf(round - index));
}

function keyOf(round: number): EncryptionKey {
  return { id: `key-${round}`, bytes: createHash('sha256').update(`key ${round}`).digest() };
}
