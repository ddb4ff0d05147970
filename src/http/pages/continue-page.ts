/** The page from which a browser continues elsewhere after a form. */
import type { RouteResponse } from '../routes/route.js';
import { html, noticePage } from './page.js';
import type { PageLanguage } from './page-language.js';

/**
 * Renders a page that redirects by `<meta http-equiv="refresh">`, with a link as a fallback. After a form, it takes the place of a redirect that leads to another
 * site: some browsers apply `form-action` to every redirect that follows, and a provider may redirect to further sites.
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
