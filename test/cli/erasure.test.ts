/** What a served store and the log of the service contain about a person: in a complete flow, and after an erasure (S407, S408). */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemDigest } from '../../src/system/node-ports.js';
import { ownPostgres } from '../faults/stores.js';
import { encryptionSetting } from '../support/encryption-keys.js';
import {
  AS_CONFIDENTIAL,
  approve,
  begin,
  CONFIDENTIAL,
  isTokenValid,
  postJson,
  redemption,
  refresh,
  type Tokens,
} from '../support/oauth-client.js';
import { runCommand, type ServeProcess, startServe } from '../support/run-command.js';

const AS_ADMINISTRATOR = { Authorization: 'Bearer sandbox-administrator-token' };
const CLIENT_CREDENTIALS = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };
/** Values that occur nowhere else. */
const NAME = 'zerlina-quartz-8d1f';
const EMAIL = 'zerlina.quartz@people.example';
const WALLET = `0x${'7fe1'.repeat(10)}`;
const LEGAL_NAME = 'Zerlina Aurelia Quartzfeld';
const BORN = '1987-03-19';
const CREDENTIALS = { active: 'passport-zerlina-17', revoked: 'licence-zerlina-18' };
const SCOPES = 'openid identity:read identity:legal_name kyc:read data.read';

let cwd: string;
let serving: ServeProcess;
let env: Readonly<Record<string, string>>;
let log: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-erasure-'));
  log = '';
});

afterEach(async () => {
  await serving.stop('SIGTERM');
  rmSync(cwd, { recursive: true });
});

async function start(settings: Readonly<Record<string, string>>): Promise<void> {
  env = { PROVISO_AUDIT: 'all', PROVISO_LEDGER: 'on', PROVISO_DRAIN_SECONDS: '0', ...settings };
  serving = await startServe({
    cwd,
    env,
    onError: (text) => {
      log += text;
    },
  });
}

async function run(...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCommand(args, { cwd, env });
  expect([args, exitCode, stderr]).toEqual([args, 0, '']);
  return stdout;
}

function asAdministrator(method: string, path: string): Promise<Response> {
  return fetch(`${serving.url}${path}`, { method, headers: AS_ADMINISTRATOR });
}

async function ingest(id: string, claims: object): Promise<void> {
  const credential = { id, source: 'Registry', issuedAt: '2026-01-02T00:00:00.000Z', claims };
  const body = { identifier: `email|${EMAIL}`, credential };
  expect((await postJson(serving, '/credentials', body, AS_ADMINISTRATOR)).status).toBe(200);
}

/** What a person left behind: identifiers and values; tokens, and the codes, secrets and cookies with which they were requested. */
interface Traces {
  readonly person: readonly string[];
  readonly secrets: readonly string[];
  readonly tokens: Tokens;
}

