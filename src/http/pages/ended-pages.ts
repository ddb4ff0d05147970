/** Pages for authorization requests that can no longer be decided, or not in this browser. */
import type { AuthorizationDetail } from '../../service/index.js';
import { AUTHORIZATION_RESULT_PATH, type RouteResponse } from '../routes/route.js';
import { originOf } from './format.js';
import { type Html, html, page } from './page.js';

const CONFLICT = 409;
const NOT_FOUND = 404;

/** Why a request can no longer be decided. */
export type Ending = 'expired' | 'denied' | 'answered' | 'revoked';

/** Returns why a request can no longer be decided; `undefined` if it can. Never throws. */
export function endingOf({ authorization }: AuthorizationDetail, now: number): Ending | undefined {
  const { status, requestExpiresAt, updatedAt } = authorization;
  switch (status) {
    case 'pending_admin':
      return now >= requestExpiresAt ? 'expired' : undefined;
    case 'denied':
      // A request that expired is stored as denied.
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
): RouteResponse {
  const name = html`<bdi>${application.name}</bdi>`;
  const origin = originOf(authorization.redirectUri);
  const back = html`<a class="button" href="${origin}"><span>Go back to ${name}</span></a>`;
  const grants = html`<a class="button" href="/grants">See what you share</a>`;
  switch (ending) {
    case 'expired':
      return noticePage('This request has expired', 'expired', [
        html`<p>Requests expire after a while, so that nobody else can answer them for you. <strong>Nothing was shared.</strong></p>
<p>To continue, go back to ${name} and start again.</p>`,
        html`<div class="row wrap">${back}</div>`,
      ]);
    case 'denied': {
      const result = `${AUTHORIZATION_RESULT_PATH}?authorization_id=${encodeURIComponent(authorization.id)}`;
      return noticePage('You chose not to share', 'denied', [
        html`<p><strong>Nothing was shared</strong> with ${name}. If you change your mind, start again there. You will be asked again.</p>`,
        html`<div class="row wrap"><a class="button" href="${result}"><span>Go back to ${name}</span></a></div>`,
      ]);
    }
    case 'answered':
      return noticePage('You have already answered this request', 'answered', [
        html`<p>You agreed to share with ${name}. There is nothing left to do here.</p>
<p>You can see what you share, and stop sharing, at any time.</p>`,
        html`<div class="row wrap">${grants}${back}</div>`,
      ]);
    case 'revoked':
      return noticePage('Sharing has ended', 'revoked', [
        html`<p>You agreed to share with ${name}, and this has been ended. <strong>${name} no longer has access.</strong></p>
<p>To share again, start again at ${name}. You will be asked again.</p>`,
        html`<div class="row wrap">${grants}${back}</div>`,
      ]);
  }
}

/** Renders the page of a request that is unknown or was started in another browser. The page does not reveal which (S60, S70). */
export function unknownRequestPage(): RouteResponse {
  const content = [
    html`<p>The link is incomplete, or the request was started in another browser or a private window. For your safety, you can only answer a request in the browser where it started.</p>
<p><strong>Nothing was shared.</strong> Go back to the app and start again, in this browser and with cookies allowed.</p>`,
  ];
  return noticePage('Request not found', 'unknown', content, NOT_FOUND);
}

function noticePage(title: string, name: string, content: readonly Html[], status = CONFLICT): RouteResponse {
  return page({
    status,
    title,
    data: html`<div class="narrow card stack notice-page" data-notice="${name}">
<h1>${title}</h1>
${content}
</div>`,
    stylesheets: ['pages.css'],
  });
}
