/** Sign-in at OpenID Connect providers, with oidc-provider in this process (S320–S328). */
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { formOf } from '../support/external-login.js';
import { PROVIDER_CLIENT } from '../support/identity-provider.js';
import { PUBLIC } from '../support/oauth-client.js';
import {
  decide,
  type FetchBrowser,
  type ProviderDeployment,
  startWithProviders,
} from '../support/provider-sign-in.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ACCOUNTS = {
  'sub-anna': { preferred_username: 'anna', email: 'anna@people.example', email_verified: true },
  'sub-bea': { preferred_username: 'bea', email: 'bea@people.example', email_verified: false },
  'sub-carl': { preferred_username: 'carl' },
};

const PALM_SCOPES = ['openid', 'identity:legal_name'];

const [SIGNED, UNSIGNED] = ['signed@people.example', 'unsigned@people.example'];
/** The address and its verification in ID token and user information, and the address to record. */
const PAIRS = [
  [{ email: SIGNED }, { email_verified: true }, undefined],
  [{ email_verified: true }, { email: UNSIGNED }, undefined],
  [{ email_verified: true }, { email: UNSIGNED, email_verified: false }, undefined],
  [{ email: SIGNED }, { email: UNSIGNED, email_verified: true }, UNSIGNED],
  [{ email: SIGNED, email_verified: false }, { email: UNSIGNED, email_verified: true }, undefined],
  [{ email: SIGNED, email_verified: true }, { email: UNSIGNED, email_verified: true }, SIGNED],
  [{}, { email: UNSIGNED, email_verified: true }, UNSIGNED],
] as const;

let deployment: ProviderDeployment;
let browser: FetchBrowser;

