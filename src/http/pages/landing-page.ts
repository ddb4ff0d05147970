/** The landing page of the service: what it is, and links for developers and for people who share claims. */
import { BASE_PATH, type RouteResponse } from '../routes/route.js';
import { type Html, html, page } from './page.js';
import type { PageLanguage } from './page-language.js';

export interface LandingPageData {
  readonly language: PageLanguage;
  readonly isSandbox: boolean;
  /** Whether the playground is served. */
  readonly hasPlayground: boolean;
}

/** Renders the landing page. */
export function landingPage({ language, isSandbox, hasPlayground }: LandingPageData): RouteResponse {
  const text = language.text.bind(language);
  const links = [
    ...(hasPlayground
      ? [link('/playground', text('landing.playground'), text('landing.playgroundText'))]
      : []),
    link(language.keepIn('/grants'), text('grants.title'), text('landing.grantsText')),
    link(
      `${BASE_PATH}/.well-known/openid-configuration`,
      text('landing.discovery'),
      text('landing.discoveryText'),
    ),
    link(`${BASE_PATH}/openapi.json`, text('landing.api'), text('landing.apiText')),
  ];
  const content = html`<div class="narrow stack stack-wide">
<div class="stack stack-tight">
<h1>Proviso</h1>
<p class="lead">${text('landing.lead')}</p>
</div>
${isSandbox ? html`<p class="notice">${text('landing.sandbox')}</p>` : html``}
<ul class="choices" role="list">
${links}</ul>
</div>`;
  return page({
    language,
    title: text('landing.title'),
    content,
    stylesheets: ['pages.css'],
    // Clients that do not accept HTML get JSON.
    headers: { Vary: 'Accept, Accept-Language' },
  });
}

function link(path: string, title: string, description: string): Html {
  return html`<li><a class="choice" href="${path}"><strong>${title}</strong><span class="quiet small">${description}</span></a></li>
`;
}
