/** Authorization responses, which the browser delivers to the client (RFC 6749 §4.1.2, RFC 9207, Form Post Response Mode, S51, S56, S57). */

import { type Authorization, type Service, ServiceError } from '../service/index.js';
import { omitUndefined } from '../util/omit-undefined.js';
import { originOf } from './pages/format.js';
import { formTargetOf, html, page } from './pages/page.js';
import type { RouteResponse } from './routes/route.js';

/** The redirect URI, response mode and state of a response. */
type Destination = Pick<Authorization, 'redirectUri' | 'responseMode' | 'state'>;

/** Creates the response with a code. */
export function respondWithCode(code: string, destination: Destination, service: Service): RouteResponse {
  return respond({ code }, destination, service);
}

/** Creates an error response. Omits the error's context, which is not for the client. */
export function respondWithError(
  { definition, description }: ServiceError,
  destination: Destination,
  service: Service,
): RouteResponse {
  return respond({ error: definition.error, error_description: description }, destination, service);
}

/** Creates the response after a denial. */
export function respondWithDenial(destination: Destination, service: Service): RouteResponse {
  const description = 'The person denied the request.';
  return respondWithError(new ServiceError('access_denied', {}, { description }), destination, service);
}

function respond(
  parameters: Readonly<Record<string, string>>,
  { redirectUri, responseMode, state }: Destination,
  { settings }: Service,
): RouteResponse {
  const response = { ...parameters, ...omitUndefined({ state }), iss: settings.issuer };
  if (responseMode === 'form_post') return formPostPage(redirectUri, response);
  return { kind: 'redirect', location: appendQuery(redirectUri, response) };
}

/** Appends parameters to a registered URI, which is not parsed, so that its bytes do not change. */
export function appendQuery(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const separator = redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${separator}${query.join('&')}`;
}

/**
 * Renders a form with the response. A script submits it; without scripts, the person presses its button.
 *
 * @param redirectUri - A registered URI.
 */
function formPostPage(redirectUri: string, parameters: Readonly<Record<string, string>>): RouteResponse {
  const destination = originOf(redirectUri);
  const fields = Object.entries(parameters).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  );
  return page({
    title: 'Going back',
    data: html`<form class="narrow card stack" method="post" action="${redirectUri}" data-submit>
<h1>Going back</h1>
<p>You are being sent back to <bdi class="address">${destination}</bdi>.</p>
${fields}<div class="row wrap"><button class="button">Continue</button></div>
</form>`,
    stylesheets: ['pages.css'],
    scripts: ['pages.js'],
    formTargets: [formTargetOf(destination)],
  });
}
