/** Runs the runbooks of a wrong clock and of a suspected breach against services that have the symptom (S404, S405). */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import Libsql from 'libsql';
import { afterEach, expect, it } from 'vitest';
import { type Jar, visit } from '../support/external-login.js';
import {
  AS_CONFIDENTIAL,
  approve,
  begin,
  CONFIDENTIAL,
  isTokenValid,
  logIn,
  PUBLIC,
  refresh,
} from '../support/oauth-client.js';
import { type RunbookService, startRunbookService } from '../support/runbook.js';

const PAGE = readFileSync(new URL('../../docs/guides/operations.md', import.meta.url), 'utf8');
const HOUR_MS = 3_600_000;

const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** A login page on a machine whose clock is ahead until it is synchronized. */
async function startLogin() {
  let aheadMs = HOUR_MS;
  const keys = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'login', alg: 'ES256' };
  const now = () => Date.now() + aheadMs;
  const server = createServer((_request, response) => {
    response.writeHead(200, { Date: new Date(now()).toUTCString() }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(
    () => server.closeAllConnections(),
    () => void server.close(),
  );
  let count = 0;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    keys: JSON.stringify({ keys: [jwk] }),
    synchronize: () => {
      aheadMs = 0;
    },
    /** Signs a person in with a new browser. @returns The status of the response of the service. */
    signIn: async (origin: string, issuer: string): Promise<number> => {
      const jar: Jar = new Map();
      const { location } = await visit(jar, new URL('/sign-in', origin));
      const target = new URL(location ?? '');
      const seconds = Math.floor(now() / 1_000);
      count += 1;
      const assertion = await new SignJWT({
        jti: `assertion-${count}`,
        aud: issuer,
        sub: 'u-1842',
        iat: seconds,
        exp: seconds + 60,
        nonce: target.searchParams.get('nonce'),
      })
        .setProtectedHeader({ alg: 'ES256', kid: 'login', typ: 'sign-in+jwt' })
        .sign(keys.privateKey);
      const back = new URL(new URL(target.searchParams.get('return_to') ?? '').pathname, origin);
      back.searchParams.set('assertion', assertion);
      return (await visit(jar, back)).status;
    },
  };
}

// S404
it('the runbook of clock skew measures it, and people can sign in once the clock is synchronized', async () => {
  const login = await startLogin();
  let issuer = '';
  const service = await startRunbookService({
    started: false,
    settings: (origin) => {
      issuer = `${origin.replace('http:', 'https:')}/v2`;
      return {
        PROVISO_ENVIRONMENT: 'production',
        PROVISO_ISSUER: issuer,
        PROVISO_KEY: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
        PROVISO_ADMINISTRATOR_SHA256: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
        PROVISO_SIGN_IN_URL: 'https://login.example/start',
        PROVISO_SIGN_IN_KEYS: 'login-keys.json',
      };
    },
    onUnit: async (verb, unit) => {
      expect([verb, unit]).toEqual(['restart', 'chrony']);
      login.synchronize();
    },
  });
  cleanups.push(service.remove);
  writeFileSync(join(service.cwd, 'login-keys.json'), login.keys);
  await service.start();
  const { origin } = new URL(service.url);
  expect(await login.signIn(origin, issuer)).toBe(403);
  await expect.poll(service.log).toContain('"event":"authentication_failed"');
  const { stdout: metrics } = await service.run('curl -s "$METRICS"');
  expect(metrics).toContain('proviso_refusals_total{reason="sign_in_rejected"} 1');
  const printed = await service.runSection('Clock skew', { LOGIN: login.url });
  const differences = [...printed.join('').matchAll(/^(-?\d+) seconds$/gm)].map(
    // In thousands of seconds, so that an hour is 4: the clocks are read one after the other, in whole seconds. Adding 0 turns -0 into 0.
    ([, seconds]) => Math.round(Number(seconds) / 1_000) + 0,
  );
  expect(differences).toEqual([4, 0]);
  expect(await login.signIn(origin, issuer)).toBe(303);
});

/** Signs a sample person in with a new browser. @returns A function that returns whether the browser still has the session. */
async function signInAt({ url }: RunbookService, person: string): Promise<() => Promise<boolean>> {
  const jar: Jar = new Map();
  const page = new URL('/sign-in', url);
  const proof = /name="proof" value="([^"]+)"/.exec((await visit(jar, page)).text)?.[1] ?? '';
  await visit(jar, page, { proof, person });
  return async () => (await visit(jar, new URL('/grants', url))).status === 200;
}

/** Runs the sections of the runbook up to `Revoke`, with the head of the audit log that was saved before. */
async function runBreach(service: RunbookService, leaked: string): Promise<void> {
  const variables = {
    LAST_HEAD: 'kept-head.json',
    LEAKED: leaked,
    PERSON: 'ada',
    CLIENT: PUBLIC.clientId,
  };
  await service.runSection('Stop sign-ins', variables);
  const stopped = await fetch(`${service.url}/oauth/authorize`, { redirect: 'manual' });
  expect([stopped.status, stopped.headers.get('retry-after')]).toEqual([503, '1']);
  await service.runSection('Freeze the evidence', variables);
  await service.runSection('Verify the audit log', variables);
  await service.runSection('Revoke', variables);
}

// S405
it('the runbook of a suspected breach stops sign-ins, freezes the evidence, and ends every token and session', async () => {
  const service = await startRunbookService();
  cleanups.push(service.remove);
  const tokens = [await logIn(service), await logIn(service, AS_CONFIDENTIAL)];
  const hasSession = await signInAt(service, 'ada');
  expect(await hasSession()).toBe(true);
  const pending = await begin(service);
  await service.run('npx proviso audit head > kept-head.json');
  const [{ access_token: leaked } = { access_token: '' }] = tokens;
  await runBreach(service, leaked);
  expect(await approve(service, pending)).toBeUndefined();
  const valid = await Promise.all(tokens.map(({ access_token }) => isTokenValid(service, access_token)));
  expect(valid).toEqual([false, false]);
  const [own, confidential] = tokens.map((one) => one.refresh_token);
  const secret = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };
  const refreshed = [await refresh(service, own ?? ''), await refresh(service, confidential ?? '', secret)];
  expect(refreshed.map(({ status }) => status)).toEqual([400, 400]);
  expect(await hasSession()).toBe(false);
  const evidence = readFileSync(join(service.cwd, 'evidence/audit.ndjson'), 'utf8');
  expect(evidence).toContain('"kind":"token_issued"');
  expect(evidence).not.toContain('by_operator');
  await service.runSection('Allow sign-ins', { PERSON: 'ada', LEAKED: leaked });
  expect(await isTokenValid(service, (await logIn(service)).access_token)).toBe(true);
  const unchanged = await service.run('sha256sum --check --quiet evidence.sha256');
  expect([unchanged.exitCode, unchanged.stdout]).toEqual([0, '']);
});

// S405
it('the runbook of a suspected breach quotes what the command reports for a log that was changed', async () => {
  const service = await startRunbookService();
  cleanups.push(service.remove);
  await logIn(service);
  await service.run('npx proviso audit head > kept-head.json');
  const file = new Libsql(join(service.cwd, '.proviso/proviso.sqlite'));
  file.exec('DROP TRIGGER audit_entry_must_not_change');
  file.exec("UPDATE audit_entry SET client_id = 'another' WHERE position = 3");
  file.close();
  const { exitCode, stderr } = await service.run('npx proviso audit verify --head kept-head.json');
  const [, quoted = ''] = /exits with 1 and reports `([^`]+)`/.exec(PAGE) ?? [];
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`proviso: ${quoted}: entry 3: `)]);
});
