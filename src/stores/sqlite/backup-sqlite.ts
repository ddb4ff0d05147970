/** A copy of a SQLite file that is being written to: whole, on the disk, and without anything that would work again (S195, S196). */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';

/** What a grant gave out. A copy that is put back later would know nothing of rotations and revocations since. */
const REVOKE_TOKENS_AND_CODES: readonly string[] = [
  `UPDATE refresh_token SET revoked_at = ? WHERE rotated_at IS NULL AND revoked_at IS NULL`,
  `UPDATE access_token SET revoked_at = ? WHERE revoked_at IS NULL`,
  `UPDATE authorization_record SET status = 'revoked', revoked_at = ? WHERE status = 'approved'`,
];

/**
 * Copies a store's file as it is at one instant, while others read and write it. In the copy every token is revoked, and so is every
 * code that was not redeemed: people stay, and what they agreed to.
 *
 * @param target - Is not there yet; it appears when it is whole. Readable by its owner only.
 * @param at - Epoch milliseconds, noted with what is revoked in the copy.
 * @throws {Error} When there is no store, the target is there already or cannot be written; nothing is left behind.
 */
export function backupSqlite(path: string, target: string, at: number): void {
  if (!existsSync(path)) throw new Error('the store to back up does not exist');
  if (existsSync(target)) throw new Error(`${target} already exists`);
  const partial = `${target}.partial`;
  writeFileSync(partial, '', { mode: 0o600, flag: 'wx' });
  try {
    copyInto(path, partial);
    revokeTokensAndCodes(partial, at);
    fsyncPath(partial);
    renameSync(partial, target);
    fsyncPath(dirname(target));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function copyInto(path: string, target: string): void {
  const file = new Libsql(path);
  try {
    file.prepare('VACUUM INTO ?').run([target]);
  } finally {
    file.close();
  }
}

function revokeTokensAndCodes(path: string, at: number): void {
  const file = new Libsql(path);
  try {
    for (const statement of REVOKE_TOKENS_AND_CODES) file.prepare(statement).run([at]);
    const check = file.prepare('PRAGMA integrity_check').all([]);
    if (!JSON.stringify(check).includes('"ok"'))
      throw new Error(`the copy is damaged: ${JSON.stringify(check)}`);
  } finally {
    file.close();
  }
}

/** Forces a file, or the names in a folder, to the disk. */
function fsyncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
