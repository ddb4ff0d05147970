/** The sign-in page: in the sandbox, one press says who one is (V1). */
import type { Person } from '../../service/index.js';
import type { RouteResponse } from '../routes/route.js';
import { html, page } from './page.js';

export interface SignInPageData {
  /** Among whom one chooses; nobody where a deployment signs people in elsewhere. */
  readonly people: readonly Person[];
  /** Shows that our own page made the form. */
  readonly csrfToken: string;
  /** The request that waits for the person; empty where there is none. */
  readonly authorizationId: string;
  /** Whether somebody was not recognised just now. */
  readonly rejected: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Asks who one is. */
export function signInPage(data: SignInPageData): RouteResponse {
  const { people, csrfToken, authorizationId, rejected, headers } = data;
  const choices = people.map(
    ({ name, about }) => html`<li><button class="choice" name="person" value="${name}">
<strong class="person"><bdi>${name}</bdi></strong><span class="quiet small">${about}</span></button></li>
`,
  );
  const content = html`<div class="narrow stack stack-wide">
<div class="stack stack-tight">
<h1>Who are you?</h1>
<p class="lead">${people.length === 0 ? 'People sign in elsewhere here. Go back to where you came from.' : 'Everybody here is made up: press one to be them.'}</p>
</div>
${rejected ? html`<p class="notice" role="alert">We do not know this person. Choose again.</p>` : html``}
<form method="post" action="/sign-in" data-once>
<input type="hidden" name="proof" value="${csrfToken}">
<input type="hidden" name="authorization_id" value="${authorizationId}">
<ul class="choices" role="list">
${choices}</ul>
</form>
</div>`;
  return page({
    status: rejected ? 400 : 200,
    title: 'Who are you?',
    data: content,
    stylesheets: ['pages.css'],
    scripts: ['pages.js'],
    headers,
  });
}
