/** The pages of a sign-out requested by an application: confirmation and result (OpenID Connect RP-Initiated Logout 1.0). */
import type { LogoutRequest, SignedIn } from '../../service/index.js';
import type { RouteResponse } from '../routes/route.js';
import { address, isolated, originOf } from './format.js';
import { formTargetOf, type Html, html, noticePage, page } from './page.js';
import type { PageLanguage } from './page-language.js';

export interface SignOutPageData extends Pick<LogoutRequest, 'application' | 'destination'> {
  readonly language: PageLanguage;
  /** The person signed in at this browser. */
  readonly person: SignedIn;
  /** The CSRF token of the form. */
  readonly csrfToken: string;
}

/** Renders the confirmation. */
export function signOutPage(data: SignOutPageData): RouteResponse {
  const { language, application, destination, person, csrfToken } = data;
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
  const name = html`<strong class="person">${isolated(person.person.name)}</strong>`;
  const content = html`<form class="narrow card stack" method="post" action="${language.keepIn('/sign-out')}" data-once>
<h1>${language.text('signOut.heading', { service: 'Proviso' })}</h1>
${
  application === undefined
    ? html``
    : html`<p>${language.html('signOut.asked', { app: isolated(application.name) })}</p>
`
}<p>${language.html('signOut.text', { person: name })}</p>
${
  origin === undefined
    ? html``
    : html`<p>${language.html('signOut.return', { address: address(origin) })}</p>
`
}${hidden('proof', csrfToken)}${fields}<div class="actions">
<a class="button" href="${language.keepIn('/grants')}">${language.text('signOut.stay')}</a>
<button class="button">${language.text('signOut.confirm')}</button>
</div>
</form>`;
  return page({
    language,
    title: language.text('signOut.title'),
    content,
    stylesheets: ['pages.css'],
    scripts: ['pages.js'],
    formTargets: origin === undefined ? [] : [formTargetOf(origin)],
  });
}

/** The state after a sign-out. */
interface SignedOut {
  /** The provider at which the person is still signed in. */
  readonly remaining?: string | undefined;
  /** The URL at which the person may continue. */
  readonly location?: string | undefined;
}

/** Renders the result of a sign-out. */
export function signedOutPage(language: PageLanguage, { remaining, location }: SignedOut): RouteResponse {
  const lines: Html[] = [];
  if (remaining !== undefined)
    lines.push(html`<p>${language.html('signedOut.remaining', { provider: isolated(remaining) })}</p>
`);
  if (location !== undefined)
    lines.push(html`<p><a class="button" href="${location}">${language.text('return.continue')}</a></p>
`);
  return noticePage({
    name: 'signed-out',
    language,
    title: language.text('signedOut.title'),
    content: html`<p>${language.text('signedOut.text')}</p>
${lines}`,
  });
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">
`;
}
