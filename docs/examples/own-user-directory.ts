/**
 * Your own user directory: the service keeps no passwords, so it redirects people to your login and accepts its signed assertions. This
 * program contains both the service and the login, with two people and their passwords; `docs/guides/deployment.md` describes the
 * assertion.
 *
 * Start: `npx tsx docs/examples/own-user-directory.ts`, and send a browser to `…/oauth/authorize` as the client `demo`
 */
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { PRODUCTION } from 'proviso-server/service';
import { openSqliteStore } from 'proviso-server/sqlite';
import { createAssertionVerifier } from 'proviso-server/system';
import { embed } from './embed.js';

/** A person in the directory. */
interface Listed {
  /** A stable id. Applications never see it. */
  readonly id: string;
  readonly email: string;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const DIRECTORY: ReadonlyMap<string, Listed> = new Map([
  ['lovelace', listed('u-1', 'lovelace@example.org', 'a long pass phrase')],
  ['hopper', listed('u-2', 'hopper@example.org', 'another pass phrase')],
]);
const NOBODY = listed('', '', 'nobody has this one');

function listed(id: string, email: string, password: string): Listed {
  const salt = randomBytes(16);
  return { id, email, salt, hash: scryptSync(password, salt, 32) };
}

/** Finds the person; an unknown name takes the same work, so that the time does not reveal who is in the directory. */
function findByPassword(name: string, password: string): Listed | undefined {
  const person = DIRECTORY.get(name) ?? NOBODY;
  const right = timingSafeEqual(scryptSync(password, person.salt, 32), person.hash);
  return right && person !== NOBODY ? person : undefined;
}

const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
const keys = [{ ...(await exportJWK(publicKey)), kid: 'login', alg: 'ES256' }];

const login = createServer((request, response) => {
  answer(request).then(
    ({ status, headers, body = '' }) => response.writeHead(status, headers).end(body),
    () => response.writeHead(500).end(),
  );
});
login.listen(0, '127.0.0.1');
await once(login, 'listening');
const loginUrl = `http://127.0.0.1:${(login.address() as AddressInfo).port}/`;

const store = await openSqliteStore(
  join(tmpdir(), `proviso-${randomBytes(8).toString('hex')}`, 'store.sqlite'),
);
await store.upsertApplication({
  clientId: 'demo',
  name: 'Demo',
  organizationId: 'org-demo',
  redirectUris: ['http://127.0.0.1/callback'],
  scopes: ['openid', 'identity:read'],
  idTokenAlgorithm: 'ES256',
  createdAt: Date.now(),
});
const externalSignIn = { url: loginUrl, assertions: createAssertionVerifier({ keys }) };
const port = Number(process.env['PORT'] ?? 8080);
const { url } = await embed({ store, environment: PRODUCTION, options: { externalSignIn } }, port);
console.log(`listening on ${url}`);

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The login: its form, and the handling of its submission. */
async function answer(request: IncomingMessage): Promise<Answer> {
  const { searchParams } = new URL(request.url ?? '/', loginUrl);
  const returnTo = searchParams.get('return_to') ?? '';
  // Send the assertion to the service only, whatever URL this page was opened with.
  if (!returnTo.startsWith(`${new URL(url).origin}/`)) return { status: 400, headers: {} };
  if (request.method !== 'POST') return form(200);
  const sent = new URLSearchParams(await text(request));
  const person = findByPassword(sent.get('name') ?? '', sent.get('password') ?? '');
  if (person === undefined) return form(403);
  const back = new URL(returnTo);
  back.searchParams.set('assertion', await sign(person, searchParams.get('nonce') ?? ''));
  return { status: 303, headers: { Location: back.href, 'Referrer-Policy': 'no-referrer' } };
}

function form(status: number): Answer {
  const body = `<!doctype html><html lang="en"><title>Sign in</title><form method="post">
<label>Name <input name="name" autocomplete="username"></label>
<label>Password <input name="password" type="password" autocomplete="current-password"></label>
<button>Sign in</button></form></html>`;
  return { status, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body };
}

/** Signs the assertion: the person, the browser binding, the audience; valid for a minute, once. */
async function sign({ id, email }: Listed, nonce: string): Promise<string> {
  // The password was entered just now, so this sign-in satisfies any `prompt` or `max_age`.
  return await new SignJWT({ nonce, email, auth_time: Math.floor(Date.now() / 1_000) })
    .setProtectedHeader({ alg: 'ES256', kid: 'login', typ: 'sign-in+jwt' })
    .setAudience(url)
    .setSubject(id)
    .setJti(randomBytes(16).toString('base64url'))
    .setIssuedAt()
    .setExpirationTime('1 minute')
    .sign(privateKey);
}
