/** The sign-in page: a choice of people, which are the sample people in the sandbox; a notice if there are none (V1). */
import type { Person } from '../../service/index.js';
import type { RouteResponse } from '../routes/route.js';
import { isolated } from './format.js';
import { html, page } from './page.js';
import type { PageLanguage } from './page-language.js';

export interface SignInPageData {
  readonly language: PageLanguage;
  /** The people to choose from; empty if people authenticate elsewhere. */
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
  const { language, people, csrfToken, authorizationId, rejected, headers } = data;
  const title = language.text('signIn.title');
  const choices = people.map(
    ({ name, about }) => html`<li><button class="choice" name="person" value="${name}">
<strong class="person">${isolated(name)}</strong><span class="quiet small" lang="en" dir="auto">${about}</span></button></li>
`,
  );
  const content = html`<div class="narrow stack stack-wide">
<div class="stack stack-tight">
<h1>${title}</h1>
<p class="lead">${language.text(people.length === 0 ? 'signIn.closed' : 'signIn.lead')}</p>
</div>
${rejected ? html`<p class="notice" role="alert">${language.text('signIn.rejected')}</p>` : html``}
<form method="post" action="${language.keepIn('/sign-in')}" data-once>
<input type="hidden" name="proof" value="${csrfToken}">
<input type="hidden" name="authorization_id" value="${authorizationId}">
<ul class="choices" role="list">
${choices}</ul>
</form>
</div>`;
  return page({
    language,
    status: rejected ? 400 : 200,
    title,
    content,
    stylesheets: ['pages.css'],
    scripts: ['pages.js'],
    headers,
  });
}
