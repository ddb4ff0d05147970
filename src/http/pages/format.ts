/** Renders applications, sensitivities, addresses, and text of unknown direction. */
import type { CatalogueScope } from '../../engine/index.js';
import type { Application } from '../../service/index.js';
import { type Html, html } from './page.js';
import type { PageLanguage } from './page-language.js';

/** Renders a sensitivity as a colored tag. */
export function sensitivityTag(sensitivity: CatalogueScope['sensitivity'], language: PageLanguage): Html {
  return html`<span class="tag" data-level="${sensitivity}">${language.text(`sensitivity.${sensitivity}`)}</span>`;
}

/** Returns the origin of a redirect URI, which is an http or https URL. */
export function originOf(redirectUri: string): string {
  return /^[a-z]+:\/\/[^/?#]*/i.exec(redirectUri)?.[0] ?? '';
}

/** Renders text of unknown direction, such as a name, isolated from the text around it. */
export function isolated(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** Renders an address from left to right, also within Arabic text. */
export function address(text: string): Html {
  return html`<bdi class="address" dir="ltr">${text}</bdi>`;
}

/** Renders an application: its logo or first letter, its name, its organization. */
export function applicationLine(application: Application, language: PageLanguage): Html {
  const { name, organizationId, organizationName = organizationId, logoUri } = application;
  const logo =
    logoUri === undefined
      ? html`<span class="monogram" aria-hidden="true">${firstLetter(name)}</span>`
      : html`<img class="monogram" src="${logoUri}" alt="" width="44" height="44">`;
  return html`<div class="row">
${logo}
<div><strong class="who">${isolated(name)}</strong><span class="quiet small">${language.html('app.of', { organization: isolated(organizationName) })}</span></div>
</div>`;
}

/** Renders links to the privacy policy and the terms of an application; empty if it has neither. */
export function applicationLinks({ policyUri, tosUri }: Application, language: PageLanguage): Html {
  const links = [
    ...(policyUri === undefined ? [] : [[policyUri, language.text('app.privacy')] as const]),
    ...(tosUri === undefined ? [] : [[tosUri, language.text('app.terms')] as const]),
  ];
  if (links.length === 0) return html``;
  return html`<p class="row wrap small">${links.map(
    ([uri, text]) => html`<a href="${uri}" target="_blank" rel="noopener noreferrer">${text}</a>`,
  )}</p>
`;
}

function firstLetter(name: string): string {
  const [letter = '·'] = name.match(/[\p{L}\p{N}]/u) ?? [];
  return letter.toLocaleUpperCase('en');
}
