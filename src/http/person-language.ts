/** The language in which a person reads the pages (S380). */
import { chooseLanguage, type PageLanguage } from './pages/page-language.js';
import type { RequestContext } from './request-context.js';

/**
 * Returns the language of a response: by `ui_locales` of the request, then its `locale`, then `ui_locales` of the authorization, then
 * `Accept-Language`. Never throws.
 *
 * @param requested - `ui_locales` of the authorization.
 */
export function languageOf({ request, target }: RequestContext, requested?: string): PageLanguage {
  const parameters = new URLSearchParams(target.query);
  const preferences = [parameters.get('ui_locales'), parameters.get('locale'), requested];
  return chooseLanguage(
    preferences.map((preference) => preference ?? undefined),
    request.headers['accept-language'],
  );
}
