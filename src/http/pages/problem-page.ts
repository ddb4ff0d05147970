/** Error pages, which explain the error and what the person can do. */
import type { ErrorContext, ErrorSubcode } from '../../service/index.js';
import type { ErrorBody, ErrorResponse } from '../errors.js';
import type { RouteResponse } from '../routes/route.js';
import { address } from './format.js';
import { type Html, html, noticePage } from './page.js';
import type { PageLanguage } from './page-language.js';
import type { MessageName } from './page-texts.js';

interface ErrorText {
  readonly title: MessageName;
  readonly advice: MessageName;
}

/** The text of errors without an entry in {@link ERROR_TEXTS}. */
const DEFAULT_TEXT: ErrorText = { title: 'problem.title', advice: 'problem.advice' };

const ERROR_TEXTS: Readonly<Partial<Record<ErrorSubcode, ErrorText>>> = {
  invalid_client: { title: 'problem.appTitle', advice: 'problem.app' },
  malformed_body: { title: 'problem.linkTitle', advice: 'problem.link' },
  redirect_uri_mismatch: { title: 'problem.addressTitle', advice: 'problem.address' },
  invalid_request_uri: { title: 'problem.usedTitle', advice: 'problem.used' },
  post_logout_redirect_uri_mismatch: {
    title: 'problem.addressTitle',
    advice: 'problem.signOutAddress',
  },
  sign_in_rejected: { title: 'problem.canceledTitle', advice: 'problem.canceled' },
  sign_in_unavailable: { title: 'problem.providerTitle', advice: 'problem.provider' },
  access_denied: { title: 'problem.formTitle', advice: 'problem.form' },
  reauthentication_required: { title: 'problem.signInTitle', advice: 'problem.signIn' },
  palm_verification_required: { title: 'problem.palmTitle', advice: 'problem.palm' },
  temporarily_unavailable: { title: 'problem.laterTitle', advice: 'problem.later' },
  server_error: { title: 'problem.failureTitle', advice: 'problem.failure' },
};

/** Renders the page of an error. The message for support is the `error_description` of the protocol, in English. */
export function problemPage(
  { pageStatus, body }: ErrorResponse,
  requestId: string,
  language: PageLanguage,
): RouteResponse {
  const names = ERROR_TEXTS[body.error_subcode as ErrorSubcode] ?? DEFAULT_TEXT;
  const content = html`<p>${language.text(names.advice)}</p>
<p><strong>${language.text('page.nothingShared')}</strong></p>
${redirectUris(body.context, language)}<p class="quiet small"><bdi lang="en" dir="ltr">${messageOf(body)}</bdi> ${language.html('problem.request', { id: html`<bdi>${requestId}</bdi>` })}</p>`;
  return noticePage({
    name: 'problem',
    language,
    status: pageStatus,
    title: language.text(names.title),
    content,
  });
}

/** Returns the description of an error with the problems to which it refers. */
function messageOf({ error_description: description, context: { problems } }: ErrorBody): string {
  if (!Array.isArray(problems)) return description;
  const listed: readonly { readonly pointer: string; readonly message: string }[] = problems;
  return [
    description,
    ...listed.map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`)),
  ].join(' ');
}

/** Renders the received and the registered redirect URIs, which errors contain in the sandbox only. */
function redirectUris({ received, registered }: ErrorContext, language: PageLanguage): Html {
  if (typeof received !== 'string' || !Array.isArray(registered)) return html``;
  const uris = registered.map((uri: unknown) => html`<dd>${address(String(uri))}</dd>`);
  return html`<dl class="facts">
<dt>${language.text('problem.received')}</dt><dd>${address(received)}</dd>
<dt>${language.text('problem.registered')}</dt>${uris}
</dl>
`;
}
