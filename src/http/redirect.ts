/** Answers that send the browser back to the client (RFC 6749 §4.1.2, RFC 9207, S56, S57). */
import { type Authorization, type Service, ServiceError } from '../service/index.js';
import type { Answer } from './routes/route.js';

/** Sends the browser back with a code. */
export function redirectWithCode(
  code: string,
  { redirectUri, state }: Authorization,
  service: Service,
): Answer {
  return redirect(redirectUri, { code, state }, service);
}

/** Sends the browser back with what the client may be told of an error. */
export function redirectWithError(
  { definition, description }: ServiceError,
  redirectUri: string,
  state: string | undefined,
  service: Service,
): Answer {
  const parameters = { error: definition.error, error_description: description, state };
  return redirect(redirectUri, parameters, service);
}

/** Sends the browser back with the person's denial. */
export function redirectWithDenial({ redirectUri, state }: Authorization, service: Service): Answer {
  const description = 'The person denied the request.';
  return redirectWithError(
    new ServiceError('access_denied', {}, { description }),
    redirectUri,
    state,
    service,
  );
}

function redirect(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
  { settings }: Service,
): Answer {
  const query = Object.entries({ ...parameters, iss: settings.issuer }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  // The registered text stays as it is: no parser touches it.
  const separator = redirectUri.includes('?') ? '&' : '?';
  return { kind: 'redirect', location: `${redirectUri}${separator}${query.join('&')}` };
}
