/** Every example with a check that it works, for the test of the examples and for `npm run check -- examples`. */
import { equal, match, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { parse } from 'yaml';
import { openBrowser, openVisit } from '../support/browser.js';
import { CHROMIUM } from '../support/chromium.js';
import { press } from '../support/consent-journey.js';
import { decideByForm } from '../support/decide-by-form.js';
import { type RunOptions, runCommand, type ServeProcess, startServe } from '../support/run-command.js';
import { createCookieJar } from './cookie-jar.js';
import { runExample, startExample } from './run-example.js';

/** Resources for the check of an example. */
export interface ExampleContext {
  /** A running sandbox service. */
  readonly service: ServeProcess;
  /** An empty PostgreSQL database. */
  readonly databaseUrl: () => Promise<string>;
  /** An empty folder. */
  readonly cwd: string;
}

/** One example. */
export interface Example {
  /** The file or folder in `docs/examples`. */
  readonly name: string;
  readonly needs?: 'chromium' | 'postgres';
  /** Starts the example and checks its behavior. @throws {Error} If it behaves otherwise. */
  check(context: ExampleContext): Promise<void>;
}

const ALERTS = [
  '2000 alerts with 2204 distinct checks',
  '305 of 1000 people were notified, by 368 alerts\n',
].join('\n');

/** Every example. */
export const EXAMPLES: readonly Example[] = [
  { name: 'express.ts', check: () => checkRoute('express.ts') },
  { name: 'fastify.ts', check: () => checkRoute('fastify.ts') },
  { name: 'hono.ts', check: () => checkRoute('hono.ts') },
  {
    name: 'worker-thread.mjs',
    check: async () =>
      equal(await runExample('worker-thread.mjs'), '94000 of 200000 people are from 18 to 64\n'),
  },
  {
    name: 'queue-consumer.ts',
    check: async () =>
      equal(
        await runExample('queue-consumer.ts'),
        [
          'm1: passed',
          'm2: not passed',
          'm3: dead letter: insufficient_scope',
          'm4: dead letter: invalid_query, operator_unknown at /check/operator',
          'm5: dead letter: no person of that name\n',
        ].join('\n'),
      ),
  },
  {
    name: 'alerts.ts',
    check: async () => equal(await runExample('alerts.ts'), ALERTS),
  },
  {
    name: 'own-regex-engine.ts',
    check: async () =>
      equal(
        await runExample('own-regex-engine.ts'),
        '@example: true\norg$: true\n^org: false\na+: pattern_invalid\n',
      ),
  },
  {
    name: 'own-store.ts',
    check: async () =>
      equal(
        await runExample('own-store.ts'),
        'passed: true, store calls: findAccessToken, readCredentials\n',
      ),
  },
  { name: 'own-user-directory.ts', check: checkOwnUserDirectory },
  { name: 'relying-party', check: checkRelyingParty },
  { name: 'browser', needs: 'chromium', check: checkBrowser },
  { name: 'postgres-compose', needs: 'postgres', check: checkCompose },
];

/** The reason why an example cannot be checked on this machine; `undefined` if it can be. */
export function skipReason({ needs }: Example): string | undefined {
  return needs === 'chromium' && CHROMIUM === undefined ? 'there is no Chromium' : undefined;
}

/** Checks an example with a route that requires a policy. The examples of all frameworks behave alike. */
async function checkRoute(file: string): Promise<void> {
  const { url, stop } = await startExample(file);
  const ask = async (person?: string) => {
    const headers = person === undefined ? {} : { 'X-Person': person };
    const response = await fetch(`${url}/wine`, { headers });
    return `${response.status} ${JSON.stringify(await response.json())}`;
  };
  try {
    equal(await ask(), '401 {"error":"sign_in_first"}');
    equal(await ask('ada'), '200 {"poured":true}');
    equal(await ask('bruno'), '403 {"error":"policy_not_met","reasons":["You must be 18 or older."]}');
    equal(await ask('chiyo'), '403 {"error":"ask_for_consent","scopes":["identity:date_of_birth"]}');
  } finally {
    await stop();
  }
}

/** Signs in with a wrong password and with the right one, and returns to the consent page. */
async function checkOwnUserDirectory({ cwd }: ExampleContext): Promise<void> {
  // The example creates its store in the temporary folder, and is killed before it could remove it.
  const { url, stop } = await startExample('own-user-directory.ts', { TMPDIR: cwd });
  const jar = createCookieJar();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'demo',
    redirect_uri: 'http://127.0.0.1/callback',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  try {
    const login = await jar.follow(`${url}/oauth/authorize?${query}`);
    match(await login.text(), /Password/);
    const enter = (password: string) =>
      jar.fetch(login.url, { method: 'POST', body: new URLSearchParams({ name: 'lovelace', password }) });
    equal((await enter('a wrong one')).status, 403);
    const back = await enter('a long pass phrase');
    equal(back.status, 303);
    const consent = await jar.follow(back.headers.get('location') ?? '');
    equal(new URL(consent.url).pathname, '/consent');
    match(await consent.text(), /Demo/);
    const foreignReturn = new URL(login.url);
    foreignReturn.searchParams.set('return_to', 'https://evil.example/');
    equal((await fetch(foreignReturn)).status, 400);
  } finally {
    await stop();
  }
}

/** Signs in, consents, returns, and requests the offer; then signs out. */
async function checkRelyingParty({ service }: ExampleContext): Promise<void> {
  const { url, stop } = await startExample('relying-party/serve.ts', { PROVISO_ISSUER: service.url });
  const signIn = async (person: string, action: 'approve' | 'deny' = 'approve') => {
    const jar = createCookieJar();
    const toSignIn = await jar.fetch(`${url}/offer`);
    equal(toSignIn.headers.get('location'), '/sign-in');
    const pending = await jar.fetch(`${url}/sign-in`);
    const cookiesBefore = jar.cookies();
    const callback = await decideByForm(pending.headers.get('location') ?? '', { person, action });
    const arrived = await jar.fetch(callback.href);
    if (arrived.status === 303) ok(jar.cookies() !== cookiesBefore, 'the session must have a new id');
    return { jar, arrived, callback };
  };
  try {
    const { jar, arrived, callback } = await signIn('ada');
    equal(arrived.headers.get('location'), '/offer');
    match(await (await jar.fetch(`${url}/offer`)).text(), /a bottle of wine","price":8,/);
    // The callback a second time, and in a browser that did not start the sign-in.
    equal((await jar.fetch(callback.href)).status, 400);
    equal((await fetch(callback)).status, 400);
    const ended = await jar.fetch(`${url}/sign-out`, { method: 'POST' });
    equal(await ended.text(), 'You are signed out.');
    equal((await jar.fetch(`${url}/offer`)).headers.get('location'), '/sign-in');
    const abroad = await signIn('emeka');
    match(await (await abroad.jar.fetch(`${url}/offer`)).text(), /a bottle of wine","price":10,/);
    const minor = await signIn('bruno');
    equal((await minor.jar.fetch(`${url}/offer`)).status, 403);
    const denied = await signIn('ada', 'deny');
    equal(await denied.arrived.text(), '{"error":"access_denied"}');
  } finally {
    await stop();
  }
}

/** Runs the example in Chromium with an adult, who then revokes the grant, with a minor, and with a person who denies. */
async function checkBrowser({ service }: ExampleContext): Promise<void> {
  const { url, stop } = await startExample('browser/serve.ts', { PROVISO_ISSUER: service.url });
  const browser = await openBrowser();
  /** Goes from the page to the service and back in a new browser, and expects the outcome. */
  const visitPage = async (decide: (page: Page) => Promise<void>, outcome: string) => {
    const opened = await openVisit(browser, { origins: [new URL(service.url).origin, url] });
    const { page, problems, foreignRequests } = opened;
    await page.goto(url);
    await waitForText(page, 'May we ask?');
    await press(page, 'Show that I am of age');
    await decide(page);
    await waitForText(page, outcome);
    equal(new URL(page.url()).search, '');
    equal(JSON.stringify([problems, foreignRequests]), '[[],[]]');
    return opened;
  };
  try {
    const { page } = await visitPage((at) => share(at, 'ada'), 'You are of age.');
    await page.getByRole('button', { name: 'Take it back' }).click();
    await waitForText(page, 'It is over.');
    await visitPage((at) => share(at, 'bruno'), 'You are not of age.');
    await visitPage((at) => press(at, 'Do not share'), 'You said no.');
  } finally {
    await browser.close();
    await stop();
  }
}

/** Waits until the page shows a text. */
function waitForText(page: Page, text: string): Promise<void> {
  return page.getByText(text, { exact: true }).waitFor();
}

/** Approves the request on the consent page. */
async function share(page: Page, person: string): Promise<void> {
  const who = page.getByRole('combobox', { name: 'You are' });
  if ((await who.count()) > 0) await who.selectOption(person);
  const palm = page.getByRole('button', { name: 'Verify my palm' });
  if ((await palm.count()) > 0) await press(page, 'Verify my palm');
  for (const box of await page.getByRole('checkbox').all()) if (await box.isEnabled()) await box.check();
  await press(page, 'Share');
}

interface ComposeFile {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image?: string;
        readonly command?: readonly string[];
        readonly environment?: Readonly<Record<string, string>>;
        readonly ports?: readonly string[];
        readonly healthcheck?: object;
      }
    >
  >;
}

/** Reads the compose file, and runs its commands with its settings, except for the database and the ports. */
async function checkCompose({ databaseUrl, cwd }: ExampleContext): Promise<void> {
  const folder = new URL('../../docs/examples/postgres-compose/', import.meta.url);
  const text = await readFile(new URL('compose.yaml', folder), 'utf8');
  const { services } = parse(text, { merge: true }) as ComposeFile;
  const { database, migrate, one, other } = services;
  ok(database?.image?.startsWith('postgres:') && database.healthcheck !== undefined);
  const { POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: name } = database?.environment ?? {};
  const address = `postgres://${user}:${password}@database:5432/${name}`;
  for (const { environment } of [migrate, one, other].map((service) => service ?? {}))
    equal(environment?.['PROVISO_DATABASE_URL'], address);
  for (const port of [...(one?.ports ?? []), ...(other?.ports ?? [])]) match(port, /^127\.0\.0\.1:\d+:8080$/);
  equal(one?.environment?.['PROVISO_PORT'], '8080');

  const env = { ...one?.environment, PROVISO_DATABASE_URL: await databaseUrl(), PROVISO_PORT: '0' };
  const options: RunOptions = { cwd, env };
  const migrated = await runCommand(migrate?.command ?? [], options);
  equal(migrated.exitCode, 0, migrated.stderr);
  equal((await runCommand(['migrate', '--status'], options)).exitCode, 0);
  equal(`${one?.command} ${other?.command}`, 'serve serve');
  // The second instance generates its key, as in production, instead of using the one of the tests.
  const generatedKeys = { cwd, env: { ...env, PROVISO_TEST_RSA_KEY: '' } };
  const [first, second] = await Promise.all([startServe(options), startServe(generatedKeys)]);
  try {
    const token = /Bearer ([\w.-]+)/.exec(first.curlLine)?.[1];
    const headers = { Authorization: `Bearer ${token}` };
    // A token of one instance is valid at the other: they share the database.
    equal((await fetch(`${second.url}/presets/kyc_level`, { headers })).status, 200);
  } finally {
    await Promise.all([first.stop('SIGTERM'), second.stop('SIGTERM')]);
  }
}
