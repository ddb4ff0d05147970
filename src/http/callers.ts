/** Who asks, counted before anything of theirs is parsed further (S124, S197). */
import type { IncomingMessage } from 'node:http';
import {
  type Application,
  type Attempt,
  type ClientCredentials,
  type Grant,
  type Service,
  ServiceError,
  type User,
} from '../service/index.js';
import type { Parameters } from './parameters/body.js';
import {
  presentsDpop,
  readBearerToken,
  readClientCredentials,
  readDpopProof,
  readDpopToken,
} from './parameters/credentials.js';
import {
  assertRoomIn,
  chargeTo,
  chargeWorkTo,
  countAgainst,
  type RequestState,
  refuse,
  stateOf,
} from './request-state.js';

/**
 * The grant of the bearer who asks, or of the holder of a key who proves that by DPoP. The request counts against its token and against
 * its client, and so does its work.
 *
 * @param sent - The token where it was not sent in the `Authorization` header; it is a bearer token.
 * @throws {ServiceError} `token_missing`, `token_invalid`, `token_expired`, `token_proof_invalid`, `token_nonce_required`,
 *   `malformed_body`, `rate_limited`
 */
export async function authenticateBearer(
  request: IncomingMessage,
  service: Service,
  sent?: string,
): Promise<Grant> {
  const state = stateOf(request);
  const usesDpop = sent === undefined && service.dpopAlgorithms.length > 0 && presentsDpop(request);
  if (usesDpop) noteDpop(state, service);
  const token = sent ?? (usesDpop ? readDpopToken(request) : readBearerToken(request));
  countAgainst('token', token, state, service);
  const grant = await service.authenticate(token, usesDpop ? readDpopProof(request, service) : undefined);
  const { clientId } = grant;
  state.clientId = clientId;
  countAgainst('client', clientId, state, service);
  chargeWorkTo(token, clientId, state, service);
  return grant;
}

/** An authenticated client, and how what it shows counts. */
export interface CallingClient {
  readonly application: Application;
  /** Whether it proved itself by a secret or a signature; anybody can send the id of a public client. */
  readonly isProven: boolean;
  /**
   * Counts valid codes or tokens that a client presented without proving itself. Called once they were accepted, so it refuses nothing.
   */
  readonly countPresented: (units: number) => void;
}

/**
 * The client of a request, by the method for which it is registered. A client that proves itself by a secret or a signature pays for the
 * request. Anybody can send the id of a public client, so its limit is charged only for what was accepted; the address pays for the rest.
 *
 * @param units - What the request costs.
 * @throws {ServiceError} `invalid_client`, `malformed_body`, `rate_limited`
 */
export async function authenticateClient(
  request: IncomingMessage,
  parameters: Parameters,
  service: Service,
  units = 1,
): Promise<CallingClient> {
  const credentials = readClientCredentials(request, parameters);
  const application = await proveClient(credentials, request, service, () =>
    service.authenticateClient(credentials),
  );
  if (credentials?.method !== 'none') {
    countClient(application, request, service, units);
    return { application, isProven: true, countPresented: () => undefined };
  }
  const state = stateOf(request);
  const { clientId } = application;
  state.clientId = clientId;
  assertRoomIn('client', clientId, state, service, 1);
  // The address has paid one unit for any request.
  if (units > 1) countAgainst('address', state.address, state, service, units - 1);
  return {
    application,
    isProven: false,
    countPresented: (presented) => chargeTo('client', clientId, state, service, presented),
  };
}

/**
 * Verifies the DPoP proof of a request for tokens. Called once the client is authenticated.
 *
 * @returns The thumbprint of the key to bind the tokens to; `undefined` for a request without a proof.
 * @throws {ServiceError} `invalid_dpop_proof`, `use_dpop_nonce`
 */
export async function verifyDpopProof(
  request: IncomingMessage,
  service: Service,
): Promise<string | undefined> {
  if (service.dpopAlgorithms.length === 0 || request.headers['dpop'] === undefined) return undefined;
  noteDpop(stateOf(request), service);
  return await service.verifyDpopProof(readDpopProof(request, service));
}

