/** A production service with an external login, assertions of such a login, and browsers simulated with `fetch`. */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { PRODUCTION, type ServiceOptions } from '../../src/service/index.js';
import { createAssertionVerifier } from '../../src/system/assertion-verifier.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { authorizationQuery, createPkce, PUBLIC, postJson, redemption, type Tokens } from './oauth-client.js';
import { type StartedService, type StartOptions, startService } from './start-service.js';

export const ADMINISTRATOR = 'the-administrator-of-these-tests';

/** The cookies of one browser, by name. */
export type Jar = Map<string, string>;

/** An authorization request that a browser has started. */
export interface BrowserAuthorization {
  readonly id: string;
  readonly verifier: string;
}

export interface VisitedPage {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
}

/** Returns where a browser goes next: the target of a redirect, or the URL that the page loads; `null` if it stays on the page. */
export function nextOf({ location, text }: Pick<VisitedPage, 'location' | 'text'>): string | null {
  const loaded = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(text)?.[1];
  return location ?? loaded?.replaceAll('&amp;', '&') ?? null;
}

export interface ExternalLogin {
  readonly started: StartedService;
  /** Begins an authorization request in a browser. */
  readonly begin: (jar: Jar, changes?: Readonly<Record<string, string>>) => Promise<BrowserAuthorization>;
  /** Requests a page, or submits a form. */
  readonly visit: (jar: Jar, path: string, form?: Readonly<Record<string, string>>) => Promise<VisitedPage>;
  /** Requests `/sign-in` and returns the URL of the external login that it redirects to. */
  readonly redirectToLogin: (jar: Jar, id?: string, more?: string) => Promise<URL>;
  /** Requests the URL in `return_to`, with an assertion of these claims that the external login signed. */
  readonly returnFromLogin: (jar: Jar, target: URL, claims: JWTPayload) => Promise<VisitedPage>;
  /** Completes a sign-in at the external login. */
  readonly signIn: (jar: Jar, person: string, id?: string, claims?: JWTPayload) => Promise<VisitedPage>;
  /** Loads the consent page and submits its form. */
  readonly decide: (
    jar: Jar,
    id: string,
    action: string,
    changes?: Readonly<Record<string, string>>,
  ) => Promise<VisitedPage>;
  /** Approves by the API with a browser's session. */
  readonly approve: (jar: Jar, id: string) => Promise<Response>;
  /** Redeems the code in a redirect URL. */
  readonly redeem: (pending: BrowserAuthorization, location: string | null) => Promise<Tokens>;
  readonly statusOf: (id: string) => Promise<string>;
}

/** Starts a service, which the caller must stop, with one public client. */
export async function startWithExternalLogin(
  options: ServiceOptions = {},
  wrap: StartOptions['wrap'] = (store) => store,
  more: Pick<StartOptions, 'store' | 'ledger'> = {},
): Promise<ExternalLogin> {
  const keys = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'login', alg: 'ES256' };
  const assertions = createAssertionVerifier({ keys: [jwk] });
  const started = await startService({
    environment: PRODUCTION,
    wrap,
    ...more,
    options: {
      administratorTokenHash: systemDigest.sha256(ADMINISTRATOR),
      externalSignIn: { url: 'https://login.example/start', assertions },
      ...options,
    },
  });
  await started.store.upsertApplication({
    scopes: ['openid', 'kyc:read', 'identity:read', 'identity:legal_name'],
    createdAt: 1,
    idTokenAlgorithm: 'ES256',
    clientId: PUBLIC.clientId,
    name: 'Harbour',
    organizationId: 'o1',
    redirectUris: [PUBLIC.redirectUri],
  });
  const { origin } = new URL(started.url);
  let assertionCount = 0;
  const login: ExternalLogin = {
    started,
    begin: async (jar, changes = {}) => {
      const { verifier, challenge } = createPkce();
      const query = authorizationQuery({ scope: 'openid kyc:read', code_challenge: challenge, ...changes });
      const { location } = await login.visit(jar, `/v2/oauth/authorize?${query}`);
      return { id: new URL(location ?? '').searchParams.get('authorization_id') ?? '', verifier };
    },
    visit: (jar, path, form) => visit(jar, new URL(path, origin), form),
    redirectToLogin: async (jar, id = '', more = '') => {
      const { location } = await login.visit(jar, `/sign-in?authorization_id=${id}${more}`);
      return new URL(location ?? '');
    },
    returnFromLogin: async (jar, target, claims) => {
      assertionCount += 1;
      const seconds = Math.floor(started.clock.now() / 1_000);
      const assertion = await new SignJWT({
        jti: `assertion-${assertionCount}`,
        aud: started.url,
        iat: seconds,
        exp: seconds + 60,
        nonce: target.searchParams.get('nonce'),
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: 'login', typ: 'sign-in+jwt' })
        .sign(keys.privateKey);
      const back = new URL(target.searchParams.get('return_to') ?? '');
      back.searchParams.set('assertion', assertion);
      return await login.visit(jar, back.href);
    },
    signIn: async (jar, person, id = '', claims = {}) =>
      await login.returnFromLogin(jar, await login.redirectToLogin(jar, id), { sub: person, ...claims }),
    decide: async (jar, id, action, changes = {}) => {
      const { text } = await login.visit(jar, `/consent?authorization_id=${id}`);
      return await login.visit(jar, '/consent', {
        ...formOf(text),
        authorization_id: id,
        action,
        ...changes,
      });
    },
    approve: (jar, id) =>
      postJson(
        started,
        '/oauth/authorize/approve',
        { authorization_id: id },
        { Cookie: cookiesOf(jar), Origin: origin },
      ),
    redeem: async ({ id: authorizationId, verifier }, location) => {
      const code = new URL(location ?? '').searchParams.get('code') ?? '';
      const pending = { authorizationId, verifier, cookie: '', ...PUBLIC };
      const response = await postJson(started, '/oauth/token', redemption(pending, code));
      return (await response.json()) as Tokens;
    },
    statusOf: async (id) => (await started.service.authorizations.get(id)).authorization.status,
  };
  return login;
}

/** Requests a page, or submits a form, with the cookies of a browser, which are updated. Redirects are not followed. */
export async function visit(
  jar: Jar,
  url: URL,
  form?: Readonly<Record<string, string>>,
): Promise<VisitedPage> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: {
      Cookie: cookiesOf(jar),
      ...(form === undefined
        ? {}
        : { Origin: url.origin, 'Content-Type': 'application/x-www-form-urlencoded' }),
    },
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  });
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') jar.delete(name);
    else jar.set(name, value);
  }
  const { status, headers } = response;
  return { status, location: headers.get('location'), text: await response.text() };
}

export function cookiesOf(jar: Jar): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Returns the fields of a page's form with every box ticked. */
export function formOf(markup: string): Readonly<Record<string, string>> {
  const hidden = markup.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]+)">/g);
  const ticked = markup.matchAll(/<input type="checkbox" name="([^"]+)"/g);
  return Object.fromEntries([
    ...[...hidden].map(([, name = '', value = '']) => [name, value]),
    // Required scopes have no checkbox.
    ...[...ticked].map(([, name = '']) => [name, 'on']),
  ]);
}

/** Decodes the claims of an ID token without verification. */
export function claimsOf(idToken: string | undefined): Readonly<Record<string, unknown>> {
  const [, payload = ''] = (idToken ?? '').split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Readonly<Record<string, unknown>>;
}
