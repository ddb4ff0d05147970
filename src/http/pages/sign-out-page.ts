/** The pages of a sign-out requested by an application: confirmation and result (OpenID Connect RP-Initiated Logout 1.0). */
import type { LogoutRequest, SignedIn } from '../../service/index.js';
import type { RouteResponse } from '../routes/route.js';
import { originOf } from './format.js';
import { formTargetOf, type Html, html, page } from './page.js';

export interface SignOutPageData extends Pick<LogoutRequest, 'application' | 'destination'> {
  /** The person signed in at this browser. */
  readonly person: SignedIn;
  /** The CSRF token of the form. */
  readonly csrfToken: string;
}

/** Renders the confirmation. */
export function signOutPage({ application, destination, person, csrfToken }: SignOutPageData): RouteResponse {
  const origin = destination && originOf(destination.redirectUri);
  // Only the parameters of the redirect, which are validated again. An ID token must not be part of a page.
  const fields =
    application === undefined || destination === undefined
      ? []
      : [
          hidden('client_id', application.clientId),
          hidden('post_logout_redirect_uri', destination.redirectUri),
          ...(destination.state === undefined ? [] : [hidden('state', destination.state)]),
        ];
  const content = html`<form class="narrow card stack" method="post" action="/sign-out" data-once>
<h1>Sign out of Proviso?</h1>
${
  application === undefined
    ? html``
    : html`<p><bdi>${application.name}</bdi> asks you to sign out here.</p>
`
}<p>You are <strong class="person"><bdi>${person.person.name}</bdi></strong>. Signing out ends your sessions in all browsers. It does not change what you share.</p>
${
  origin === undefined
    ? html``
    : html`<p>Afterwards you return to <bdi class="address">${origin}</bdi>.</p>
`
}${hidden('proof', csrfToken)}${fields}<div class="actions">
<a class="button" href="/grants">Stay signed in</a>
<button class="button">Sign out</button>
</div>
</form>`;
  return page({
    title: 'Sign out?',
    data: content,
    stylesheets: ['pages.css'],
    scripts: ['pages.js'],
    formTargets: origin === undefined ? [] : [formTargetOf(origin)],
  });
}

/** Renders the result. */
export function signedOutPage(): RouteResponse {
  return page({
    title: 'You are signed out',
    data: html`<div class="narrow card stack notice-page" data-notice="signed-out">
<h1>You are signed out</h1>
<p>You are signed out of this browser. What you share has not changed.</p>
</div>`,
    stylesheets: ['pages.css'],
  });
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">
`;
}