/** As {@link authenticateClient}, for what only an application may do that keeps a secret. */
export async function authenticateConfidentialClient(
  request: IncomingMessage,
  parameters: Parameters,
  service: Service,
): Promise<Application> {
  const credentials = readClientCredentials(request, parameters);
  const application = await proveClient(credentials, request, service, () =>
    service.authenticateConfidentialClient(credentials),
  );
  return countClient(application, request, service);
}

/** As {@link authenticateClient}, by secret or signature, whatever is registered for the token endpoint. */
export async function authenticateBySecretOrKey(
  request: IncomingMessage,
  parameters: Parameters,
  service: Service,
): Promise<Application> {
  const credentials = readClientCredentials(request, parameters);
  const application = await proveClient(credentials, request, service, () =>
    service.authenticateBySecretOrKey(credentials),
  );
  return countClient(application, request, service);
}

/** Passes for the administrator alone. @throws {ServiceError} `token_missing`, `token_invalid`, `access_denied`, `rate_limited` … */
export async function assertAdministrator(request: IncomingMessage, service: Service): Promise<void> {
  const secret = readBearerToken(request);
  await withFailureLimit({ kind: 'administrator', name: '', secret }, request, service, () =>
    service.assertAdministrator(secret),
  );
}

/** Authenticates a client within the limit of wrong secrets. @throws {ServiceError} `rate_limited`, or as `authenticate` does. */
async function proveClient(
  credentials: ClientCredentials | undefined,
  request: IncomingMessage,
  service: Service,
  authenticate: () => Promise<Application>,
): Promise<Application> {
  const { clientId: name = '', clientSecret: secret } = credentials ?? {};
  return await withFailureLimit({ kind: 'client', name, secret }, request, service, authenticate);
}

/**
 * Who a person is by what they sent from a form, within the limit of wrong secrets; `undefined` where it does not show that.
 *
 * @throws {ServiceError} `rate_limited`
 */
export async function verifyPerson(
  form: ReadonlyMap<string, string>,
  request: IncomingMessage,
  service: Service,
): Promise<User | undefined> {
  // What the sign-in reads is its own business: any member may be the password.
  const secret = JSON.stringify([...form]);
  const unknown = new ServiceError('token_invalid');
  try {
    return await withFailureLimit(
      { kind: 'person', name: form.get('person') ?? '', secret },
      request,
      service,
      async () => {
        const person = await service.verifyPerson(form);
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
  request: IncomingMessage,
  { attemptLimiter }: Service,
  work: () => Promise<Result>,
): Promise<Result> {
  const state = stateOf(request);
  const attempt = {
    limit: 'failures',
    bucket: [kind, name, state.address],
    secret,
    spread: [kind, state.address],
    isFailure: (error: unknown) => error instanceof ServiceError && error.definition.status === 401,
    refuse: (standing) => refuse(standing, state),
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
  request: IncomingMessage,
  { attemptLimiter }: Service,
  lookUp: () => Promise<Result>,
): Promise<Result> {
  const state = stateOf(request);
  const attempt = {
    limit: 'misses',
    bucket: ['client', clientId],
    isFailure: (error: unknown) =>
      error instanceof ServiceError &&
      (error.subcode === 'grant_not_found' || error.subcode === 'malformed_body'),
    refuse: (standing) => refuse(standing, state),
  } satisfies Attempt;
  return await attemptLimiter.attempt(attempt, lookUp);
}

function noteDpop(state: RequestState, service: Service): void {
  state.dpop = { nonce: service.createDpopNonce(), algorithms: service.dpopAlgorithms };
}

/** Counts a request against a client that proved itself. @param units - What it costs. @throws {ServiceError} `rate_limited` */
function countClient(
  application: Application,
  request: IncomingMessage,
  service: Service,
  units = 1,
): Application {
  const state = stateOf(request);
  state.clientId = application.clientId;
  countAgainst('client', application.clientId, state, service, units);
  return application;
}
