/** express-openid-connect in its documented configuration for the code flow; its default is the implicit flow (S285, S286). */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { auth, type ConfigParams } from 'express-openid-connect';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCookieJar } from '../../examples/cookie-jar.js';
import { decideByForm } from '../../support/decide-by-form.js';
import {
  addApplication,
  authorizationError,
  type ConfidentialApplication,
  startServiceForLibraries,
} from '../../support/registered-application.js';
import type { StartedService } from '../../support/start-service.js';

let started: StartedService;
let application: ConfidentialApplication;

beforeAll(async () => {
  started = await startServiceForLibraries();
  application = await addApplication(started, 'http://127.0.0.1/callback');
});

afterAll(() => started.stop());

/** Runs an Express application whose only page requires sign-in, for the duration of `work`. */
async function withExpress(
  settings: Partial<ConfigParams>,
  work: (baseURL: string) => Promise<void>,
): Promise<void> {
  const app = express();
  const server: Server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const secret = 'a-secret-of-the-tests-of-at-least-32-characters';
  const { clientId: clientID } = application;
  app.use(auth({ issuerBaseURL: started.url, baseURL, clientID, secret, ...settings }));
  app.get('/', async (request, response) => {
    const { oidc } = request;
    const info = await oidc.fetchUserInfo();
    const subject = oidc.idTokenClaims?.sub;
    const refreshed = await oidc.accessToken?.refresh();
    response.json({ subject, info, refreshed: refreshed?.access_token !== undefined });
  });
  try {
    await work(baseURL);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

it('express-openid-connect completes the code flow with response_type code and a client secret', async () => {
  const settings = {
    clientSecret: application.clientSecret,
    authorizationParams: { response_type: 'code' },
  };
  await withExpress(settings, async (baseURL) => {
    const jar = createCookieJar();
    const signInRedirect = await jar.fetch(baseURL);
    const callback = await decideByForm(signInRedirect.headers.get('location') ?? '');
    const returned = await jar.fetch(callback.href);
    const profile = (await (
      await jar.follow(new URL(returned.headers.get('location') ?? '', baseURL).href)
    ).json()) as {
      readonly subject: string;
    };
    expect(profile.subject).toEqual(expect.any(String));
    expect(profile).toMatchObject({ info: { sub: profile.subject }, refreshed: true });
    expect((await jar.fetch(`${baseURL}/logout`)).status).toBe(302);
    const afterLogout = await jar.fetch(baseURL);
    expect(afterLogout.headers.get('location')).toContain(`${started.url}/oauth/authorize`);
  });
});

it('express-openid-connect by default uses the implicit flow, which is rejected with unsupported_response_type', async () => {
  await withExpress({}, async (baseURL) => {
    const signInRedirect = await createCookieJar().fetch(baseURL);
    const redirectTo = new URL(signInRedirect.headers.get('location') ?? '');
    expect(redirectTo.searchParams.get('response_type')).toBe('id_token');
    expect(await authorizationError(redirectTo)).toContain('unsupported_response_type');
  });
});
