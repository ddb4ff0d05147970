/** Authorization responses, which the browser delivers to the client (RFC 6749 §4.1.2, RFC 9207, Form Post Response Mode, S51, S56, S57). */

import { type Authorization, ServiceError } from '../service/index.js';
import { omitUndefined } from '../util/omit-undefined.js';
import { address, originOf } from './pages/format.js';
import { formTargetOf, html, page } from './pages/page.js';
import type { PageLanguage } from './pages/page-language.js';
import { languageOf } from './person-language.js';
import type { RequestContext } from './request-context.js';
import type { RouteResponse } from './routes/route.js';

/** Where and how a response is delivered. */
type Destination = Pick<Authorization, 'redirectUri' | 'responseMode' | 'state' | 'uiLocales'>;

/** Creates the response with a code. */
export function respondWithCode(
  code: string,
  destination: Destination,
  context: RequestContext,
): RouteResponse {
  return respond({ code }, destination, context);
}

/** Creates an error response. Omits the error's context, which is not for the client. */
export function respondWithError(
  { definition, description }: ServiceError,
  destination: Destination,
  context: RequestContext,
): RouteResponse {
  return respond({ error: definition.error, error_description: description }, destination, context);
}

/** Creates the response after a denial, or after a request expired, which counts as a denial at that instant or later. */
export function respondWithDenial(
  authorization: Destination & Pick<Authorization, 'updatedAt' | 'requestExpiresAt'>,
  context: RequestContext,
): RouteResponse {
  const isExpired = authorization.updatedAt >= authorization.requestExpiresAt;
  const description = isExpired ? 'The request expired.' : 'The person denied the request.';
  return respondWithError(new ServiceError('access_denied', {}, { description }), authorization, context);
}

function respond(
  parameters: Readonly<Record<string, string>>,
  { redirectUri, responseMode, state, uiLocales }: Destination,
  context: RequestContext,
): RouteResponse {
  const response = { ...parameters, ...omitUndefined({ state }), iss: context.service.settings.issuer };
  if (responseMode === 'form_post')
    return formPostPage(redirectUri, response, languageOf(context, uiLocales));
  return { kind: 'redirect', location: appendQuery(redirectUri, response) };
}

/** Appends parameters to a registered URI, which is not parsed, so that its bytes do not change. */
export function appendQuery(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const separator = redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${separator}${query.join('&')}`;
}

/**
 * Renders a form with the response (`form_post`). A script submits the form; without scripts, the person presses its button.
 *
 * @param redirectUri - A registered URI.
 */
function formPostPage(
  redirectUri: string,
  parameters: Readonly<Record<string, string>>,
  language: PageLanguage,
): RouteResponse {
  const destination = originOf(redirectUri);
  const fields = Object.entries(parameters).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  );
  return page({
    language,
    title: language.text('return.title'),
    content: html`<form class="narrow card stack" method="post" action="${redirectUri}" data-submit>
<h1>${language.text('return.title')}</h1>
<p>${language.html('return.text', { address: address(destination) })}</p>
${fields}<div class="row wrap"><button class="button">${language.text('return.continue')}</button></div>
</form>`,
    stylesheets: ['pages.css'],
    scripts: ['pages.js'],
    formTargets: [formTargetOf(destination)],
  });
}
