/** Applications with the defaults of `proviso client add`, for tests of client libraries. */
import { type NewApplication, registerApplication } from '../../src/service/index.js';
import { systemDigest, systemRandom } from '../../src/system/node-ports.js';
import { type StartedService, type StartOptions, startService } from './start-service.js';

export interface AddedApplication {
  readonly clientId: string;
  readonly redirectUri: string;
}

export interface ConfidentialApplication extends AddedApplication {
  readonly clientSecret: string;
}

/** Changes of the defaults. */
type Choices = Pick<NewApplication, 'dpopBoundAccessTokens' | 'postLogoutRedirectUris'>;

/** The scopes that client libraries request by default. */
const STANDARD_SCOPES = ['openid', 'profile', 'email'];

/** Starts a service whose clock agrees with the clock of the client libraries. */
export async function startServiceForLibraries(options: StartOptions = {}): Promise<StartedService> {
  const started = await startService(options);
  started.clock.moveTo(Date.now());
  return started;
}

/** Adds an application with a secret, as `proviso client add --name … --redirect-uri … --scope …` does. */
export async function addApplication(
  started: StartedService,
  redirectUri: string,
  choices: Choices = {},
): Promise<ConfidentialApplication> {
  const { application, clientSecret } = await register(started, redirectUri, 'secret', choices);
  if (clientSecret === undefined) throw new Error('a confidential application must have a secret');
  return { clientId: application.clientId, clientSecret, redirectUri };
}

/** Adds an application without a secret, as `proviso client add … --public` does. */
export async function addPublicApplication(
  started: StartedService,
  redirectUri: string,
  choices: Choices = {},
): Promise<AddedApplication> {
  const { application } = await register(started, redirectUri, 'public', choices);
  return { clientId: application.clientId, redirectUri };
}

function register(
  { store, clock, service: { catalogue } }: StartedService,
  redirectUri: string,
  authentication: 'secret' | 'public',
  choices: Choices,
) {
  const scopes = STANDARD_SCOPES.filter((scope) => catalogue.findScope(scope) !== undefined);
  return registerApplication(
    { name: 'Corner Bank', redirectUris: [redirectUri], scopes, authentication, ...choices },
    { store, clock, random: systemRandom, digest: systemDigest, catalogue },
  );
}

/** Returns whether the introspection endpoint reports an access token as active. */
export async function isActive(
  { url }: StartedService,
  { clientId, clientSecret }: ConfidentialApplication,
  token: string,
): Promise<boolean> {
  const response = await fetch(`${url}/oauth/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, token }),
  });
  return ((await response.json()) as { readonly active: boolean }).active;
}

/** Returns the error in the redirect, as `error: description`; without a redirect, the body of the response. */
export async function authorizationError(authorizationUrl: string | URL): Promise<string> {
  const response = await fetch(authorizationUrl, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) return await response.text();
  const { searchParams } = new URL(location);
  return `${searchParams.get('error')}: ${searchParams.get('error_description')}`;
}