describe('with one provider', () => {
  beforeAll(async () => {
    deployment = await startWithProviders([{ accounts: ACCOUNTS }]);
  });

  afterAll(() => deployment.stop());

  beforeEach(() => {
    deployment.started.clock.moveTo(Date.now());
    browser = deployment.openBrowser();
  });

  // S321, S322
  it('a person signs in at the provider, gives consent, and is the same person at the next sign-in', async () => {
    const id = await browser.begin();
    const target = await browser.redirectToProvider(`?authorization_id=${id}`);
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${deployment.origin}/sign-in/callback/staff`,
      scope: 'openid email profile',
    });
    const back = await browser.signInAtProvider(target, 'sub-anna');
    expect(back.searchParams.get('iss')).toBe(deployment.providers[0]?.issuer);
    expect((await browser.visit(back.href)).location).toBe(`/consent?authorization_id=${id}`);
    expect((await decide(browser, id, 'approve')).location).toContain(`${PUBLIC.redirectUri}?code=`);
    const first = await deployment.started.store.findPerson('name', 'anna');
    expect(first).toMatchObject({ email: 'anna@people.example' });
    const other = deployment.openBrowser();
    await other.signIn('sub-anna');
    expect((await other.visit('/grants')).text).toContain('>anna<');
    expect(await deployment.started.store.findPerson('name', 'anna')).toEqual(first);
  });

  // S325
  it('an e-mail address that the provider did not verify is not recorded', async () => {
    await browser.signIn('sub-bea');
    expect(await deployment.started.store.findPerson('name', 'bea')).not.toHaveProperty('email');
  });

  // S454
  it.each(PAIRS)(
    'with %j in the ID token and %j in the user information, the recorded e-mail address is %j',
    async (idToken, userInfo, email) => {
      const accounts = { 'sub-dora': { preferred_username: 'dora', ...userInfo } };
      const other = await startWithProviders([{ accounts, idTokenClaims: { 'sub-dora': idToken } }]);
      try {
        await other.openBrowser().signIn('sub-dora');
        expect((await other.started.store.findPerson('name', 'dora'))?.email).toBe(email);
      } finally {
        await other.stop();
      }
    },
  );

  // S323
  it('rejects a repeated response, and a response in another browser, without its state, or with an altered state', async () => {
    const target = await browser.redirectToProvider();
    const back = await browser.signInAtProvider(target, 'sub-anna');
    const altered = new URL(back);
    altered.searchParams.set('state', `${back.searchParams.get('state')}x`);
    const stateless = new URL(back);
    stateless.searchParams.delete('state');
    expect((await deployment.openBrowser().visit(back.href)).status).toBe(403);
    const other = deployment.openBrowser();
    await other.redirectToProvider();
    for (const url of [back, altered, stateless]) expect((await other.visit(url.href)).status).toBe(403);
    for (const url of [altered, stateless]) expect((await browser.visit(url.href)).status).toBe(403);
    expect((await browser.visit(back.href)).status).toBe(303);
    const replayed = await browser.visit(back.href);
    expect([replayed.status, replayed.text]).toEqual([403, expect.stringContaining('already used')]);
  });

  // S323
  it('rejects a used code with a new state', async () => {
    const used = await browser.signInAtProvider(await browser.redirectToProvider(), 'sub-anna');
    expect((await browser.visit(used.href)).status).toBe(303);
    const target = await browser.redirectToProvider();
    used.searchParams.set('state', target.searchParams.get('state') ?? '');
    const replayed = await browser.visit(used.href);
    expect([replayed.status, replayed.text]).toEqual([403, expect.stringContaining('rejected the code')]);
  });

  // S322
  it('rejects an ID token with another nonce, such as that of an injected code', async () => {
    const target = await browser.redirectToProvider();
    target.searchParams.set('nonce', 'the-nonce-of-another-sign-in');
    const back = await browser.signInAtProvider(target, 'sub-anna');
    const rejected = await browser.visit(back.href);
    expect([rejected.status, rejected.text]).toEqual([403, expect.stringContaining('nonce is wrong')]);
    expect((await browser.visit('/grants')).location).toBe('/sign-in');
  });

  // S323
  it('rejects a code that was requested with another code challenge', async () => {
    const target = await browser.redirectToProvider();
    target.searchParams.set('code_challenge', 'A'.repeat(43));
    const back = await browser.signInAtProvider(target, 'sub-anna');
    expect((await browser.visit(back.href)).text).toContain('rejected the code');
  });

  // S322
  it('rejects an expired ID token, and a response an hour after the sign-in began', async () => {
    const [expiredTarget, lateTarget] = [
      await browser.redirectToProvider(),
      await browser.redirectToProvider(),
    ];
    const expired = await browser.signInAtProvider(expiredTarget, 'sub-anna');
    deployment.started.clock.moveTo(Date.now() + 600_000);
    const rejected = await browser.visit(expired.href);
    expect([rejected.status, rejected.text]).toEqual([403, expect.stringContaining('it is expired')]);
    const late = await browser.signInAtProvider(lateTarget, 'sub-anna');
    deployment.started.clock.moveTo(Date.now() + HOUR_MS);
    expect((await browser.visit(late.href)).text).toContain('state is missing, expired');
  });

  // S322
  it('rejects an ID token that another key signed', async () => {
    const { publicKey } = await generateKeyPair('RS256');
    const key = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
    const other = await startWithProviders([{ accounts: ACCOUNTS }]);
    const visitor = other.openBrowser();
    other.providers[0]?.override('/jwks', (response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ keys: [key] }));
    });
    expect((await visitor.signIn('sub-anna')).text).toContain('its signature is wrong');
    await other.stop();
  });

  // S322
  it('rejects an ID token whose `azp` is another client, also if its only `aud` is the service', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const key = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
    const other = await startWithProviders([{ accounts: ACCOUNTS }]);
    const [provider] = other.providers;
    const answer = (path: string, body: object) =>
      provider?.override(path, (response) => {
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify(body));
      });
    answer('/jwks', { keys: [key] });
    const signInWith = async (azp: string) => {
      const visitor = other.openBrowser();
      const target = await visitor.redirectToProvider();
      const idToken = await new SignJWT({ azp, nonce: target.searchParams.get('nonce') })
        .setProtectedHeader({ alg: 'RS256', kid: 'key-1' })
        .setIssuer(provider?.issuer ?? '')
        .setSubject('sub-anna')
        .setAudience(PROVIDER_CLIENT.id)
        .setIssuedAt()
        .setExpirationTime('1 minute')
        .sign(privateKey);
      const back = await visitor.signInAtProvider(target, 'sub-anna');
      answer('/token', { access_token: 'token', token_type: 'Bearer', id_token: idToken });
      answer('/me', { sub: 'sub-anna' });
      return await visitor.visit(back.href);
    };
    expect((await signInWith(PROVIDER_CLIENT.id)).status).toBe(303);
    const rejected = await signInWith('another-client');
    expect([rejected.status, rejected.text]).toEqual([403, expect.stringContaining('azp or nonce is wrong')]);
    await other.stop();
  });

  // S323
  it('rejects a response without a code and without an error, which is no failure of the provider', async () => {
    const incomplete = await browser.signInAtProvider(await browser.redirectToProvider(), 'sub-anna');
    incomplete.searchParams.delete('code');
    const rejected = await browser.visit(incomplete.href);
    expect([rejected.status, rejected.text]).toEqual([
      403,
      expect.stringContaining('its state, iss or code is missing or wrong'),
    ]);
    expect(deployment.started.failures).toEqual([]);
  });

  it('shows a person who cancels at the provider that they are not signed in', async () => {
    const canceled = await browser.signIn('sub-anna', '', 'cancel');
    expect([canceled.status, canceled.text]).toEqual([
      403,
      expect.stringContaining('The sign-in provider reported access_denied.'),
    ]);
    expect((await browser.visit('/grants')).location).toBe('/sign-in');
  });

  // S327
  it('a palm is verified only by a fresh sign-in with the configured `acr`', async () => {
    const id = await browser.begin({ scope: 'openid identity:legal_name' });
    // The sign-in is fresh, but by password.
    await browser.signIn('sub-anna', `?authorization_id=${id}`);
    expect((await decide(browser, id, 'approve', PALM_SCOPES)).status).toBe(403);
    const step = await decide(browser, id, 'palm');
    expect([step.status, step.text]).toEqual([
      200,
      expect.stringContaining(`content="0; url=/sign-in?authorization_id=${id}&amp;verify=palm"`),
    ]);
    const target = await browser.redirectToProvider(`?authorization_id=${id}&verify=palm`);
    expect(target.searchParams.get('acr_values')).toBe('urn:example:acr:palm');
    expect(target.searchParams.get('prompt')).toBe('login');
    // The provider requests the palm, but the person uses the password again.
    expect((await browser.signIn('sub-anna', `?authorization_id=${id}&verify=palm`)).status).toBe(303);
    expect((await decide(browser, id, 'approve', PALM_SCOPES)).status).toBe(403);
    // The palm of another person does not count for this one, and signs that person in.
    browser.forgetProviders();
    await browser.signIn('sub-carl', `?authorization_id=${id}&verify=palm`, 'palm');
    browser.forgetProviders();
    await browser.signIn('sub-anna', `?authorization_id=${id}`);
    expect((await decide(browser, id, 'approve', PALM_SCOPES)).status).toBe(403);
    await browser.signIn('sub-anna', `?authorization_id=${id}&verify=palm`, 'palm');
    expect((await decide(browser, id, 'approve', PALM_SCOPES)).status).toBe(303);
  });

  it('a signed-in person who opens the sign-in page again must authenticate at the provider', async () => {
    await browser.signIn('sub-anna');
    expect((await browser.redirectToProvider()).searchParams.get('prompt')).toBe('login');
  });

  // S332
  it('a person who wants to erase their data must authenticate again at the provider', async () => {
    await browser.signIn('sub-anna');
    deployment.started.clock.moveTo(Date.now() + 11 * MINUTE_MS);
    await browser.signIn('sub-anna', '?prompt=login');
    const target = await browser.redirectToProvider('?prompt=login');
    expect([target.searchParams.get('prompt'), target.searchParams.get('max_age')]).toEqual(['login', '0']);
    // The ID token states the instant of the authentication, which precedes the clock of the service by eleven minutes.
    expect((await browser.visit('/my-data')).text).toContain('href="/sign-in?prompt=login"');
    deployment.started.clock.moveTo(Date.now());
    await browser.signIn('sub-anna', '?prompt=login');
    expect((await browser.visit('/my-data')).text).toContain('name="confirm"');
  });

  // S327
  it('a palm of an earlier sign-in at the provider does not count', async () => {
    await browser.signIn('sub-anna', '', 'palm');
    const id = await browser.begin({ scope: 'openid identity:legal_name' });
    deployment.started.clock.moveTo(Date.now() + 30_000);
    const target = await browser.redirectToProvider(`?authorization_id=${id}&verify=palm`);
    // The browser removes `prompt`, so that the provider reuses its session, with the `acr` of the palm.
    target.searchParams.delete('prompt');
    await browser.visit((await browser.signInAtProvider(target, 'sub-anna')).href);
    expect((await decide(browser, id, 'approve', PALM_SCOPES)).status).toBe(403);
  });

  // S327
  it('sends `prompt=login` and `max_age` of the authorization request to the provider, and rejects an older sign-in', async () => {
    await browser.signIn('sub-anna');
    const id = await browser.begin({ prompt: 'login', max_age: '60' });
    const target = await browser.redirectToProvider(`?authorization_id=${id}`);
    expect([target.searchParams.get('prompt'), target.searchParams.get('max_age')]).toEqual(['login', '60']);
    deployment.started.clock.moveTo(Date.now() + 50_000);
    const demands: readonly Readonly<Record<string, string>>[] = [{ prompt: 'login' }, { max_age: '20' }];
    for (const demand of demands) {
      const later = await browser.begin(demand);
      const stale = await browser.redirectToProvider(`?authorization_id=${later}`);
      // The browser removes `prompt`, so that the provider reuses its session.
      stale.searchParams.delete('prompt');
      const { status, text } = await browser.visit((await browser.signInAtProvider(stale, 'sub-anna')).href);
      expect([demand, status, text]).toEqual([demand, 403, expect.stringContaining('more recent sign-in')]);
    }
    // A sign-in of the required age is accepted.
    const recent = await browser.begin({ max_age: '60' });
    expect((await browser.signIn('sub-anna', `?authorization_id=${recent}`)).location).toBe(
      `/consent?authorization_id=${recent}`,
    );
  });

  // S328
  it('a person who signs out is sent to the provider and back to the application', async () => {
    await browser.signIn('sub-anna');
    const { text } = await browser.visit('/grants');
    const proof = /name="proof" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const page = await browser.visit('/grants', { proof, action: 'sign_out' });
    const [provider] = deployment.providers;
    const end = `${provider?.issuer}/session/end?client_id=proviso&amp;post_logout_redirect_uri=`;
    expect(page.text).toContain(`content="0; url=${end}`);
    expect((await browser.visit('/grants')).location).toBe('/sign-in');
    expect((await browser.visit('/signed-out')).text).toContain('You are signed out');
    const state = new URLSearchParams({
      client_id: PUBLIC.clientId,
      post_logout_redirect_uri: `${new URL(PUBLIC.redirectUri).origin}/bye`,
      state: 's1',
    });
    expect((await browser.visit(`/signed-out?${new URLSearchParams({ state: `${state}` })}`)).location).toBe(
      `${new URL(PUBLIC.redirectUri).origin}/bye?state=s1`,
    );
    state.set('post_logout_redirect_uri', 'https://evil.example/');
    expect((await browser.visit(`/signed-out?${new URLSearchParams({ state: `${state}` })}`)).status).toBe(
      400,
    );
  });

  it('the administrator cannot approve for people who can sign in', async () => {
    const id = await browser.begin({ login_hint: 'anna' });
    const response = await fetch(`${deployment.started.url}/oauth/authorize/approve`, {
      method: 'POST',
      headers: {
        Authorization: 'Bearer the-administrator-of-these-tests',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ authorization_id: id }),
    });
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { error_subcode: 'administrator_approval_disabled' },
    ]);
  });

  it('answers an unknown provider with 404', async () => {
    expect((await browser.visit('/sign-in?provider=other')).status).toBe(404);
    await browser.redirectToProvider();
    expect((await browser.visit('/sign-in/callback/other?state=x')).status).toBe(404);
  });
});

