/** What a person sees of a request that cannot be answered any more, or is not theirs to answer: a page for each, which says what to do. */
import type { AuthorizationDetail } from '../../service/index.js';
import { AUTHORIZATION_RESULT_PATH, type RouteResponse } from '../routes/route.js';
import { originOf } from './format.js';
import { type Html, html, page } from './page.js';

const CONFLICT = 409;
const NOT_FOUND = 404;

/** How a request can be over. */
export type Ending = 'expired' | 'denied' | 'answered' | 'revoked';

/** How a request is over at an instant; `undefined` where it can still be answered. Never throws. */
export function endingOf({ authorization }: AuthorizationDetail, now: number): Ending | undefined {
  const { status, requestExpiresAt, updatedAt } = authorization;
  switch (status) {
    case 'pending_admin':
      return now >= requestExpiresAt ? 'expired' : undefined;
    case 'denied':
      // What nobody answered in time counts as denied from then on.
      return updatedAt >= requestExpiresAt ? 'expired' : 'denied';
    case 'revoked':
      return 'revoked';
    case 'approved':
    case 'consumed':
      return 'answered';
  }
}

/** The page of a request that is over. */
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
      return noticePage('This request is over', 'expired', [
        html`<p>It was open for a while, so that nobody can answer it later in your place. <strong>Nothing was shared.</strong></p>
<p>To answer it after all, go back to ${name} and begin again there.</p>`,
        html`<div class="row wrap">${back}</div>`,
      ]);
    case 'denied': {
      const result = `${AUTHORIZATION_RESULT_PATH}?authorization_id=${encodeURIComponent(authorization.id)}`;
      return noticePage('You chose not to share', 'denied', [
        html`<p><strong>Nothing was shared</strong> with ${name}. If you think better of it, begin again there: you will be asked once more.</p>`,
        html`<div class="row wrap"><a class="button" href="${result}"><span>Go back to ${name}</span></a></div>`,
      ]);
    }
    case 'answered':
      return noticePage('You have answered this already', 'answered', [
        html`<p>You agreed to share with ${name}. A request is answered once, so there is nothing left to do here.</p>
<p>You can look at what you share, and end it, at any time.</p>`,
        html`<div class="row wrap">${grants}${back}</div>`,
      ]);
    case 'revoked':
      return noticePage('This has ended', 'revoked', [
        html`<p>What was agreed to here has been taken back. <strong>${name} can no longer look at anything.</strong></p>
<p>To share again, begin again at ${name}: you will be asked once more.</p>`,
        html`<div class="row wrap">${grants}${back}</div>`,
      ]);
  }
}

/** The page of a request that is unknown, or was begun in another browser: one page for both, which tells nothing (S60, S70). */
export function unknownRequestPage(): RouteResponse {
  const content = [
    html`<p>Either the address is not complete, or the request was begun in another browser or in a private window. For your safety, only the browser in which it began can answer it.</p>
<p><strong>Nothing was shared.</strong> Go back to where you came from and begin again there, in this browser and with cookies allowed.</p>`,
  ];
  return noticePage('We do not know this request', 'unknown', content, NOT_FOUND);
}

function noticePage(title: string, what: string, content: readonly Html[], status = CONFLICT): RouteResponse {
  return page({
    status,
    title,
    data: html`<div class="narrow card stack told" data-told="${what}">
<h1>${title}</h1>
${content}
</div>`,
    stylesheets: ['pages.css'],
  });
}
