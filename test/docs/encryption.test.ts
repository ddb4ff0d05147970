/** Runs the commands of the page on encryption, and compares its format with the store (S196). */
import { createDecipheriv, hkdfSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { expect, it } from 'vitest';
import { runShell } from '../support/run-command.js';

const PAGE = readFileSync(new URL('../../docs/guides/encryption.md', import.meta.url), 'utf8');
const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** Replaces the installed command, which the page assumes, by that of the checkout. */
const AS_INSTALLED = `set -eu\nnpx() { shift; node "${COMMAND}" "$@"; }`;

it('the commands of the page on encryption encrypt all values with the second key, in the described format', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-encryption-'));
  try {
    const lines = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text).join('\n');
    const { exitCode, stdout, stderr } = await runShell(`${AS_INSTALLED}\n${lines}`, { cwd });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^(?:\S{43}\n){2}\d+ values were encrypted; all values are now encrypted with the key 2027-05\n$/,
    );

    const file = new Libsql(join(cwd, '.proviso/proviso.sqlite'), { readonly: true });
    const { secret } = file.prepare(`SELECT secret FROM kept_secret WHERE name = 'session-key'`).get([]) as {
      secret: string;
    };
    file.close();
    const [mark, version, id = '', value = ''] = secret.split(':');
    expect([mark, version, id]).toEqual(['enc', '1', '2027-05']);
    const keys = readFileSync(join(cwd, 'secrets/encryption-keys'), 'utf8');
    const key = Buffer.from(/^2027-05:(\w+)$/m.exec(keys)?.[1] ?? '', 'hex');
    const derived = new Uint8Array(hkdfSync('sha256', key, '', 'proviso values 1', 32));
    const bytes = Buffer.from(value, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', derived, bytes.subarray(0, 12));
    const bound = /`(\["enc:1:".*\])`/.exec(PAGE)?.[1]?.replace('2026-11', id) ?? '';
    decipher.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(-16));
    const opened = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
    expect(opened.toString()).toMatch(/^[A-Za-z0-9_-]{43}$/);
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