describe('with two providers', () => {
  beforeAll(async () => {
    deployment = await startWithProviders([
      { accounts: ACCOUNTS, settings: { required: { acr: ['password'], amr: [] } } },
      {
        accounts: {
          ...ACCOUNTS,
          'p-anna': { preferred_username: 'anna p', email: 'Anna@people.example', email_verified: true },
          'p-anna-2': { preferred_username: 'anna q', email: 'anna@people.example', email_verified: true },
          'p-mallory': { preferred_username: 'mallory', email: 'anna@people.example' },
          'p-otto': { preferred_username: 'otto' },
        },
        settings: { id: 'partner', name: 'Partner <b>', linkBy: ['email'], endSession: false },
      },
    ]);
  });

  afterAll(() => deployment.stop());

  beforeEach(() => {
    deployment.started.clock.moveTo(Date.now());
    browser = deployment.openBrowser();
  });

  it('the sign-in page offers both, by their names, and keeps its language', async () => {
    const { status, text } = await browser.visit('/sign-in?authorization_id=a');
    expect(status).toBe(200);
    expect(text).toContain('href="/sign-in?provider=staff&amp;authorization_id=a"');
    expect(text).toContain('Partner &lt;b&gt;');
    const german = await browser.visit('/sign-in?authorization_id=a&ui_locales=de');
    expect(german.text).toContain('href="/sign-in?provider=staff&amp;authorization_id=a&amp;ui_locales=de"');
  });

  // S324
  it('rejects the response of one provider as that of the other, with and without `iss`', async () => {
    const [staff, partner] = ['?provider=staff', '?provider=partner'];
    const target = await browser.redirectToProvider(staff);
    // A hostile provider forwards the browser to the other one, with the state of its own request.
    const other = await browser.redirectToProvider(partner);
    other.searchParams.set('state', target.searchParams.get('state') ?? '');
    const back = await browser.signInAtProvider(other, 'sub-anna');
    expect((await browser.visit(back.href)).text).toContain('created for another browser or provider');
    const mixed = new URL('/sign-in/callback/staff', deployment.origin);
    mixed.search = back.search;
    expect((await browser.visit(mixed.href)).text).toContain('its state, iss or code is missing or wrong');
    const again = await browser.redirectToProvider(staff);
    mixed.searchParams.set('state', again.searchParams.get('state') ?? '');
    mixed.searchParams.delete('iss');
    expect((await browser.visit(mixed.href)).text).toContain('its state, iss or code is missing or wrong');
  });

  // S326
  it('links an account by an e-mail address that both providers verified, and by no other', async () => {
    await browser.signIn('sub-anna', '?provider=staff');
    const { store } = deployment.started;
    const anna = await store.findPerson('name', 'anna');
    const nameOf = async (account: string) => {
      const visitor = deployment.openBrowser();
      await visitor.signIn(account, '?provider=partner');
      return /class="person"><bdi>([^<]+)</.exec((await visitor.visit('/grants')).text)?.[1];
    };
    expect(await nameOf('p-mallory')).toBe('mallory');
    // The part before the @ is case-sensitive.
    expect(await nameOf('p-anna')).toBe('anna p');
    expect(anna?.email).toBe('anna@people.example');
    expect(await nameOf('p-anna-2')).toBe('anna');
    // The address was reassigned at the partner: the person has an account there already.
    expect(await nameOf('sub-anna')).toBe('partner:sub-anna');
  });

  // S326
  it('a person whose name is taken gets another one', async () => {
    await browser.signIn('sub-carl', '?provider=staff');
    const other = deployment.openBrowser();
    await other.signIn('sub-carl', '?provider=partner');
    expect((await other.visit('/grants')).text).toContain('partner:sub-carl');
  });

  // S413
  it('an account without a name is not linked to the person whose name is its `sub`', async () => {
    const linking = await startWithProviders([
      { accounts: { chief: {} }, settings: { linkBy: ['name', 'email'] } },
    ]);
    await linking.started.store.getOrCreatePerson({ id: 'chief-1', name: 'chief', about: '' });
    const visitor = linking.openBrowser();
    await visitor.signIn('chief');
    expect((await visitor.visit('/grants')).text).toContain('>staff:chief<');
    expect(await linking.started.store.listAccounts('chief-1')).toEqual([]);
    await linking.stop();
  });

  // S327
  it('a sign-in that is weaker than required is rejected', async () => {
    const strict = await startWithProviders([
      { accounts: ACCOUNTS, settings: { required: { acr: ['urn:example:acr:mfa'], amr: ['otp'] } } },
    ]);
    const visitor = strict.openBrowser();
    expect((await visitor.signIn('sub-anna')).text).toContain('as strictly as this service requires');
    expect((await visitor.visit('/grants')).location).toBe('/sign-in');
    // The palm is stricter than what is required.
    expect((await strict.openBrowser().signIn('sub-anna', '', 'palm')).status).toBe(303);
    await strict.stop();
  });
});

