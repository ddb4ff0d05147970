/** Which files count as private (S196), and files that are too large. */
import { constants } from 'node:buffer';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isPrivateFile, readTextFile } from '../../../src/cli/json-file.js';

const SERVICE = 65532;

// S196
it('a file with a secret is private if only its owner has access, or if root lets the group of the service read it', () => {
  const privateModes = (uid: number, user: number | undefined) =>
    [0o600, 0o400, 0o440, 0o640, 0o660, 0o450, 0o444, 0o604]
      .filter((mode) => isPrivateFile({ mode: 0o100000 | mode, uid }, user, 'linux'))
      .map((mode) => mode.toString(8));
  expect({
    'owned by the service': privateModes(SERVICE, SERVICE),
    'owned by root, read by the service': privateModes(0, SERVICE),
    'owned by root, read by root': privateModes(0, 0),
    'owned by another user': privateModes(1000, SERVICE),
    'on a system without users': privateModes(0, undefined),
  }).toEqual({
    'owned by the service': ['600', '400'],
    'owned by root, read by the service': ['600', '400', '440', '640'],
    'owned by root, read by root': ['600', '400'],
    'owned by another user': ['600', '400'],
    'on a system without users': ['600', '400'],
  });
});

// S196
it('a file is private on Windows, whose files have no modes', () => {
  expect(isPrivateFile({ mode: 0o100666, uid: 0 }, undefined, 'win32')).toBe(true);
});

it('a file with more characters than a string can have is too large, not in a wrong encoding', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-json-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'large.json');
  writeFileSync(path, '');
  truncateSync(path, constants.MAX_STRING_LENGTH + 1);
  expect(() => readTextFile(path)).toThrow('large.json cannot be read: Cannot create a string longer than');
});
