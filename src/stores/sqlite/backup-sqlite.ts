/** Online backup of a SQLite store, with all tokens and codes revoked (S195, S196). */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';
import { syncFile, syncFolder } from './group-commit.js';
import { detectStore } from './open-sqlite-store.js';

/** Revokes tokens and codes: a restored copy would lack later rotations and revocations. */
const REVOKE_TOKENS_AND_CODES: readonly string[] = [
  `UPDATE refresh_token SET revoked_at = ? WHERE rotated_at IS NULL AND revoked_at IS NULL`,
  `UPDATE access_token SET revoked_at = ? WHERE revoked_at IS NULL`,
  `UPDATE authorization_record SET status = 'revoked', revoked_at = ? WHERE status = 'approved'`,
];

/**
 * Copies a consistent snapshot of a store's file while it is in use. In the copy, every token and every unredeemed code is revoked; people and
 * grants are kept. Sessions of browsers are not in the store: a restored copy lacks later sign-outs, and so accepts sessions that these ended.
 *
 * @param target - Must not exist, and must not end in `-wal`, `-shm` or `-journal`, since SQLite deletes such files of a database. Created atomically,
 *   readable by its owner only.
 * @param at - Instant of the revocations in the copy, epoch milliseconds.
 * @throws {Error} If the store does not exist, cannot be read or is a file of another program, the target or the partial file of another backup
 *   exists, the target cannot be written, or the copy is damaged. The partial file of this backup is removed.
 */
export function backupSqlite(path: string, target: string, at: number): void {
  if (!existsSync(path)) throw new Error('the store to back up does not exist');
  if (existsSync(target)) throw new Error(`${target} already exists`);
  const partial = `${target}.partial`;
  if (existsSync(partial))
    throw new Error(
      `${partial} already exists: another backup is running, or was interrupted. If none is running, delete this file, which contains personal data`,
    );
  writeFileSync(partial, '', { mode: 0o600, flag: 'wx' });
  try {
    copyInto(path, partial);
    revokeTokensAndCodes(partial, at);
    syncFile(partial);
    renameSync(partial, target);
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function copyInto(path: string, target: string): void {
  const file = new Libsql(path);
  try {
    if (!detectStore(file)) throw new Error('the store to back up does not exist');
    file.prepare('VACUUM INTO ?').run([target]);
  } finally {
    file.close();
  }
}

function revokeTokensAndCodes(path: string, at: number): void {
  const file = new Libsql(path);
  try {
    for (const statement of REVOKE_TOKENS_AND_CODES) file.prepare(statement).run([at]);
    const check = JSON.stringify(file.prepare('PRAGMA integrity_check').all([]));
    if (!check.includes('"ok"')) throw new Error(`the copy is damaged: ${check}`);
  } finally {
    file.close();
  }
}