describe('a provider that does not work', () => {
  // S320
  it('causes a response with 503 and a log entry, and no person is signed in', async () => {
    const wrong = await startWithProviders([
      { accounts: ACCOUNTS, credential: { method: 'client_secret_post', secret: 'wrong' } },
    ]);
    const visitor = wrong.openBrowser();
    const answered = await visitor.signIn('sub-anna');
    expect([answered.status, answered.text]).toEqual([
      503,
      expect.stringContaining('cannot sign in right now'),
    ]);
    expect(wrong.started.failures).toHaveLength(1);
    await wrong.providers[0]?.stop();
    expect((await visitor.visit('/grants')).location).toBe('/sign-in');
    await wrong.started.stop();
  });

  // S320
  it('causes a response with 503 also if only its user information is malformed', async () => {
    const started = await startWithProviders([{ accounts: ACCOUNTS }]);
    onTestFinished(() => started.stop());
    started.providers[0]?.override('/me', (response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end('{}');
    });
    expect((await started.openBrowser().signIn('sub-anna')).status).toBe(503);
    expect(started.started.failures).toHaveLength(1);
  });

  it('is named on the page after a sign-out that an application requested, which links to the application', async () => {
    const started = await startWithProviders([{ accounts: ACCOUNTS }]);
    onTestFinished(() => started.stop());
    const visitor = started.openBrowser();
    await visitor.signIn('sub-anna');
    // The service reads the metadata of the provider again.
    started.started.clock.moveTo(Date.now() + HOUR_MS + 1);
    started.providers[0]?.override('/.well-known/openid-configuration', (response) => {
      response.writeHead(500).end();
    });
    const uri = `${new URL(PUBLIC.redirectUri).origin}/bye`;
    const parameters = { client_id: PUBLIC.clientId, post_logout_redirect_uri: uri, state: 's1' };
    const { text } = await visitor.visit(`/v2/oauth/logout?${new URLSearchParams(parameters)}`);
    const page = await visitor.visit('/sign-out', { ...formOf(text), state: 's1' });
    expect(page.text).toContain('You are still signed in at');
    expect(page.text).toContain('Staff accounts');
    expect(page.text).toContain(`href="${uri}?state=s1"`);
    expect((await visitor.visit('/grants')).location).toBe('/sign-in');
  });

  // S320
  it('is not needed to start the service, and a metadata document of another issuer is rejected', async () => {
    const started = await startWithProviders([{ accounts: ACCOUNTS }]);
    const visitor = started.openBrowser();
    const [provider] = started.providers;
    for (const issuer of ['https://other.example', `${provider?.issuer}/`]) {
      provider?.override('/.well-known/openid-configuration', (response) => {
        response.setHeader('Content-Type', 'application/json');
        response.end(
          JSON.stringify({
            issuer,
            authorization_endpoint: `${issuer}/auth`,
            token_endpoint: `${issuer}/token`,
          }),
        );
      });
      expect((await visitor.visit('/sign-in')).status).toBe(503);
    }
    provider?.override('/.well-known/openid-configuration');
    expect((await visitor.signIn('sub-anna')).status).toBe(303);
    await started.stop();
  });
});

