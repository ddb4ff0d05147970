/** A production service at which people sign in at one or two OpenID Connect providers, and browsers simulated with `fetch`. */
import { PRODUCTION, type SignInProviderSettings } from '../../src/service/index.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { createSignInProvider, type ProviderCredential } from '../../src/system/sign-in-provider.js';
import { ADMINISTRATOR, formOf, type Jar, type VisitedPage, visit } from './external-login.js';
import {
  type Accounts,
  type IdentityProvider,
  PROVIDER_CLIENT,
  settingsOf,
  startIdentityProvider,
} from './identity-provider.js';
import { authorizationQuery, createPkce, PUBLIC } from './oauth-client.js';
import { type StartedService, startService } from './start-service.js';

/** A browser: its cookies at the service and at each provider. */
export interface FetchBrowser {
  /** Requests a page of the service, or submits a form. */
  readonly visit: (path: string, form?: Readonly<Record<string, string>>) => Promise<VisitedPage>;
  /** Begins an authorization request and returns its id. */
  readonly begin: (changes?: Readonly<Record<string, string>>) => Promise<string>;
  /** Requests `/sign-in` and returns the URL of the provider. */
  readonly redirectToProvider: (query?: string) => Promise<URL>;
  /** Signs in at the provider and returns the URL of the response, which is not visited yet. */
  readonly signInAtProvider: (
    target: URL,
    account: string,
    action?: 'password' | 'palm' | 'cancel',
  ) => Promise<URL>;
  /** Deletes the cookies of the providers. */
  readonly forgetProviders: () => void;
  /** Completes a sign-in. */
  readonly signIn: (
    account: string,
    query?: string,
    action?: 'password' | 'palm' | 'cancel',
  ) => Promise<VisitedPage>;
}

export interface ProviderDeployment {
  readonly started: StartedService;
  readonly origin: string;
  readonly providers: readonly IdentityProvider[];
  readonly openBrowser: () => FetchBrowser;
  readonly stop: () => Promise<void>;
}

/** The settings of a provider, its accounts, and how the service authenticates to it. */
export interface DeployedProvider {
  readonly accounts: Accounts;
  readonly idTokenClaims?: Accounts;
  readonly settings?: Partial<SignInProviderSettings>;
  readonly credential?: ProviderCredential;
  readonly publicJwk?: Parameters<IdentityProvider['register']>[0]['publicJwk'];
}

/** Starts a service, which the caller must stop, with one public client. Its clock is set to the current time and does not advance. */
export async function startWithProviders(
  deployed: readonly DeployedProvider[],
  redirectUri: string = PUBLIC.redirectUri,
): Promise<ProviderDeployment> {
  const providers = await Promise.all(
    deployed.map(({ accounts, idTokenClaims }) => startIdentityProvider(accounts, idTokenClaims)),
  );
  const configured = await Promise.all(
    deployed.map(async ({ settings = {}, credential = DEFAULT_CREDENTIAL }, index) => {
      const provider = providers[index];
      if (provider === undefined) throw new Error(`provider ${index} was not started`);
      return await createSignInProvider(settingsOf(provider, settings), credential, {
        now: () => started.clock.now(),
      });
    }),
  );
  const started: StartedService = await startService({
    environment: PRODUCTION,
    options: {
      administratorTokenHash: systemDigest.sha256(ADMINISTRATOR),
      signInProviders: configured,
    },
  });
  started.clock.moveTo(Date.now());
  const { origin } = new URL(started.url);
  for (const [index, { settings }] of configured.entries())
    providers[index]?.register({
      redirectUri: `${origin}/sign-in/callback/${settings.id}`,
      postLogoutRedirectUri: `${origin}/signed-out`,
      ...(deployed[index]?.publicJwk === undefined ? {} : { publicJwk: deployed[index].publicJwk }),
    });
  await started.store.upsertApplication({
    scopes: ['openid', 'kyc:read', 'identity:legal_name'],
    createdAt: 1,
    idTokenAlgorithm: 'ES256',
    clientId: PUBLIC.clientId,
    name: 'Harbour',
    organizationId: 'o1',
    redirectUris: [redirectUri],
    postLogoutRedirectUris: [`${new URL(redirectUri).origin}/bye`],
  });
  return {
    started,
    origin,
    providers,
    openBrowser: () => createBrowser(origin),
    stop: async () => {
      await Promise.all(providers.map((provider) => provider.stop()));
      await started.stop();
    },
  };
}

const DEFAULT_CREDENTIAL: ProviderCredential = {
  method: 'client_secret_basic',
  secret: PROVIDER_CLIENT.secret,
};

function createBrowser(origin: string): FetchBrowser {
  const jars = new Map<string, Jar>();
  const open = async (url: URL, form?: Readonly<Record<string, string>>) => {
    const jar = jars.get(url.origin) ?? new Map<string, string>();
    jars.set(url.origin, jar);
    return await visit(jar, url, form);
  };
  const browser: FetchBrowser = {
    visit: (path, form) => open(new URL(path, origin), form),
    begin: async (changes = {}) => {
      const { challenge } = createPkce();
      const query = authorizationQuery({ scope: 'openid kyc:read', code_challenge: challenge, ...changes });
      const { location } = await browser.visit(`/v2/oauth/authorize?${query}`);
      return new URL(location ?? '').searchParams.get('authorization_id') ?? '';
    },
    redirectToProvider: async (query = '') => {
      const { location, text } = await browser.visit(`/sign-in${query}`);
      if (location === null) throw new Error(`no redirect: ${text}`);
      return new URL(location);
    },
    signInAtProvider: async (target, account, action = 'password') => {
      let url = target;
      let form: Readonly<Record<string, string>> | undefined;
      for (let step = 0; step < 10; step += 1) {
        const { location, text } = await open(url, form);
        form = undefined;
        if (location === null) {
          if (!text.includes('Sign in at the provider')) throw new Error(`not the sign-in page: ${text}`);
          form = { account, action };
        } else {
          url = new URL(location, url);
          if (url.origin === origin) return url;
        }
      }
      throw new Error('the provider does not return');
    },
    forgetProviders: () => {
      for (const site of jars.keys()) if (site !== origin) jars.delete(site);
    },
    signIn: async (account, query, action) => {
      const target = await browser.redirectToProvider(query);
      return await browser.visit((await browser.signInAtProvider(target, account, action)).href);
    },
  };
  return browser;
}

/** Loads the consent page and submits its form, with every box ticked. `scopes` are submitted as ticked even without a box on the page. */
export async function decide(
  browser: FetchBrowser,
  id: string,
  action: string,
  scopes: readonly string[] = [],
): Promise<VisitedPage> {
  const { text } = await browser.visit(`/consent?authorization_id=${id}`);
  return await browser.visit('/consent', {
    ...formOf(text),
    ...Object.fromEntries(scopes.map((scope) => [`scope.${scope}`, 'on'])),
    authorization_id: id,
    action,
  });
}
