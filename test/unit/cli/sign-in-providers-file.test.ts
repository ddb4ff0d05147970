/** The file of sign-in providers, and the files of secrets and keys that it names (S196, S320). */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readSignInProvidersFile } from '../../../src/cli/deployment-files.js';

let folder: string;
let file: string;
let credential: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proviso-providers-'));
  file = join(folder, 'providers.json');
  credential = join(folder, 'credential');
});

afterAll(() => rmSync(folder, { recursive: true }));

function writeProvider(members: object): void {
  const provider = { id: 'a', name: 'A', issuer: 'https://a.example', client_id: 'c', ...members };
  writeFileSync(file, JSON.stringify({ providers: [provider] }));
}

function writeCredential(text: string, mode = 0o600): void {
  writeFileSync(credential, text);
  chmodSync(credential, mode);
}

it('a provider whose secret is one line in a private file is read without a request to it', async () => {
  const request = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('not expected'));
  writeProvider({ client_secret_file: credential });
  writeCredential('secret\n');
  expect(await readSignInProvidersFile(file)).toMatchObject([{ settings: { id: 'a' } }]);
  expect(request).not.toHaveBeenCalled();
  request.mockRestore();
});

it('a secret must be private, and one line', async () => {
  writeProvider({ client_secret_file: credential });
  writeCredential('secret\n', 0o644);
  await expect(readSignInProvidersFile(file)).rejects.toThrow(
    `${credential} must be accessible to its owner only`,
  );
  for (const text of ['', '\n', 'a\nb\n']) {
    writeCredential(text);
    await expect(readSignInProvidersFile(file)).rejects.toThrow('must contain one line: the client secret');
  }
});

it('a key must be a private JWK with an algorithm', async () => {
  writeProvider({ private_key_file: credential });
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), alg: 'ES256' };
  writeCredential(JSON.stringify(jwk));
  expect(await readSignInProvidersFile(file)).toHaveLength(1);
  const wrong = [
    { ...jwk, alg: undefined },
    { ...(await exportJWK(publicKey)), alg: 'ES256' },
    { ...jwk, kty: 'none' },
    [],
  ];
  for (const json of wrong) {
    writeCredential(JSON.stringify(json));
    await expect(readSignInProvidersFile(file)).rejects.toThrow(
      `${credential} is invalid: the key must be a private JWK`,
    );
  }
});

it('problems of the file are reported with their locations', async () => {
  writeProvider({ id: 'A' });
  await expect(readSignInProvidersFile(file)).rejects.toThrow(
    /providers\.json is invalid:\n {2}\/providers\/0\/id: /,
  );
});
