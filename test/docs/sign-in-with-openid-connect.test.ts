/** Runs the commands of the page on OpenID Connect providers, and compares the Keycloak client with what the service sends. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSignInProvidersFile } from '../../src/cli/deployment-files.js';
import { parseSignInProviders } from '../../src/service/index.js';
import { providerCallbackPath } from '../../src/service/people/provider-sign-in.js';
import { runShell } from '../support/run-command.js';

const PAGE = readFileSync(
  new URL('../../docs/guides/sign-in-with-openid-connect.md', import.meta.url),
  'utf8',
);

interface KeycloakClient {
  readonly clientId: string;
  readonly redirectUris: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
}

it('the providers file of the page on OpenID Connect providers is valid, and matches the Keycloak client', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-providers-'));
  try {
    const lines = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text).join('\n');
    expect(await runShell(`set -eu\n${lines}`, { cwd })).toMatchObject({ exitCode: 0, stderr: '' });
    const text = readFileSync(join(cwd, 'providers.json'), 'utf8');
    const [provider] = parseSignInProviders(JSON.parse(text));
    const settings = provider?.settings;
    // The path of the secret in the file is relative to the working directory, which is not `cwd` in this process.
    const absolute = text.replace('secrets/keycloak', join(cwd, 'secrets/keycloak'));
    const file = join(cwd, 'absolute.json');
    await runShell(`cat > absolute.json <<'JSON'\n${absolute}JSON`, { cwd });
    expect(await readSignInProvidersFile(file)).toMatchObject([{ settings }]);
    const [, client = ''] = /```json\n([\s\S]*?)```/.exec(PAGE) ?? [];
    const keycloak = JSON.parse(client) as KeycloakClient;
    expect(keycloak.clientId).toBe(settings?.clientId);
    const url = (path: string) => new URL(path, 'https://claims.example').href;
    expect(keycloak.redirectUris).toEqual([url(providerCallbackPath(settings?.id ?? ''))]);
    expect(keycloak.attributes['post.logout.redirect.uris']).toBe(url('/signed-out'));
    const levels = JSON.parse(keycloak.attributes['acr.loa.map'] ?? '') as object;
    expect(Object.keys(levels)).toContain(settings?.palm?.acr[0]);
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
