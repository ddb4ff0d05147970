/** The package's client against a service under test, public or confidential. */
import {
  type Access,
  type Client,
  type ClientError,
  type ClientSettings,
  createClient,
  type RedeemOptions,
} from '../../src/client/index.js';
import { type Decision, decideByForm } from './decide-by-form.js';
import { CONFIDENTIAL, PUBLIC } from './oauth-client.js';
import type { StartedService } from './start-service.js';

/** A client of the sandbox's public application, by the service's clock. */
export function publicClient({ url, clock }: StartedService, changes: Partial<ClientSettings> = {}): Client {
  const { clientId, redirectUri } = PUBLIC;
  return createClient({ issuer: url, clientId, redirectUri, clock, ...changes });
}

/** A client of the sandbox's application with a secret. */
export function confidentialClient(
  { url, clock }: StartedService,
  changes: Partial<ClientSettings> = {},
): Client {
  const { clientId, redirectUri, secret: clientSecret } = CONFIDENTIAL;
  return createClient({ issuer: url, clientId, redirectUri, clientSecret, clock, ...changes });
}

/** Goes the whole way with a person. */
export async function obtainAccess(
  client: Client,
  scopes: readonly string[],
  { decision, ...options }: RedeemOptions & { readonly decision?: Decision } = {},
): Promise<Access> {
  const { url, pending } = await client.authorize({ scopes });
  return await client.redeem(await decideByForm(url, decision), pending, options);
}

/** The error that a call of the client comes to. @throws {Error} When it comes to none. */
export async function clientErrorOf(work: Promise<unknown>): Promise<ClientError> {
  const [outcome] = await Promise.allSettled([work]);
  if (outcome.status === 'fulfilled') throw new Error('the call should have failed');
  return outcome.reason as ClientError;
}

/** What a fetch was asked for. */
export interface RecordingFetch {
  readonly requests: readonly string[];
  readonly fetch: typeof fetch;
}

/**
 * A fetch that notes the paths that it is asked for.
 *
 * @param before - Called before each request; its result, if any, replaces the response.
 */
export function createRecordingFetch(
  before: (path: string, count: number) => Response | undefined | Promise<Response | undefined> = () =>
    undefined,
): RecordingFetch {
  const requests: string[] = [];
  return {
    requests,
    fetch: async (input, init) => {
      const { pathname } = new URL(String(input));
      requests.push(pathname);
      const answered = await before(pathname, requests.filter((path) => path === pathname).length);
      return answered ?? (await fetch(input, init));
    },
  };
}
