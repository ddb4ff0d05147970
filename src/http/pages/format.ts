/** Formats values of the catalogue and instants for people. */
import type { CatalogueScope } from '../../engine/index.js';
import type { Application, ServiceCatalogue } from '../../service/index.js';
import { type Html, html } from './page.js';

const SENSITIVITY_WORDS: Readonly<Record<CatalogueScope['sensitivity'], string>> = {
  low: 'Everyday',
  medium: 'Personal',
  high: 'Sensitive',
  critical: 'Very sensitive',
};

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });

/** Renders a sensitivity as a colored tag. */
export function sensitivityTag(sensitivity: CatalogueScope['sensitivity']): Html {
  return html`<span class="tag" data-level="${sensitivity}">${SENSITIVITY_WORDS[sensitivity]}</span>`;
}

/** Renders the day of an instant. @param at - Epoch milliseconds. */
export function dayOf(at: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${DAY.format(at)}</time>`;
}

/** Renders the time of day of an instant. @param at - Epoch milliseconds. */
export function timeOf(at: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${TIME.format(at)} UTC</time>`;
}

/** Returns the display name of a scope; its name if the catalogue has none. */
export function scopeName(scope: string, catalogue: ServiceCatalogue): string {
  return catalogue.findScope(scope)?.displayName ?? scope;
}

/** Returns the origin of a redirect URI. */
export function originOf(redirectUri: string): string {
  return /^[a-z]+:\/\/[^/?#]*/i.exec(redirectUri)?.[0] ?? '';
}

/** Renders an application: its first letter, its name, its organization. */
export function applicationLine({ name, organizationId }: Application): Html {
  return html`<div class="row">
<span class="monogram" aria-hidden="true">${firstLetter(name)}</span>
<div><strong class="who"><bdi>${name}</bdi></strong><span class="quiet small">of <bdi>${organizationId}</bdi></span></div>
</div>`;
}

function firstLetter(name: string): string {
  const [letter = '·'] = name.match(/[\p{L}\p{N}]/u) ?? [];
  return letter.toLocaleUpperCase('en');
}
