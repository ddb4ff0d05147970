/** Renders the requested scopes with their descriptions, and the information that is not shared (S67). */
import type { CatalogueScope } from '../../engine/index.js';
import { isCoveredBy, type ServiceCatalogue } from '../../service/index.js';
import { scopeName, sensitivityTag } from './format.js';
import { type Html, html } from './page.js';

/** Prefix of the form fields of scopes, since field names must be unique. */
export const SCOPE_FIELD_PREFIX = 'scope.';

/** Maximum number of hidden scopes that are named. */
const MAX_NAMED = 5;

/** Renders one line with a checkbox for each requested scope. */
export function scopeLines(
  requested: readonly string[],
  ticked: readonly string[],
  catalogue: ServiceCatalogue,
): readonly Html[] {
  return requested.map((scope, index) => scopeLine(scope, index, ticked.includes(scope), catalogue));
}

function scopeLine(scope: string, index: number, ticked: boolean, catalogue: ServiceCatalogue): Html {
  const definition = catalogue.findScope(scope);
  const sensitivity = catalogue.sensitivityOf([scope]);
  const about = `about-${index}`;
  const field = `${SCOPE_FIELD_PREFIX}${scope}`;
  const box = html`<input type="checkbox" name="${field}" aria-describedby="${about}"${ticked ? html` checked` : html``}>`;
  const name = html`<span class="scope-name">${scopeName(scope, catalogue)}</span>${sensitivity === undefined ? html`` : sensitivityTag(sensitivity)}`;
  return html`<li class="scope">
<label class="scope-line">${box}${name}</label>
<div class="scope-about stack stack-tight">
<div id="${about}" class="stack stack-tight">
${definition === undefined ? html`` : html`<p>${definition.description}</p>`}
${definition?.example === undefined ? html`` : html`<p class="example"><span class="quiet">For example</span> <bdi>${definition.example}</bdi></p>`}
</div>
${details(scope, catalogue)}
</div>
</li>
`;
}

/** Renders the claims of a scope. */
function details(scope: string, catalogue: ServiceCatalogue): Html {
  const isCovered = isCoveredBy([scope], catalogue.scopes);
  const claims = catalogue.definition.claims.filter(({ path }) => isCovered(path));
  if (claims.length < 2) return html``;
  return html`<details><summary>Show all ${String(claims.length)} items<span class="visually-hidden">: ${scopeName(scope, catalogue)}</span></summary>
<ul class="small">${claims.map(({ description }) => html`<li>${description}</li>`)}</ul></details>`;
}

/** Renders the information that is not shared: the most sensitive scopes that were not requested, and data that is never disclosed. */
export function hiddenClaims(requested: readonly string[], catalogue: ServiceCatalogue): Html {
  const isCovered = isCoveredBy(requested, catalogue.scopes);
  // Found by claims, each of which belongs to one scope, since several scopes may cover a claim.
  const hidden = new Set(
    catalogue.definition.claims.filter(({ path }) => !isCovered(path)).map(({ scope }) => scope),
  );
  const sensitive = catalogue.definition.scopes
    .filter(
      ({ name, sensitivity }) => hidden.has(name) && (sensitivity === 'high' || sensitivity === 'critical'),
    )
    .sort((one, other) => rank(other) - rank(one));
  const named = sensitive.slice(0, MAX_NAMED);
  const more = sensitive.length - named.length;
  return html`<ul class="small kept" role="list">
<li>Anything whose box you clear</li>
<li>Your palm, and your identity in other apps</li>
${named.map(({ displayName }) => html`<li>${displayName}</li>`)}
${more > 0 ? html`<li>${String(more)} more sensitive items that were not requested</li>` : html``}
</ul>`;
}

function rank({ sensitivity }: CatalogueScope): number {
  return sensitivity === 'critical' ? 1 : 0;
}
