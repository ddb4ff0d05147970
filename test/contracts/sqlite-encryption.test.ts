/** The completion of the encryption of a SQLite file while another program writes to it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/index.js';
import { cipherOf } from '../support/encryption-keys.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proviso-completion-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** When a plaintext value was written: while the old key was recorded, after its record was deleted, or not at all. */
type Outcome = 'before completion' | 'after completion' | 'excluded';

const INSERT = `INSERT INTO kept_secret (name, secret) VALUES ('other', 'plaintext')`;
/** By how many microtasks each attempt writes later than the one before: fewer than `finish` takes from its count to its commit. */
const STRIDE = 3;

function writePlaintext(file: Libsql.Database): Outcome {
  try {
    file.exec('BEGIN IMMEDIATE');
  } catch {
    return 'excluded';
  }
  const recorded = file.prepare(`SELECT 1 FROM encryption_key WHERE id = 'one'`).all([]).length > 0;
  file.exec(INSERT);
  file.exec('COMMIT');
  return recorded ? 'before completion' : 'after completion';
}

// S445
it('the encryption of a file is not complete if another program writes plaintext at any moment before its completion is recorded', async () => {
  const path = join(folder, 'store.sqlite');
  const before = await openSqliteStore(path, { cipher: cipherOf('one') });
  await before.getOrCreateSecret('name', 'secret');
  await before.close();
  const store = await openSqliteStore(path, { cipher: cipherOf('two', 'one') });
  for await (const _count of store.encryption?.encryptAll(10) ?? []);
  const file = new Libsql(path);
  file.pragma('busy_timeout = 0');
  const [record] = file.prepare(`SELECT proof FROM encryption_key WHERE id = 'one'`).all([]) as {
    readonly proof: string;
  }[];
  const outcomes: Outcome[] = [];
  for (let microtasks = 0; outcomes.at(-1) !== 'after completion'; microtasks += STRIDE) {
    const finishing = store.encryption?.finish();
    for (let count = 0; count < microtasks; count += 1) await Promise.resolve();
    const outcome = writePlaintext(file);
    expect([outcome, await finishing]).toEqual([outcome, outcome !== 'before completion']);
    file.exec(`DELETE FROM kept_secret WHERE name = 'other'`);
    file
      .prepare(`INSERT OR REPLACE INTO encryption_key (id, proof) VALUES ('one', ?)`)
      .run([record?.proof ?? '']);
    outcomes.push(outcome);
  }
  expect(new Set(outcomes)).toEqual(new Set(['before completion', 'excluded', 'after completion']));
  file.close();
  await store.close();
});