/** Creates a person, and uses the main endpoints that handle their data: ingestion, consent, tokens, queries, lists, rejections, export. */
async function leaveTraces(): Promise<Traces> {
  const id = (await run('person', 'create', NAME, '--email', EMAIL, '--wallet', WALLET)).trim();
  await ingest(CREDENTIALS.active, { 'identity.legal_name': LEGAL_NAME, 'kyc.passed': true });
  await ingest(CREDENTIALS.revoked, { 'kyc.passed': true });
  expect((await asAdministrator('DELETE', `/credentials/${CREDENTIALS.revoked}`)).status).toBe(200);
  const request = { ...AS_CONFIDENTIAL, scope: SCOPES, state: 'state-of-zerlina', nonce: 'nonce-of-zerlina' };
  const pending = await begin(serving, { ...request, login_hint: NAME });
  const code = await approve(serving, pending);
  const redeem = () => postJson(serving, '/oauth/token', redemption(pending, code));
  const first = (await (await redeem()).json()) as Tokens;
  const tokens = (await (await refresh(serving, first.refresh_token, CLIENT_CREDENTIALS)).json()) as Tokens;
  const bearer = { Authorization: `Bearer ${tokens.access_token}` };
  const query = { check: { claim: 'identity.legal_name', operator: '==', value: LEGAL_NAME } };
  const uncovered = { check: { claim: 'identity.date_of_birth', operator: '==', value: BORN } };
  const statuses = [
    (await postJson(serving, '/queries/evaluate', { query }, bearer)).status,
    (await postJson(serving, '/queries/evaluate', { query: uncovered }, bearer)).status,
    (await postJson(serving, '/oauth/introspect', { ...CLIENT_CREDENTIALS, token: tokens.access_token }))
      .status,
    (await fetch(`${serving.url}/userinfo`, { headers: bearer })).status,
    (await fetch(`${serving.url}/credentials`, { headers: bearer })).status,
    (await asAdministrator('GET', `/people/${NAME}`)).status,
    (await asAdministrator('GET', `/people/${encodeURIComponent(`email|${EMAIL}`)}`)).status,
    (await asAdministrator('GET', `/people/${NAME}-unknown`)).status,
  ];
  expect(statuses).toEqual([200, 403, 200, 200, 200, 200, 200, 404]);
  // Two requests that stay pending, in two browsers; one names the person by the address.
  const others = [
    await begin(serving, { ...request, login_hint: NAME }),
    await begin(serving, { ...request, login_hint: EMAIL }),
  ];
  const secrets = [first, tokens].flatMap(({ access_token, refresh_token, id_token = '' }) => [
    access_token,
    refresh_token,
    systemDigest.sha256(access_token),
    systemDigest.sha256(refresh_token),
    id_token,
  ]);
  return {
    person: [
      id,
      NAME,
      EMAIL,
      WALLET,
      LEGAL_NAME,
      BORN,
      ...Object.values(CREDENTIALS),
      'state-of-zerlina',
      'nonce-of-zerlina',
    ],
    secrets: [
      ...secrets.filter((secret) => secret !== ''),
      code,
      systemDigest.sha256(code),
      tokens.app_scoped_user_id,
      CONFIDENTIAL.secret,
      pending.verifier,
      ...[pending, ...others].map(({ cookie }) => cookie.split('=')[1] ?? ''),
    ],
    tokens,
  };
}

/**
 * Begins a query: its token is usually authenticated before the rest of the body is sent.
 *
 * @returns A function that sends the rest of the body, and resolves with the status of the response.
 */
async function beginQuery(token: string): Promise<() => Promise<number | undefined>> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const pending = openRequest(`${serving.url}/queries/evaluate`, { method: 'POST', headers });
  const response = new Promise<IncomingMessage>((resolve, reject) =>
    pending.on('response', resolve).on('error', reject),
  );
  const body = JSON.stringify({ query: { check: { claim: 'kyc.passed', operator: '==', value: true } } });
  pending.write(body.slice(0, 1));
  // The service usually handles requests in the order in which they were sent.
  expect(await isTokenValid(serving, token)).toBe(true);
  return async () => {
    pending.end(body.slice(1));
    const { statusCode } = (await response).resume();
    return statusCode;
  };
}

/** Reads the files of a folder, by name. @param folder - Default: the folder of the SQLite store. */
function readFiles(folder = join(cwd, '.proviso')): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}

/** Lists the values that a file contains. */
function findIn(files: ReadonlyMap<string, string>, values: readonly string[]): readonly string[] {
  return [...files].flatMap(([name, content]) =>
    values.filter((value) => content.includes(value)).map((value) => `${value} in ${name}`),
  );
}

const LEVELS = ['info', 'debug', 'trace'];

// S407
it.each(LEVELS)(
  'the log of a complete flow at the level `%s` has no value, identifier or token of the person',
  async (level) => {
    await start({ PROVISO_LOG_LEVEL: level });
    const { person, secrets, tokens } = await leaveTraces();
    expect(
      (await postJson(serving, '/oauth/revoke', { ...CLIENT_CREDENTIALS, token: tokens.access_token }))
        .status,
    ).toBe(200);
    expect((await asAdministrator('DELETE', `/people/${NAME}`)).status).toBe(200);
    await serving.stop('SIGTERM');
    const operations = [...log.matchAll(/"operation":"(\w+)"/g)].map(([, operation]) => operation);
    expect(new Set(operations).size).toBeGreaterThan(10);
    const values = [...person, ...secrets, tokens.authorization_id];
    expect(values.filter((value) => value === '' || log.includes(value))).toEqual([]);
  },
);

