/** What the catalogue and the clock say, in words for everybody. */
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

/** How sensitive something is, as a word that has its colour. */
export function sensitivityTag(sensitivity: CatalogueScope['sensitivity']): Html {
  return html`<span class="tag" data-level="${sensitivity}">${SENSITIVITY_WORDS[sensitivity]}</span>`;
}

/** The day of an instant. @param at - Epoch milliseconds. */
export function dayOf(at: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${DAY.format(at)}</time>`;
}

/** The time of day of an instant. @param at - Epoch milliseconds. */
export function timeOf(at: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${TIME.format(at)} UTC</time>`;
}

/** A scope's name for people; its own name where the catalogue has no words for it. */
export function scopeName(scope: string, catalogue: ServiceCatalogue): string {
  return catalogue.findScope(scope)?.displayName ?? scope;
}

/** The origin that a redirect URI leads to: where a person finds themselves afterwards. */
export function originOf(redirectUri: string): string {
  return /^[a-z]+:\/\/[^/?#]*/i.exec(redirectUri)?.[0] ?? '';
}

/** An application as a person sees it first: its letter, its name, its organisation. */
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
