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

/** Creates a client of the sandbox's public application with the service's clock. */
export function publicClient({ url, clock }: StartedService, changes: Partial<ClientSettings> = {}): Client {
  const { clientId, redirectUri } = PUBLIC;
  return createClient({ issuer: url, clientId, redirectUri, clock, ...changes });
}

/** Creates a client of the sandbox's confidential application with the service's clock. */
export function confidentialClient(
  { url, clock }: StartedService,
  changes: Partial<ClientSettings> = {},
): Client {
  const { clientId, redirectUri, secret: clientSecret } = CONFIDENTIAL;
  return createClient({ issuer: url, clientId, redirectUri, clientSecret, clock, ...changes });
}

/** Completes an authorization by a person and returns its access. */
export async function obtainAccess(
  client: Client,
  scopes: readonly string[],
  { decision, ...options }: RedeemOptions & { readonly decision?: Decision } = {},
): Promise<Access> {
  const { url, pending } = await client.authorize({ scopes });
  return await client.redeem(await decideByForm(url, decision), pending, options);
}

/** Returns the error of a client call. @throws {Error} If the call succeeds. */
export async function clientErrorOf(work: Promise<unknown>): Promise<ClientError> {
  const [outcome] = await Promise.allSettled([work]);
  if (outcome.status === 'fulfilled') throw new Error('the call should have failed');
  return outcome.reason as ClientError;
}

/** A fetch with the paths of its requests. */
export interface RecordingFetch {
  readonly requests: readonly string[];
  readonly fetch: typeof fetch;
}

/**
 * Creates a fetch that records the paths of its requests.
 *
 * @param before - Called before each request, with the number of requests for the path so far. If it returns a response, no request is sent.
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
      const prepared = await before(pathname, requests.filter((path) => path === pathname).length);
      return prepared ?? (await fetch(input, init));
    },
  };
}
