/** What a person sees where a page cannot be given: what went wrong, and what they can do about it. */
import type { ErrorContext, ErrorSubcode } from '../../service/index.js';
import type { ErrorResponse } from '../errors.js';
import type { RouteResponse } from '../routes/route.js';
import { type Html, html, page } from './page.js';

interface ErrorText {
  readonly title: string;
  readonly advice: string;
}

const BEGIN_AGAIN =
  'Go back to where you came from and begin again; if it happens once more, tell them what stands below.';

/** For everything that is not worth words of its own. */
const DEFAULT_TEXT: ErrorText = { title: 'This did not work', advice: BEGIN_AGAIN };

const ERROR_TEXTS: Readonly<Partial<Record<ErrorSubcode, ErrorText>>> = {
  invalid_client: {
    title: 'We do not know who sent you',
    advice:
      'The application that sent you here is not registered, or not any more. There is nothing that you can do here; tell them.',
  },
  malformed_body: {
    title: 'The address is not right',
    advice:
      'Something is missing in the address that you followed, or stands there twice. Go back to where you came from and begin again.',
  },
  redirect_uri_mismatch: {
    title: 'The return address is not registered',
    advice:
      'The application that sent you here asked to have you sent back to an address that it has not registered. There is nothing that you can do here; tell them.',
  },
  invalid_request_uri: {
    title: 'This link cannot be used any more',
    advice:
      'It works once, and for a short time only. Go back to the application that sent you here and begin again.',
  },
  post_logout_redirect_uri_mismatch: {
    title: 'The return address is not registered',
    advice:
      'The application that sent you here to sign out asked to have you sent back to an address that it has not registered. This did not sign you out: open “See what you share” below and sign out there.',
  },
  access_denied: {
    title: 'This did not come from our page',
    advice:
      'For your safety, only forms of our own pages are taken. Go back, load the page again and repeat what you did.',
  },
  reauthentication_required: {
    title: 'Sign in again',
    advice:
      'The application that sent you here wants you to have signed in more recently than you have. Go back to it and begin again; if it happens once more, tell them what stands below.',
  },
  palm_verification_required: {
    title: 'First, show that it is you',
    advice:
      'Some of what is asked for is sensitive. Go back, load the page again, and verify your palm first.',
  },
  temporarily_unavailable: {
    title: 'One moment, please',
    advice: 'The service cannot answer just now. Load the page again in a moment; nothing is lost.',
  },
  server_error: {
    title: 'Something of ours failed',
    advice: 'We were told of it. Try again in a while; if it happens once more, tell us what stands below.',
  },
};

/** A page that says what went wrong, to a person who can do little about it. */
export function problemPage({ pageStatus, body }: ErrorResponse, requestId: string): RouteResponse {
  const { title, advice } = ERROR_TEXTS[body.error_subcode as ErrorSubcode] ?? DEFAULT_TEXT;
  const content = html`<div class="narrow card stack told" data-told="problem">
<h1>${title}</h1>
<p>${advice}</p>
<p><strong>Nothing was shared.</strong></p>
${redirectUris(body.context)}<p class="quiet small">${body.error_description} Request ${requestId}.</p>
</div>`;
  return page({ status: pageStatus, title, data: content, stylesheets: ['pages.css'] });
}

/** The received URI and the registered ones, where the error shows them: in the sandbox. */
function redirectUris({ received, registered }: ErrorContext): Html {
  if (typeof received !== 'string' || !Array.isArray(registered)) return html``;
  const uris = registered.map((uri: unknown) => html`<dd><bdi class="address">${String(uri)}</bdi></dd>`);
  return html`<dl class="facts">
<dt>Received</dt><dd><bdi class="address">${received}</bdi></dd>
<dt>Registered</dt>${uris}
</dl>
`;
}
