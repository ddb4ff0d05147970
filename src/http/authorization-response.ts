/** Responses of the authorization endpoint, which the browser takes to the client (RFC 6749 §4.1.2, RFC 9207, S56, S57). */
import { type Authorization, type Service, ServiceError } from '../service/index.js';
import { formPostPage } from './pages/form-post-page.js';
import type { Answer } from './routes/route.js';

/** Where a response goes, and how. */
type Destination = Pick<Authorization, 'redirectUri' | 'responseMode' | 'state'>;

/** Sends the browser back with a code. */
export function respondWithCode(code: string, destination: Destination, service: Service): Answer {
  return respond({ code }, destination, service);
}

/** Sends the browser back with an error, of which only what the client may know is included. */
export function respondWithError(
  { definition, description }: ServiceError,
  destination: Destination,
  service: Service,
): Answer {
  return respond({ error: definition.error, error_description: description }, destination, service);
}

/** Sends the browser back with the person's denial. */
export function respondWithDenial(destination: Destination, service: Service): Answer {
  const description = 'The person denied the request.';
  return respondWithError(new ServiceError('access_denied', {}, { description }), destination, service);
}

function respond(
  parameters: Readonly<Record<string, string>>,
  { redirectUri, responseMode, state }: Destination,
  { settings }: Service,
): Answer {
  const all = { ...parameters, ...(state === undefined ? {} : { state }), iss: settings.issuer };
  if (responseMode === 'form_post') return formPostPage(redirectUri, all);
  return { kind: 'redirect', location: appendQuery(redirectUri, all) };
}

/** Appends parameters to a registered URI, whose text stays as it is: no parser touches it. */
export function appendQuery(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const separator = redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${separator}${query.join('&')}`;
}
