/** Pages for authorization requests that can no longer be decided, or cannot be decided in this browser. */
import type { AuthorizationDetail } from '../../service/index.js';
import { AUTHORIZATION_RESULT_PATH, type RouteResponse } from '../routes/route.js';
import { isolated, originOf } from './format.js';
import { type Html, html, noticePage } from './page.js';
import type { PageLanguage } from './page-language.js';

const CONFLICT = 409;
const NOT_FOUND = 404;

/** Why a request can no longer be decided. */
export type Ending = 'expired' | 'denied' | 'answered' | 'revoked';

/** Returns why a request can no longer be decided; `undefined` if it can. Never throws. */
export function endingOf({ authorization }: AuthorizationDetail): Ending | undefined {
  const { status, requestExpiresAt, updatedAt } = authorization;
  switch (status) {
    case 'pending_admin':
      return undefined;
    case 'denied':
      // An expired request counts as denied, at or after its expiry.
      return updatedAt >= requestExpiresAt ? 'expired' : 'denied';
    case 'revoked':
      return 'revoked';
    case 'approved':
    case 'consumed':
      return 'answered';
  }
}

/** Renders the page of a request that can no longer be decided. */
export function endedPage(
  ending: Ending,
  { authorization, application }: AuthorizationDetail,
  language: PageLanguage,
): RouteResponse {
  const app = isolated(application.name);
  const nothing = html`<strong>${language.text('page.nothingShared')}</strong>`;
  // A revoked application gets no link.
  const back = (url: string) =>
    application.revokedAt === undefined
      ? html`<a class="button" href="${url}"><span>${language.html('page.back', { app })}</span></a>`
      : html``;
  const toApp = back(originOf(authorization.redirectUri));
  const toGrants = html`<a class="button" href="${language.keepIn('/grants')}">${language.text('page.grants')}</a>`;
  const notice = (texts: readonly Html[], links: readonly Html[]) =>
    noticePage({
      name: ending,
      language,
      status: CONFLICT,
      title: language.text(`${ending}.title`),
      content: html`${texts.map((text) => html`<p>${text}</p>`)}<div class="row wrap">${links}</div>`,
    });
  switch (ending) {
    case 'expired':
      return notice(
        [language.html('expired.text', { nothing }), language.html('expired.next', { app })],
        [toApp],
      );
    case 'denied': {
      const result = `${AUTHORIZATION_RESULT_PATH}?authorization_id=${authorization.id}`;
      return notice([language.html('denied.text', { nothing, app })], [back(language.keepIn(result))]);
    }
    case 'answered':
      return notice(
        [language.html('answered.text', { app }), language.html('answered.next', {})],
        [toGrants, toApp],
      );
    case 'revoked':
      return notice(
        [language.html('revoked.text', { app }), language.html('revoked.next', { app })],
        [toGrants, toApp],
      );
  }
}

/** Renders the page of a request that is unknown or was started in another browser. The page does not reveal which (S60, S70). */
export function unknownRequestPage(language: PageLanguage): RouteResponse {
  const nothing = html`<strong>${language.text('page.nothingShared')}</strong>`;
  return noticePage({
    name: 'unknown',
    language,
    status: NOT_FOUND,
    title: language.text('unknown.title'),
    content: html`<p>${language.text('unknown.text')}</p>
<p>${language.html('unknown.next', { nothing })}</p>`,
  });
}
