/** Pages that respond to a form: one continues at another site, one requires a sign-in because the session has ended. */
import type { RouteResponse } from '../routes/route.js';
import { html, noticePage } from './page.js';
import type { PageLanguage } from './page-language.js';

const FORBIDDEN = 403;

/**
 * Renders a page that redirects by `<meta http-equiv="refresh">`, with a link as a fallback. Replaces a redirect to another site after a form: some
 * browsers apply `form-action` to every redirect that follows, and a provider may redirect to further sites.
 */
export function continuePage(
  action: 'page.signIn' | 'page.signOut',
  location: string,
  language: PageLanguage,
): RouteResponse {
  return noticePage({
    name: 'continue',
    language,
    title: language.text(action),
    content: html`<p><a class="button" href="${location}">${language.text('return.continue')}</a></p>`,
    refresh: location,
  });
}

/** Renders the response to a form that was sent after the session had ended. */
export function signInRequiredPage(language: PageLanguage): RouteResponse {
  return noticePage({
    name: 'sign-in-required',
    language,
    status: FORBIDDEN,
    title: language.text('signedOut.title'),
    content: html`<p>${language.text('signIn.required')}</p>
<p><a class="button" href="${language.keepIn('/sign-in')}">${language.text('page.signIn')}</a></p>`,
  });
}