const ERASURES = [
  ['by the command', 'in cleartext', {}],
  ['by the command', 'encrypted', { PROVISO_ENCRYPTION_KEYS: encryptionSetting('2026-11') }],
  ['over HTTP and a purge', 'in cleartext', {}],
  ['over HTTP and a purge', 'encrypted', { PROVISO_ENCRYPTION_KEYS: encryptionSetting('2026-11') }],
] as const;

// S408
it.each(ERASURES)(
  'after an erasure %s, the files of a served store %s have no byte of the person',
  async (way, _form, settings) => {
    await start(settings);
    const { person, secrets, tokens } = await leaveTraces();
    const [id = ''] = person;
    // Before the erasure, the search finds values: ids and names are stored in cleartext.
    expect(
      findIn(readFiles(), [id, NAME, systemDigest.sha256(tokens.access_token)]).length,
    ).toBeGreaterThanOrEqual(3);
    const finishQuery = await beginQuery(tokens.access_token);
    if (way === 'by the command') await run('person', 'erase', NAME, '--yes');
    else {
      expect((await asAdministrator('DELETE', `/people/${NAME}`)).status).toBe(200);
      await run('person', 'purge');
    }
    // 401 where the server reads the token only after the erasure.
    expect([200, 401]).toContain(await finishQuery());
    const names = [...readFiles().keys()].sort();
    expect(names).toEqual(['proviso.sqlite', 'proviso.sqlite-shm', 'proviso.sqlite-wal']);
    // Includes values that are never stored in cleartext: codes, cookies and the secret of the application.
    const values = [...person, ...secrets];
    expect(findIn(readFiles(), values)).toEqual([]);
    expect(await isTokenValid(serving, tokens.access_token)).toBe(false);
    await serving.stop('SIGTERM');
    expect(findIn(readFiles(), values)).toEqual([]);
    expect(findIn(readFiles(), ['person_erased'])).not.toEqual([]);
  },
);

// S408
it('after an erasure and the documented statements, no file of PostgreSQL, the write-ahead log included, has a byte of the person', async () => {
  const { cluster: _, ...store } = await ownPostgres();
  try {
    // As the guide on personal data says for the segments of the log.
    await store.runSql('alter system set wal_recycle = off');
    await store.runSql('select pg_reload_conf()');
    const [row] = await store.runSql('show data_directory');
    const { data_directory: folder } = row as { readonly data_directory: string };
    await start({ PROVISO_DATABASE_URL: store.databaseUrl });
    const { person, secrets, tokens } = await leaveTraces();
    // The statistics of the planner have copies of values.
    await store.runSql('analyze');
    const values = [...person, ...secrets];
    // Before the erasure, the search finds values.
    expect(findIn(readFiles(folder), values).length).toBeGreaterThan(3);
    const finishQuery = await beginQuery(tokens.access_token);
    expect((await asAdministrator('DELETE', `/people/${NAME}`)).status).toBe(200);
    // 401 where the server reads the token only after the erasure.
    expect([200, 401]).toContain(await finishQuery());
    const { exitCode, stderr } = await runCommand(['person', 'purge'], { cwd, env });
    const [, statements = ''] = /until they are rewritten: (.*)/.exec(stderr) ?? [];
    expect([exitCode, statements !== '']).toEqual([0, true]);
    for (const statement of statements.split('; ').filter(Boolean)) await store.runSql(statement);
    await store.runSql('select pg_switch_wal()');
    await store.runSql('checkpoint');
    expect(findIn(readFiles(folder), values)).toEqual([]);
    expect(findIn(readFiles(folder), ['person_erased'])).not.toEqual([]);
  } finally {
    await serving.stop('SIGTERM');
    await store.remove();
  }
});
