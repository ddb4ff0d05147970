/** OpenID Connect providers (oidc-provider) in this process, for tests of the sign-in at providers. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider from 'oidc-provider';
import type { SignInProviderSettings } from '../../src/service/index.js';

/** The accounts of a provider: by `sub`, their other claims. */
export type Accounts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A client of a provider. */
export interface ProviderClient {
  readonly redirectUri: string;
  readonly postLogoutRedirectUri: string;
  /** With a key, the client authenticates by signing. */
  readonly publicJwk?: JWK;
}

export interface IdentityProvider {
  readonly issuer: string;
  readonly origin: string;
  /** Registers the service, whose URLs are known once it listens. */
  readonly register: (client: ProviderClient) => void;
  /** Handles requests for a path with a function from now on; without a function, with the provider again. */
  readonly override: (path: string, handler?: (response: ServerResponse) => void) => void;
  readonly stop: () => Promise<void>;
}

export const PROVIDER_CLIENT = {
  id: 'proviso',
  secret: 'the secret of the service at the provider',
} as const;
/** The `acr` of a sign-in by the button that verifies a palm. */
const PALM_ACR = 'urn:example:acr:palm';

/** The settings of a provider for the service. */
export function settingsOf(
  { issuer }: Pick<IdentityProvider, 'issuer'>,
  changes: Partial<SignInProviderSettings> = {},
): SignInProviderSettings {
  return {
    id: 'staff',
    name: 'Staff accounts',
    issuer,
    clientId: PROVIDER_CLIENT.id,
    scopes: ['openid', 'email', 'profile'],
    claims: { name: '/preferred_username', email: '/email', emailVerified: '/email_verified' },
    linkBy: [],
    palm: { acr: [PALM_ACR], amr: [] },
    endSession: true,
    ...changes,
  };
}

/**
 * Starts a provider, which the caller must stop. Its sign-in page accepts the name of an account.
 *
 * @param accounts - The accounts, with the claims that user information has.
 * @param idTokenClaims - The claims of accounts in ID tokens. Default: none.
 */
export async function startIdentityProvider(
  accounts: Accounts,
  idTokenClaims: Accounts = {},
): Promise<IdentityProvider> {
  const overrides = new Map<string, (response: ServerResponse) => void>();
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async (_, response) =>
    void response.writeHead(503).end();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://provider.example');
    const override = overrides.get(pathname);
    if (override !== undefined) override(response);
    else
      handle(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end(String(error));
      });
  });
  const origin = await listen(server);
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
  return {
    issuer: origin,
    origin,
    register: (client) => {
      handle = createHandler(new Provider(origin, configurationOf(client, { accounts, idTokenClaims }, key)));
    },
    override: (path, handler) => {
      if (handler === undefined) overrides.delete(path);
      else overrides.set(path, handler);
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function configurationOf(
  { redirectUri, postLogoutRedirectUri, publicJwk }: ProviderClient,
  { accounts, idTokenClaims }: Readonly<Record<'accounts' | 'idTokenClaims', Accounts>>,
  key: JWK,
): object {
  const authentication =
    publicJwk === undefined
      ? { client_secret: PROVIDER_CLIENT.secret }
      : { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [publicJwk] } };
  return {
    clients: [
      {
        client_id: PROVIDER_CLIENT.id,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [postLogoutRedirectUri],
        ...authentication,
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['a key of these tests'] },
    acrValues: [PALM_ACR, 'password'],
    // ID tokens contain the claims of the requested scopes also where an access token is issued.
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub', 'acr', 'amr', 'auth_time'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username'],
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource, postLogoutSuccessSource },
    },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    ttl: {
      IdToken: 60,
      AuthorizationCode: 60,
      AccessToken: 60,
      Interaction: 600,
      Session: 3_600,
      Grant: 3_600,
    },
    findAccount: (_: unknown, id: string) =>
      accounts[id] && {
        accountId: id,
        claims: (use: string) => ({ sub: id, ...(use === 'id_token' ? idTokenClaims : accounts)[id] }),
      },
    loadExistingGrant: async ({ oidc }: GrantContext) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

interface GrantContext {
  readonly oidc: {
    readonly provider: Provider;
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
  };
}

interface PageContext {
  body: string;
}

function logoutSource(context: PageContext, form: string): void {
  const button = '<button form="op.logoutForm" name="logout" value="yes">Yes, sign out</button>';
  context.body = `<!doctype html><title>Sign out</title>${form}${button}`;
}

function postLogoutSuccessSource(context: PageContext): void {
  context.body = '<!doctype html><title>Signed out</title>';
}

/** Handles requests with the provider, and adds a sign-in page: a field for the account, and a button each for a password, a palm and cancellation. */
function createHandler(
  provider: Provider,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const callback = provider.callback();
  return async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return await callback(request, response);
    if (request.method === 'GET') {
      const { params } = await provider.interactionDetails(request, response);
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(signInForm(params['acr_values'] ?? ''));
      return;
    }
    const form = new URLSearchParams(await text(request));
    const action = form.get('action');
    await provider.interactionFinished(
      request,
      response,
      action === 'cancel'
        ? { error: 'access_denied', error_description: 'The person canceled.' }
        : { login: loginOf(form.get('account') ?? '', action === 'palm') },
    );
  };
}

function loginOf(accountId: string, palm: boolean): object {
  return palm
    ? { accountId, acr: PALM_ACR, amr: ['pwd', 'palm'] }
    : { accountId, acr: 'password', amr: ['pwd'] };
}

function signInForm(acrValues: string): string {
  return `<!doctype html><html lang="en"><title>Provider</title><h1>Sign in at the provider</h1><p>${acrValues}</p>
<form method="post"><label>Account <input name="account" value=""></label>
<button name="action" value="password">Sign in</button><button name="action" value="palm">Verify palm</button>
<button name="action" value="cancel">Cancel</button></form>`;
}
