/** Authenticates the caller of a request, and counts it before anything else of theirs is parsed (S124, S197). */
import {
  type Application,
  type Attempt,
  type ClientCredentials,
  type Grant,
  type Person,
  ServiceError,
} from '../service/index.js';
import type { Parameters } from './parameters/body.js';
import {
  presentsDpop,
  readBearerToken,
  readClientCredentials,
  readDpopProof,
  readDpopToken,
} from './parameters/credentials.js';
import { assertCapacity, chargeUnits, chargeWork, countAgainst, rejectRateLimited } from './rate-limits.js';
import type { RequestContext } from './request-context.js';

/**
 * Authenticates the bearer of an access token, or the holder of the key that it is bound to (DPoP). The request counts against its token
 * and against its client, and so does its work.
 *
 * @param sent - The token where it was not sent in the `Authorization` header; it is a bearer token.
 * @throws {ServiceError} `token_missing`, `token_invalid`, `token_expired`, `token_proof_invalid`, `token_nonce_required`,
 *   `malformed_body`, `rate_limited`
 */
export async function authenticateBearer(context: RequestContext, sent?: string): Promise<Grant> {
  const { request, service } = context;
  const usesDpop = sent === undefined && service.dpopAlgorithms.length > 0 && presentsDpop(request);
  if (usesDpop) setDpopChallenge(context);
  const token = sent ?? (usesDpop ? readDpopToken(request) : readBearerToken(request));
  countAgainst('token', token, context);
  const grant = await service.tokens.authenticate(token, usesDpop ? readDpopProof(context) : undefined);
  const { clientId } = grant;
  context.clientId = clientId;
  countAgainst('client', clientId, context);
  chargeWork(token, clientId, context);
  return grant;
}

/** An authenticated client, and how what it presents counts. */
export interface CallingClient {
  readonly application: Application;
  /** Whether it proved itself by a secret or a signature; anybody can send the id of a public client. */
  readonly isProven: boolean;
  /**
   * Counts valid codes or tokens that a client presented without proving itself. Called once they were accepted, so it rejects nothing.
   */
  readonly countPresented: (units: number) => void;
}

/**
 * Authenticates the client of a request, by the method for which it is registered. A client that proves itself by a secret or a signature
 * pays for the request. Anybody can send the id of a public client, so its limit is charged only for what was accepted; the address pays
 * for the rest.
 *
 * @param units - What the request costs.
 * @throws {ServiceError} `invalid_client`, `malformed_body`, `rate_limited`
 */
export async function authenticateClient(
  context: RequestContext,
  parameters: Parameters,
  units = 1,
): Promise<CallingClient> {
  const { request, service, address } = context;
  const credentials = readClientCredentials(request, parameters);
  const application = await proveClient(credentials, context, () =>
    service.clients.authenticate(credentials),
  );
  if (credentials?.method !== 'none') {
    countClient(application, context, units);
    return { application, isProven: true, countPresented: () => undefined };
  }
  const { clientId } = application;
  context.clientId = clientId;
  assertCapacity('client', clientId, context, 1);
  // The address has paid one unit for any request.
  if (units > 1) countAgainst('address', address, context, units - 1);
  return {
    application,
    isProven: false,
    countPresented: (presented) => chargeUnits('client', clientId, context, presented),
  };
}

/**
 * Verifies the DPoP proof of a request for tokens. Called once the client is authenticated.
 *
 * @returns The thumbprint of the key to bind the tokens to; `undefined` for a request without a proof.
 * @throws {ServiceError} `invalid_dpop_proof`, `use_dpop_nonce`
 */
export async function verifyDpopProof(context: RequestContext): Promise<string | undefined> {
  const { request, service } = context;
  if (service.dpopAlgorithms.length === 0 || request.headers['dpop'] === undefined) return undefined;
  setDpopChallenge(context);
  return await service.tokens.verifyDpopProof(readDpopProof(context));
}

/** As {@link authenticateClient}, for what only an application may do that keeps a secret. */
export async function authenticateConfidentialClient(
  context: RequestContext,
  parameters: Parameters,
): Promise<Application> {
  const credentials = readClientCredentials(context.request, parameters);
  const application = await proveClient(credentials, context, () =>
    context.service.clients.authenticateConfidential(credentials),
  );
  return countClient(application, context);
}

