/** What is asked for, line by line in the catalogue's words, and what is not (S67). */
import type { CatalogueScope } from '../../engine/index.js';
import { coveredClaims, type ServiceCatalogue } from '../../service/index.js';
import { scopeName, sensitivityTag } from './format.js';
import { type Html, html } from './page.js';

/** The form's names of the scopes begin with this: a name stands once in a form. */
export const SCOPE_FIELD_PREFIX = 'scope.';

/** How many of the things that are not asked for are named. */
const MAX_NAMED = 5;

/** One line for each requested scope, with a box to tick. */
export function scopeLines(
  requested: readonly string[],
  ticked: readonly string[],
  catalogue: ServiceCatalogue,
): readonly Html[] {
  return requested.map((scope, index) => scopeLine(scope, index, ticked.includes(scope), catalogue));
}

function scopeLine(scope: string, index: number, ticked: boolean, catalogue: ServiceCatalogue): Html {
  const words = catalogue.findScope(scope);
  const sensitivity = catalogue.sensitivityOf([scope]);
  const about = `about-${index}`;
  const field = `${SCOPE_FIELD_PREFIX}${scope}`;
  const box = html`<input type="checkbox" name="${field}" aria-describedby="${about}"${ticked ? html` checked` : html``}>`;
  const name = html`<span class="scope-name">${scopeName(scope, catalogue)}</span>${sensitivity === undefined ? html`` : sensitivityTag(sensitivity)}`;
  return html`<li class="scope">
<label class="scope-line">${box}${name}</label>
<div class="scope-about stack stack-tight">
<div id="${about}" class="stack stack-tight">
${words === undefined ? html`` : html`<p>${words.description}</p>`}
${words?.example === undefined ? html`` : html`<p class="example"><span class="quiet">For example</span> <bdi>${words.example}</bdi></p>`}
</div>
${details(scope, catalogue)}
</div>
</li>
`;
}

/** Everything that a scope opens, for who wants to know. */
function details(scope: string, catalogue: ServiceCatalogue): Html {
  const isCovered = coveredClaims([scope], catalogue.scopes);
  const claims = catalogue.definition.claims.filter(({ path }) => isCovered(path));
  if (claims.length < 2) return html``;
  return html`<details><summary>All ${String(claims.length)} things in it<span class="visually-hidden">: ${scopeName(scope, catalogue)}</span></summary>
<ul class="small">${claims.map(({ description }) => html`<li>${description}</li>`)}</ul></details>`;
}

/** The most sensitive of what is not asked for, and what nobody is ever told. */
export function hiddenClaims(requested: readonly string[], catalogue: ServiceCatalogue): Html {
  const isCovered = coveredClaims(requested, catalogue.scopes);
  // By the claims, each of which has one scope of its own: another scope may open the same ones.
  const hidden = new Set(
    catalogue.definition.claims.filter(({ path }) => !isCovered(path)).map(({ scope }) => scope),
  );
  const closed = catalogue.definition.scopes
    .filter(
      ({ name, sensitivity }) => hidden.has(name) && (sensitivity === 'high' || sensitivity === 'critical'),
    )
    .sort((one, other) => rank(other) - rank(one));
  const named = closed.slice(0, MAX_NAMED);
  const more = closed.length - named.length;
  return html`<ul class="small kept" role="list">
<li>Anything that you untick</li>
<li>Your palm, and who you are to anybody else</li>
${named.map(({ displayName }) => html`<li>${displayName}</li>`)}
${more > 0 ? html`<li>${String(more)} more sensitive things that nobody asked for</li>` : html``}
</ul>`;
}

function rank({ sensitivity }: CatalogueScope): number {
  return sensitivity === 'critical' ? 1 : 0;
}