// S414
it.each(['authorization_endpoint', 'end_session_endpoint'])(
  'the metadata of a provider is rejected if its `%s` is a `javascript:` URL',
  async (name) => {
    const started = await startWithProviders([{ accounts: ACCOUNTS }]);
    const [provider] = started.providers;
    provider?.override('/.well-known/openid-configuration', (response) => {
      response.setHeader('Content-Type', 'application/json');
      const { issuer } = provider;
      const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
      response.end(JSON.stringify({ issuer, ...endpoints, [name]: 'javascript:alert(1)' }));
    });
    expect((await started.openBrowser().visit('/sign-in')).status).toBe(503);
    await started.stop();
  },
);

// S320
it('a nested claim that only user information has is read from there', async () => {
  const claims = { name: '/preferred_username/short', email: '/email', emailVerified: '/email_verified' };
  const other = await startWithProviders([
    {
      accounts: { 'sub-anna': { preferred_username: { short: 'anna' } } },
      idTokenClaims: { 'sub-anna': { preferred_username: { long: 'Anna Example' } } },
      settings: { claims },
    },
  ]);
  const visitor = other.openBrowser();
  await visitor.signIn('sub-anna');
  expect((await visitor.visit('/grants')).text).toContain('>anna<');
  await other.stop();
});