/** As {@link authenticateClient}, by secret or signature, whatever is registered for the token endpoint. */
export async function authenticateBySecretOrKey(
  context: RequestContext,
  parameters: Parameters,
): Promise<Application> {
  const credentials = readClientCredentials(context.request, parameters);
  const application = await proveClient(credentials, context, () =>
    context.service.clients.authenticateBySecretOrKey(credentials),
  );
  return countClient(application, context);
}

/** Passes for the administrator alone. @throws {ServiceError} `token_missing`, `token_invalid`, `access_denied`, `rate_limited` … */
export async function assertAdministrator(context: RequestContext): Promise<void> {
  const secret = readBearerToken(context.request);
  await withFailureLimit({ kind: 'administrator', name: '', secret }, context, () =>
    context.service.tokens.assertAdministrator(secret),
  );
}

/** Authenticates a client within the limit of wrong secrets. @throws {ServiceError} `rate_limited`, or as `authenticate` does. */
async function proveClient(
  credentials: ClientCredentials | undefined,
  context: RequestContext,
  authenticate: () => Promise<Application>,
): Promise<Application> {
  const { clientId: name = '', clientSecret: secret } = credentials ?? {};
  return await withFailureLimit({ kind: 'client', name, secret }, context, authenticate);
}

/**
 * Who a person is by what they sent from a form, within the limit of wrong secrets; `undefined` where it does not show that.
 *
 * @throws {ServiceError} `rate_limited`
 */
export async function verifyPerson(
  form: ReadonlyMap<string, string>,
  context: RequestContext,
): Promise<Person | undefined> {
  // What the sign-in reads is its own business: any member may be the password.
  const secret = JSON.stringify([...form]);
  const unknown = new ServiceError('token_invalid');
  try {
    return await withFailureLimit(
      { kind: 'person', name: form.get('person') ?? '', secret },
      context,
      async () => {
        const person = await context.service.people.verify(form);
        if (person === undefined) throw unknown;
        return person;
      },
    );
  } catch (error) {
    if (error === unknown) return undefined;
    throw error;
  }
}

/** Whose secret is tried. */
interface SecretHolder {
  /** No two kinds share a limit: a client may be called `administrator`. */
  readonly kind: 'client' | 'administrator' | 'person';
  /** As the caller sent it. */
  readonly name: string;
  /** Absent where there is nothing to guess: a client that has no secret, or signs. */
  readonly secret: string | undefined;
}

/**
 * Does what a secret opens. A caller who was wrong too often is refused before the secret is looked at, for this name and from this
 * address only: the real one elsewhere is not locked out (S124).
 *
 * @throws {ServiceError} `rate_limited`, or as the work does.
 */
async function withFailureLimit<Result>(
  { kind, name, secret }: SecretHolder,
  context: RequestContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const { attemptLimiter } = context.service;
  const attempt = {
    limit: 'failures',
    bucket: [kind, name, context.address],
    secret,
    spread: [kind, context.address],
    isFailure: (error: unknown) => error instanceof ServiceError && error.definition.status === 401,
    reject: (status) => rejectRateLimited(status, context),
  } satisfies Attempt;
  return await attemptLimiter.attempt(attempt, work);
}

/**
 * Looks up a person for a client, within the limit of look-ups that find no grant: addresses cannot be tried from a list. All instances
 * count together.
 *
 * @throws {ServiceError} `rate_limited`, or as the look-up does.
 */
export async function withMissLimit<Result>(
  { clientId }: Application,
  context: RequestContext,
  lookUp: () => Promise<Result>,
): Promise<Result> {
  const { attemptLimiter } = context.service;
  const attempt = {
    limit: 'misses',
    bucket: ['client', clientId],
    isFailure: (error: unknown) =>
      error instanceof ServiceError &&
      (error.subcode === 'grant_not_found' || error.subcode === 'malformed_body'),
    reject: (status) => rejectRateLimited(status, context),
  } satisfies Attempt;
  return await attemptLimiter.attempt(attempt, lookUp);
}

function setDpopChallenge(context: RequestContext): void {
  const { service } = context;
  context.dpop = { nonce: service.tokens.createDpopNonce(), algorithms: service.dpopAlgorithms };
}

/** Counts a request against a client that proved itself. @param units - What it costs. @throws {ServiceError} `rate_limited` */
function countClient(application: Application, context: RequestContext, units = 1): Application {
  context.clientId = application.clientId;
  countAgainst('client', application.clientId, context, units);
  return application;
}
