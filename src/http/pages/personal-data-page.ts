/** The page where a person downloads or erases the data that the service stores about them, and the page after the erasure. */
import type { Person } from '../../service/index.js';
import type { Headers } from '../request-context.js';
import type { RouteResponse } from '../routes/route.js';
import { isolated } from './format.js';
import { html, noticePage, page } from './page.js';
import type { PageLanguage } from './page-language.js';

/**
 * Why nothing was erased. `rejected`: without confirmation, or too long after the authentication. `outdated`: the form was of another
 * session.
 */
export type PersonalDataNotice = 'rejected' | 'outdated';

export interface PersonalDataPageData {
  readonly language: PageLanguage;
  readonly person: Person;
  /** The CSRF token of the form. */
  readonly csrfToken: string;
  /** Whether the person authenticated recently, which the erasure requires. */
  readonly isRecent: boolean;
  readonly notice: PersonalDataNotice | undefined;
}

/** Renders the page. */
export function personalDataPage(data: PersonalDataPageData): RouteResponse {
  const { language, person, csrfToken, isRecent, notice } = data;
  const title = language.text('data.title');
  const name = html`<strong class="person">${isolated(person.name)}</strong>`;
  const erase = isRecent
    ? html`<form class="stack" method="post" action="${language.keepIn('/my-data')}" data-once>
<input type="hidden" name="proof" value="${csrfToken}">
<p><label class="row"><input type="checkbox" name="confirm" value="erase" required> <span>${language.text('data.confirm')}</span></label></p>
<div class="actions"><button class="button">${language.text('data.eraseButton')}</button></div>
</form>`
    : html`<p><a class="button" href="${language.keepIn('/sign-in?prompt=login')}">${language.text('data.again')}</a></p>`;
  return page({
    language,
    status: notice === undefined ? 200 : notice === 'outdated' ? 403 : 400,
    title,
    content: html`<div class="narrow stack stack-wide">
<div class="stack stack-tight">
<h1>${title}</h1>
<p class="lead">${language.html('data.you', { person: name })}</p>
</div>
${notice === undefined ? html`` : html`<p class="notice" role="alert">${language.text(notice === 'outdated' ? 'page.outdated' : isRecent ? 'data.rejected' : 'data.again')}</p>`}
<section class="card stack">
<h2>${language.text('data.download')}</h2>
<p>${language.text('data.what')}</p>
<div class="actions"><a class="button" href="${language.keepIn('/my-data/export')}">${language.text('data.downloadButton')}</a></div>
</section>
<section class="card stack">
<h2>${language.text('data.erase')}</h2>
<p>${language.text('data.eraseText')}</p>
${erase}
</section>
</div>`,
    stylesheets: ['pages.css'],
    scripts: ['pages.js'],
  });
}

/** Renders the result of the erasure. */
export function erasedPage(language: PageLanguage, headers: Headers): RouteResponse {
  return noticePage({
    name: 'erased',
    language,
    title: language.text('data.erased'),
    content: html`<p>${language.text('data.erasedText')}</p>`,
    headers,
  });
}