// S320
it('a nested claim in the ID token stays if user information is read for other claims of the same object', async () => {
  const claims = {
    name: '/preferred_username/name',
    email: '/preferred_username/email',
    emailVerified: '/preferred_username/email_verified',
  };
  const address = { email: UNSIGNED, email_verified: true };
  for (const [userInfo, email] of [
    [{}, undefined],
    [{ preferred_username: address }, UNSIGNED],
  ] as const) {
    const other = await startWithProviders([
      {
        accounts: { 'sub-anna': userInfo },
        idTokenClaims: { 'sub-anna': { preferred_username: { name: 'anna' } } },
        settings: { claims },
      },
    ]);
    await other.openBrowser().signIn('sub-anna');
    const person = await other.started.store.findPerson('name', 'anna');
    expect([person?.name, person?.email]).toEqual(['anna', email]);
    await other.stop();
  }
});

it('the service may authenticate to a provider by a private key, and by a secret in the body', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const privateJwk = { ...(await exportJWK(privateKey)), kid: 'service', alg: 'ES256' };
  const publicJwk = { ...(await exportJWK(publicKey)), kid: 'service', alg: 'ES256' };
  const started = await startWithProviders([
    { accounts: ACCOUNTS, credential: { method: 'private_key_jwt', privateJwk }, publicJwk },
  ]);
  const withSecret = await startWithProviders([
    { accounts: ACCOUNTS, credential: { method: 'client_secret_post', secret: PROVIDER_CLIENT.secret } },
  ]);
  for (const each of [started, withSecret]) {
    expect((await each.openBrowser().signIn('sub-anna')).status).toBe(303);
    await each.stop();
  }
});
