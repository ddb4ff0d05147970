/** The sign-in page of the sandbox: a choice of sample people (V1). */
import type { Person } from '../../service/index.js';
import type { RouteResponse } from '../routes/route.js';
import { html, page } from './page.js';

export interface SignInPageData {
  /** The sample people to choose from; empty in production. */
  readonly people: readonly Person[];
  /** The CSRF token of the form. */
  readonly csrfToken: string;
  /** The pending authorization; empty if there is none. */
  readonly authorizationId: string;
  /** Whether the previous attempt failed. */
  readonly rejected: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Renders the sign-in page. */
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
<p class="lead">${people.length === 0 ? 'You cannot sign in on this page. Go back to the app and start again.' : 'These are sample people for testing. Choose one to sign in.'}</p>
</div>
${rejected ? html`<p class="notice" role="alert">Unknown person. Please choose again.</p>` : html``}
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
