/** mod_auth_openidc of Debian's libapache2-mod-auth-openidc: a page behind Apache that requires sign-in (S285, S286). */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCookieJar } from '../../examples/cookie-jar.js';
import { decideByForm } from '../../support/decide-by-form.js';
import { freePort } from '../../support/free-port.js';
import { isInstalled } from '../../support/installed-programs.js';
import {
  addApplication,
  authorizationError,
  startServiceForLibraries,
} from '../../support/registered-application.js';
import type { StartedService } from '../../support/start-service.js';

const MODULES = '/usr/lib/apache2/modules';
const installed = isInstalled('apache2 with libapache2-mod-auth-openidc', 'sh', [
  '-c',
  `command -v apache2 && test -f ${MODULES}/mod_auth_openidc.so`,
]);

/** Fetches as a browser navigates: the module redirects only requests for HTML. */
const navigate: typeof fetch = (url, init) =>
  new Promise((resolve, reject) => {
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), accept: 'text/html' };
    get(String(url), { headers, agent: false }, (response) => {
      const named = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      text(response)
        .then((body) => new Response(body, { status: response.statusCode ?? 0, headers: named }))
        .then(resolve, reject);
    }).on('error', reject);
  });

describe.skipIf(!installed)('mod_auth_openidc', () => {
  let started: StartedService;
  let folder: string;
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    started = await startServiceForLibraries();
    folder = mkdtempSync(join(tmpdir(), 'proviso-apache-'));
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'pages'));
    writeFileSync(join(folder, 'pages', 'index.html'), 'signed in');
  });

  afterAll(async () => {
    await Promise.all(
      running.map((apache) => {
        if (apache.exitCode !== null || apache.signalCode !== null) return undefined;
        const ended = new Promise((resolve) => apache.once('exit', resolve));
        apache.kill('SIGTERM');
        return ended;
      }),
    );
    rmSync(folder, { recursive: true });
    await started.stop();
  });

  /** Starts Apache with the minimal configuration of the module's README and additional lines. */
  async function startApache(...more: readonly string[]): Promise<string> {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const { clientId, clientSecret, redirectUri } = await addApplication(started, `${origin}/callback`);
    const modules = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'headers', 'auth_openidc'];
    const path = join(folder, `${port}.conf`);
    const lines = [
      `ServerRoot ${folder}`,
      `Listen 127.0.0.1:${port}`,
      `ServerName 127.0.0.1:${port}`,
      `PidFile ${folder}/${port}.pid`,
      `ErrorLog ${folder}/${port}.log`,
      ...modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
      'User www-data',
      'Group www-data',
      `DocumentRoot ${folder}/pages`,
      'DirectoryIndex index.html',
      `OIDCProviderMetadataURL ${started.url}/.well-known/openid-configuration`,
      `OIDCClientID ${clientId}`,
      `OIDCClientSecret ${clientSecret}`,
      `OIDCRedirectURI ${redirectUri}`,
      'OIDCCryptoPassphrase a-passphrase-of-the-tests',
      '<Location />',
      '  AuthType openid-connect',
      '  Require valid-user',
      '  Header set X-Subject "expr=%{REMOTE_USER}"',
      '</Location>',
      ...more,
    ];
    writeFileSync(path, `${lines.join('\n')}\n`);
    const apache = spawn('apache2', ['-f', path, '-DFOREGROUND'], { stdio: 'inherit' });
    running.push(apache);
    await expect
      .poll(() =>
        navigate(origin).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(302);
    return origin;
  }

  it('signs a person in with S256 and shows the page', async () => {
    const origin = await startApache('OIDCPKCEMethod S256');
    const jar = createCookieJar(navigate);
    const signInRedirect = await jar.fetch(`${origin}/`);
    const returned = await jar.fetch((await decideByForm(signInRedirect.headers.get('location') ?? '')).href);
    expect([returned.status, returned.headers.get('location')]).toEqual([302, `${origin}/`]);
    const page = await jar.fetch(`${origin}/`);
    expect([page.status, await page.text()]).toEqual([200, 'signed in']);
    // By default, the module's user is the subject, `@`, and the issuer.
    expect(page.headers.get('x-subject')).toMatch(/^usr_.+@/);
  });

  it('sends no challenge by default, and is rejected with an error that names code_challenge', async () => {
    const origin = await startApache();
    const signInRedirect = await createCookieJar(navigate).fetch(`${origin}/`);
    expect(await authorizationError(signInRedirect.headers.get('location') ?? '')).toBe(
      'invalid_request: code_challenge is required',
    );
  });
});
