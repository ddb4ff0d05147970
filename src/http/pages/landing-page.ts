/** The landing page of the service: what it is, and links for developers and for people who share claims. */
import { BASE_PATH, type RouteResponse } from '../routes/route.js';
import { type Html, html, page } from './page.js';

export interface LandingPageData {
  readonly isSandbox: boolean;
  /** Whether the playground is served. */
  readonly hasPlayground: boolean;
}

/** Renders the landing page. */
export function landingPage({ isSandbox, hasPlayground }: LandingPageData): RouteResponse {
  const links = [
    ...(hasPlayground
      ? [
          link(
            '/playground',
            'Playground',
            'Write a policy and see the result for sample people as you type.',
          ),
        ]
      : []),
    link(
      '/grants',
      'What you share',
      'See which apps have access to information about you, and stop sharing.',
    ),
    link(
      `${BASE_PATH}/.well-known/openid-configuration`,
      'Discovery document',
      'Endpoints and capabilities, for OAuth 2.0 and OpenID Connect clients (JSON).',
    ),
    link(
      `${BASE_PATH}/openapi.json`,
      'API description',
      'Every endpoint, as an OpenAPI 3.1 document (JSON).',
    ),
  ];
  const content = html`<div class="narrow stack stack-wide">
<div class="stack stack-tight">
<h1>Proviso</h1>
<p class="lead">This service answers one question about a person: do their verified credentials meet this condition? Apps get an answer only with the person’s consent.</p>
</div>
${isSandbox ? html`<p class="notice">This is a sandbox: its people and their credentials are fictional.</p>` : html``}
<ul class="choices" role="list">
${links}</ul>
</div>`;
  return page({
    title: 'Welcome',
    data: content,
    stylesheets: ['pages.css'],
    // The response to other clients is JSON.
    headers: { Vary: 'Accept' },
  });
}

function link(path: string, title: string, description: string): Html {
  return html`<li><a class="choice" href="${path}"><strong>${title}</strong><span class="quiet small">${description}</span></a></li>
`;
}
