/** The sign-in page of a deployment with several OpenID Connect providers: the choice of one. */
import type { ProviderChoice } from '../../service/index.js';
import type { Headers } from '../request-context.js';
import type { RouteResponse } from '../routes/route.js';
import { isolated } from './format.js';
import { html, page } from './page.js';
import type { PageLanguage } from './page-language.js';

export interface ProvidersPageData {
  readonly language: PageLanguage;
  /** The providers, with the path that begins a sign-in there. */
  readonly choices: readonly (ProviderChoice & { readonly location: string })[];
  /** Whether the person must be verified by palm there. */
  readonly palm: boolean;
  readonly headers: Headers;
}

/** Renders the choice. */
export function providersPage({ language, choices, palm, headers }: ProvidersPageData): RouteResponse {
  const title = language.text('page.signIn');
  const links = choices.map(
    ({
      name,
      location,
    }) => html`<li><a class="choice" href="${language.keepIn(location)}"><strong>${isolated(name)}</strong></a></li>
`,
  );
  return page({
    language,
    title,
    content: html`<div class="narrow stack stack-wide">
<div class="stack stack-tight">
<h1>${title}</h1>
<p class="lead">${language.text(palm ? 'providers.palm' : 'providers.account')}</p>
</div>
<ul class="choices" role="list">
${links}</ul>
</div>`,
    stylesheets: ['pages.css'],
    headers,
  });
}
