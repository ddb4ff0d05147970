/** Authenticates the caller of a request, and applies rate limits before the rest of the request is validated (S124, S197). */
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
 * Authenticates the bearer of an access token, or the holder of the key that it is bound to (DPoP). The request and its work count against
 * the limits of the token and of its client.
 *
 * @param sent - A bearer token that was not sent in the `Authorization` header.
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

/** An authenticated client. */
export interface CallingClient {
  readonly application: Application;
  /** Whether the client authenticated by a secret or a signature; anyone can send the id of a public client. */
  readonly isProven: boolean;
  /** Charges a public client for codes or tokens that were accepted, one unit each. Does nothing for other clients. Never throws. */
  readonly countAccepted: (units: number) => void;
}

/**
 * Authenticates the client of a request by its registered method. A request with a secret or a signature is charged to the client. A request
 * of a public client, whose id anyone can send, is charged to the address; only accepted codes and tokens are charged to the client.
 *
 * @param units - Cost of the request.
 * @throws {ServiceError} `invalid_client`, `malformed_body`, `rate_limited`
 */
export async function authenticateClient(
  context: RequestContext,
  parameters: Parameters,
  units = 1,
): Promise<CallingClient> {
  const { request, service, address } = context;
  const credentials = readClientCredentials(request, parameters);
  const application = await authenticateWithLimit(credentials, context, () =>
    service.clients.authenticate(credentials),
  );
  if (credentials?.method !== 'none') {
    countClient(application, context, units);
    return { application, isProven: true, countAccepted: () => undefined };
  }
  const { clientId } = application;
  context.clientId = clientId;
  assertCapacity('client', clientId, context, 1);
  // One unit was already charged to the address for the request.
  if (units > 1) countAgainst('address', address, context, units - 1);
  return {
    application,
    isProven: false,
    countAccepted: (accepted) => chargeUnits('client', clientId, context, accepted),
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

/** Same as {@link authenticateClient}, for confidential clients only. */
export async function authenticateConfidentialClient(
  context: RequestContext,
  parameters: Parameters,
): Promise<Application> {
  const credentials = readClientCredentials(context.request, parameters);
  const application = await authenticateWithLimit(credentials, context, () =>
    context.service.clients.authenticateConfidential(credentials),
  );
  return countClient(application, context);
}

/** Same as {@link authenticateClient}, by secret or signature, regardless of the method registered for the token endpoint. */
export async function authenticateBySecretOrKey(
  context: RequestContext,
  parameters: Parameters,
): Promise<Application> {
  const credentials = readClientCredentials(context.request, parameters);
  const application = await authenticateWithLimit(credentials, context, () =>
    context.service.clients.authenticateBySecretOrKey(credentials),
  );
  return countClient(application, context);
}

/**
 * Checks that the caller is the administrator.
 *
 * @throws {ServiceError} `token_missing`, `token_invalid`, `token_expired`, `access_denied`, `malformed_body`, `rate_limited`
 */
export async function assertAdministrator(context: RequestContext): Promise<void> {
  const secret = readBearerToken(context.request);
  await withFailureLimit({ kind: 'administrator', name: '', secret }, context, () =>
    context.service.tokens.assertAdministrator(secret),
  );
}

/** Authenticates a client within the limit of wrong secrets. @throws {ServiceError} `rate_limited`, or errors of `authenticate`. */
async function authenticateWithLimit(
  credentials: ClientCredentials | undefined,
  context: RequestContext,
  authenticate: () => Promise<Application>,
): Promise<Application> {
  const { clientId: name = '', clientSecret: secret } = credentials ?? {};
  return await withFailureLimit({ kind: 'client', name, secret }, context, authenticate);
}

/**
 * Verifies a person by the fields of a form, within the limit of wrong secrets; `undefined` if the verification fails.
 *
 * @throws {ServiceError} `rate_limited`
 */
export async function verifyPerson(
  form: ReadonlyMap<string, string>,
  context: RequestContext,
): Promise<Person | undefined> {
  // The deployment defines the form, so any field may be the password.
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
    if (error !== unknown) throw error;
    context.rejection = unknown.subcode;
    return undefined;
  }
}

/** The holder of the secret that a request presents. */
interface SecretHolder {
  /** Separates the limits of a client and a person with the same name. */
  readonly kind: 'client' | 'administrator' | 'person';
  /** The name that the caller sends. */
  readonly name: string;
  /** Absent if there is no secret to guess: for a public client, or a client that signs. */
  readonly secret: string | undefined;
}

/**
 * Runs an authentication within the limit of failures. After too many failures, attempts for this name from this address are rejected without
 * checking the secret. The owner of the name is not locked out at other addresses (S124).
 *
 * @throws {ServiceError} `rate_limited`, or errors of `work`.
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
 * Looks up a person for a client, within the limit of lookups that find no grant or whose selectors do not all identify the same person, so that
 * people cannot be enumerated. Counts are shared by all instances.
 *
 * @throws {ServiceError} `rate_limited`, or errors of `lookUp`.
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

/** Counts a request of an authenticated client. @param units - Cost of the request. @throws {ServiceError} `rate_limited` */
function countClient(application: Application, context: RequestContext, units = 1): Application {
  context.clientId = application.clientId;
  countAgainst('client', application.clientId, context, units);
  return application;
}
