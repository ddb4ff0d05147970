/** Who asks, counted before anything of theirs is hashed or parsed further (S124, S197). */
import type { IncomingMessage } from 'node:http';
import { type Application, type Grant, type Service, ServiceError } from '../service/index.js';
import { readBearerToken } from './parameters/bearer-token.js';
import type { Parameters } from './parameters/body.js';
import { readClientCredentials } from './parameters/client-credentials.js';
import { assertNotExceeded, countAgainst, stateOf } from './request-state.js';

/**
 * The grant of the bearer who asks.
 *
 * @throws {ServiceError} `token_missing`, `token_invalid`, `token_expired`, `malformed_body`, `rate_limited`
 */
export async function authenticateBearer(request: IncomingMessage, service: Service): Promise<Grant> {
  const token = readBearerToken(request);
  const state = stateOf(request);
  countAgainst('token', token, state, service);
  const grant = await service.authenticate(token);
  state.clientId = grant.clientId;
  return grant;
}

/** The application that asks. @throws {ServiceError} `invalid_client`, `malformed_body`, `rate_limited` */
export async function authenticateClient(
  request: IncomingMessage,
  parameters: Parameters,
  service: Service,
): Promise<Application> {
  const shown = readClientCredentials(request, parameters);
  const application = await countingFailures(shown?.clientId ?? '', request, service, () =>
    service.authenticateClient(shown),
  );
  return countClient(application, request, service);
}

/** As {@link authenticateClient}, for what only an application may do that keeps a secret. */
export async function authenticateConfidentialClient(
  request: IncomingMessage,
  parameters: Parameters,
  service: Service,
): Promise<Application> {
  const shown = readClientCredentials(request, parameters);
  const application = await countingFailures(shown?.clientId ?? '', request, service, () =>
    service.authenticateConfidentialClient(shown),
  );
  return countClient(application, request, service);
}

/** Passes for the administrator alone. @throws {ServiceError} `token_missing`, `token_invalid`, `access_denied`, `rate_limited` … */
export async function assertAdministrator(request: IncomingMessage, service: Service): Promise<void> {
  const token = readBearerToken(request);
  await countingFailures('administrator', request, service, () => service.assertAdministrator(token));
}

/**
 * Does what a secret opens. A caller who was wrong too often is refused before the secret is looked at, for this name and from this
 * address only: the real one elsewhere is not locked out (S124).
 *
 * @throws {ServiceError} `rate_limited`, or as the work does.
 */
export async function countingFailures<Result>(
  name: string,
  request: IncomingMessage,
  service: Service,
  work: () => Promise<Result>,
): Promise<Result> {
  const state = stateOf(request);
  const key = `${name} ${state.address}`;
  assertNotExceeded('failures', key, state, service);
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && error.definition.status === 401) {
      service.rateLimiter.take('failures', key);
    }
    throw error;
  }
}

function countClient(application: Application, request: IncomingMessage, service: Service): Application {
  const state = stateOf(request);
  state.clientId = application.clientId;
  countAgainst('client', application.clientId, state, service);
  return application;
}
