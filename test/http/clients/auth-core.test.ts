/** Auth.js (@auth/core) with a custom provider of type `oidc` and its default settings (S285). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCookieJar } from '../../examples/cookie-jar.js';
import { decideByForm } from '../../support/decide-by-form.js';
import { addApplication, startServiceForLibraries } from '../../support/registered-application.js';
import type { StartedService } from '../../support/start-service.js';

/** The used part of the library; importing its types would add the DOM's to every file of the repository. */
interface Library {
  readonly Auth: (request: Request, config: object) => Promise<Response>;
}
interface SignIn {
  readonly profile?: { readonly sub?: string };
  readonly account?: { readonly access_token?: string };
}

const LIBRARY = '@auth/core';
const { Auth } = (await import(LIBRARY)) as Library;
const APP = 'http://127.0.0.1:3000';

let started: StartedService;

beforeAll(async () => {
  started = await startServiceForLibraries();
});

afterAll(() => started.stop());

it('Auth.js signs a person in with its default settings and keeps a session', async () => {
  const { clientId, clientSecret } = await addApplication(started, `${APP}/auth/callback/proviso`);
  const signIns: SignIn[] = [];
  const failures: Error[] = [];
  const config = {
    secret: 'a-secret-of-the-tests-of-at-least-32-characters',
    trustHost: true,
    basePath: '/auth',
    providers: [
      { id: 'proviso', name: 'Proviso', type: 'oidc', issuer: started.url, clientId, clientSecret },
    ],
    // Observers only: the validated sign-in, and logged errors.
    events: {
      signIn: (event: SignIn) => void signIns.push(event),
    },
    logger: { error: (error: Error) => void failures.push(error) },
  };
  const jar = createCookieJar(async (input, init) => await Auth(new Request(input, init), config));
  const csrf = await (await jar.fetch(`${APP}/auth/csrf`)).json();
  const { csrfToken } = csrf as { readonly csrfToken: string };
  const signIn = await jar.fetch(`${APP}/auth/signin/proviso`, {
    method: 'POST',
    body: new URLSearchParams({ csrfToken, callbackUrl: `${APP}/account` }),
  });
  const redirectTo = new URL(signIn.headers.get('location') ?? '');
  expect(redirectTo.searchParams.get('scope')).toBe('openid profile email');
  const returned = await jar.fetch((await decideByForm(redirectTo)).href);
  expect([failures, returned.headers.get('location')]).toEqual([[], `${APP}/account`]);
  expect(await (await jar.fetch(`${APP}/auth/session`)).json()).toMatchObject({
    expires: expect.any(String),
  });
  const [{ profile, account } = {}] = signIns;
  const info = await fetch(`${started.url}/userinfo`, {
    headers: { Authorization: `Bearer ${account?.access_token}` },
  });
  expect(await info.json()).toMatchObject({ sub: profile?.sub, email: 'ada@example.org' });
});
