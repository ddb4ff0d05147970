/** Setup of browser tests: a service, a client, Chromium, and the steps of a person. */
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openVisit, type Visit, type VisitOptions } from './browser.js';
import { type ClientServer, startClientServer } from './client-server.js';
import {
  createPkce,
  type PendingAuthorization,
  PUBLIC,
  postJson,
  redemption,
  type Tokens,
} from './oauth-client.js';
import { type StartedService, type StartOptions, startService } from './start-service.js';

export interface Journey {
  readonly browser: Browser;
  readonly started: StartedService;
  readonly client: ClientServer;
  /** The service's origin. */
  readonly origin: string;
  /** Opens a new browser context that records requests to other origins than the service and the client. */
  readonly openVisit: (options?: Partial<VisitOptions>) => Promise<Visit>;
  /** Opens an authorization request in a page, and returns what the client needs to redeem its code. */
  readonly requestConsent: (
    page: Page,
    scope: string,
    more?: Readonly<Record<string, string>>,
  ) => Promise<PendingAuthorization>;
  /** Redeems the code of the last callback. */
  readonly redeem: (pending: PendingAuthorization) => Promise<Tokens>;
  readonly stop: () => Promise<void>;
}

/** Starts service, client and Chromium, which the caller must stop. */
export async function startJourney(options: StartOptions = {}): Promise<Journey> {
  const [browser, started, client] = await Promise.all([
    openBrowser(),
    startService(options),
    startClientServer(),
  ]);
  const { origin } = new URL(started.url);
  return {
    browser,
    started,
    client,
    origin,
    openVisit: (more = {}) => openVisit(browser, { origins: [origin, client.origin], ...more }),
    requestConsent: async (page, scope, more = {}) => {
      const { verifier, challenge } = createPkce();
      const parameters = new URLSearchParams({
        response_type: 'code',
        client_id: PUBLIC.clientId,
        redirect_uri: client.redirectUri,
        scope,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        state: 'state-1',
        ...more,
      });
      await page.goto(`${started.url}/oauth/authorize?${parameters}`);
      const authorizationId = new URL(page.url()).searchParams.get('authorization_id') ?? '';
      const { clientId } = PUBLIC;
      return { authorizationId, verifier, cookie: '', clientId, redirectUri: client.redirectUri };
    },
    redeem: async (pending) => {
      const code = client.callbacks.at(-1)?.get('code') ?? '';
      const response = await postJson(started, '/oauth/token', redemption(pending, code));
      if (response.status !== 200) throw new Error(`no tokens: ${await response.text()}`);
      return (await response.json()) as Tokens;
    },
    stop: async () => {
      await browser.close();
      await client.stop();
      await started.stop();
    },
  };
}

/** Signs in as one of the sample people. */
export async function signIn(page: Page, origin: string, name: string): Promise<void> {
  await page.goto(`${origin}/sign-in`);
  await press(page, new RegExp(`^${name}`));
}

/** Presses a button and waits for the navigation. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name, exact: typeof name === 'string' });
  await Promise.all([page.waitForNavigation(), button.click()]);
}
