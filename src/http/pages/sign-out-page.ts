/** The pages of a sign-out that an application asked for: the question, and that it is done (OpenID Connect RP-Initiated Logout 1.0). */
import type { LogoutRequest, SignedIn } from '../../service/index.js';
import type { RouteResponse } from '../routes/route.js';
import { originOf } from './format.js';
import { formTargetOf, type Html, html, page } from './page.js';

export interface SignOutPageData extends Pick<LogoutRequest, 'application' | 'destination'> {
  /** Who is signed in at this browser. */
  readonly person: SignedIn;
  /** The CSRF token of the form. */
  readonly csrfToken: string;
}

/** Asks the person whether to sign out. */
export function signOutPage({ application, destination, person, csrfToken }: SignOutPageData): RouteResponse {
  const origin = destination && originOf(destination.redirectUri);
  // Only what leads back: the server checks it again, and an ID token does not belong into a page.
  const kept =
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
}<p>You are <strong class="person"><bdi>${person.person.name}</bdi></strong>. Signing out ends your sessions at every browser. What you share stays as it is.</p>
${
  origin === undefined
    ? html``
    : html`<p>Afterwards you are sent to <bdi class="address">${origin}</bdi>.</p>
`
}${hidden('proof', csrfToken)}${kept}<div class="actions">
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

/** Says that nobody is signed in at this browser. */
export function signedOutPage(): RouteResponse {
  return page({
    title: 'You are signed out',
    data: html`<div class="narrow card stack told" data-told="signed-out">
<h1>You are signed out</h1>
<p>Nobody is signed in at this browser now. What you share stays as it is.</p>
</div>`,
    stylesheets: ['pages.css'],
  });
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">
`;
}
