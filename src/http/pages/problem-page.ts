/** Error pages, which explain the error and what the person can do. */
import type { ErrorContext, ErrorSubcode } from '../../service/index.js';
import type { ErrorResponse } from '../errors.js';
import type { RouteResponse } from '../routes/route.js';
import { type Html, html, page } from './page.js';

interface ErrorText {
  readonly title: string;
  readonly advice: string;
}

const START_AGAIN =
  'Go back to the app and start again. If this happens again, send the app’s support the message below.';

/** The text of errors without an entry in {@link ERROR_TEXTS}. */
const DEFAULT_TEXT: ErrorText = { title: 'This did not work', advice: START_AGAIN };

const ERROR_TEXTS: Readonly<Partial<Record<ErrorSubcode, ErrorText>>> = {
  invalid_client: {
    title: 'Unknown app',
    advice:
      'The app that sent you here is not registered, or no longer is. You cannot fix this yourself: please tell the app’s support.',
  },
  malformed_body: {
    title: 'This link is incomplete',
    advice: 'A part of the link is missing, repeated or changed. Go back to the app and start again.',
  },
  redirect_uri_mismatch: {
    title: 'The return address is not registered',
    advice:
      'The app that sent you here wants to send you back to an address that it has not registered. You cannot fix this yourself: please tell the app’s support.',
  },
  invalid_request_uri: {
    title: 'This link has expired',
    advice:
      'The link works only once and for a short time. Go back to the app that sent you here and start again.',
  },
  post_logout_redirect_uri_mismatch: {
    title: 'The return address is not registered',
    advice:
      'The app that sent you here to sign out wants to send you back to an address that it has not registered. You are still signed in: open “See what you share” below and sign out there.',
  },
  access_denied: {
    title: 'This form was not sent from our page',
    advice:
      'For your safety, we accept forms only from our own pages. Go back, reload the page and try again.',
  },
  reauthentication_required: {
    title: 'Sign in again',
    advice:
      'The app that sent you here requires a more recent sign-in. Go back to the app and start again. If this happens again, send the app’s support the message below.',
  },
  palm_verification_required: {
    title: 'Verify your palm first',
    advice: 'Some of the requested information is sensitive. Go back, reload the page and verify your palm.',
  },
  temporarily_unavailable: {
    title: 'One moment, please',
    advice: 'The service is not available right now. Reload the page in a moment. Nothing is lost.',
  },
  server_error: {
    title: 'Something went wrong',
    advice:
      'This is our fault, and it was logged. Try again later. If it happens again, send us the message below.',
  },
};

/** Renders the page of an error. */
export function problemPage({ pageStatus, body }: ErrorResponse, requestId: string): RouteResponse {
  const { title, advice } = ERROR_TEXTS[body.error_subcode as ErrorSubcode] ?? DEFAULT_TEXT;
  const content = html`<div class="narrow card stack notice-page" data-notice="problem">
<h1>${title}</h1>
<p>${advice}</p>
<p><strong>Nothing was shared.</strong></p>
${redirectUris(body.context)}<p class="quiet small">${body.error_description} Request ${requestId}.</p>
</div>`;
  return page({ status: pageStatus, title, data: content, stylesheets: ['pages.css'] });
}

/** Renders the received and the registered redirect URIs, which errors contain in the sandbox only. */
function redirectUris({ received, registered }: ErrorContext): Html {
  if (typeof received !== 'string' || !Array.isArray(registered)) return html``;
  const uris = registered.map((uri: unknown) => html`<dd><bdi class="address">${String(uri)}</bdi></dd>`);
  return html`<dl class="facts">
<dt>Received</dt><dd><bdi class="address">${received}</bdi></dd>
<dt>Registered</dt>${uris}
</dl>
`;
}
