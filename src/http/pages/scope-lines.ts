/** Renders the requested scopes with their descriptions, and the information that is not shared (S67). */
import { ClaimNames } from '../../describe/claim-names.js';
import { disclosedClaims, revealedClaims } from '../../describe/hidden-claims.js';
import { capitalize } from '../../describe/message-formatter.js';
import { ValueFormatter } from '../../describe/value-formatter.js';
import {
  type CatalogueClaim,
  type CatalogueScope,
  type JsonValue,
  SENSITIVITIES,
  type Sensitivity,
} from '../../engine/index.js';
import { type Condition, isCoveredBy, queryOf, type ServiceCatalogue } from '../../service/index.js';
import { type AnswerLimits, answerLimits, type LimitedRequest } from './answer-limits.js';
import { isolated, sensitivityTag } from './format.js';
import { type Html, html } from './page.js';
import type { PageLanguage } from './page-language.js';
import { type LineContext, requestedLine } from './requested-lines.js';

/** Prefix of the form fields of scopes: a scope may have the name of another field. */
export const SCOPE_FIELD_PREFIX = 'scope.';

/** Maximum number of values below a scope, the most sensitive first; all are in its details. */
const MAX_VALUES = 4;

/** Maximum number of hidden scopes that are named. */
const MAX_NAMED = 5;

/** Renders one line for each requested scope. */
export function scopeLines(
  requested: readonly string[],
  { request, ...lines }: LineContext & { readonly request: LimitedRequest },
): readonly Html[] {
  const { catalogue, language, selection } = lines;
  const names = new ClaimNames(catalogue.definition.claims, language.language);
  const covering = requested.map((scope) => ({ scope, covered: new Set(claimsOf(scope, catalogue)) }));
  return covering.map(({ scope, covered }, index) => {
    const { displayName, description, example } = language.scope(scope, catalogue);
    const sensitivity = catalogue.sensitivityOf([scope]);
    const claims = [...covered];
    const limits = answerLimits(scope, claims, request);
    const named = namedValues(claims, limits, names, lines);
    const included = includedIn(scope, claims, covering, names, lines);
    return requestedLine({
      id: `about-${index}`,
      field: `${SCOPE_FIELD_PREFIX}${scope}`,
      name: html`${displayName}`,
      tag: sensitivity === undefined ? html`` : sensitivityTag(sensitivity, language),
      about: html`${description === '' ? html`` : html`<p>${description}</p>`}${included}${limits.sentences.map((sentence) => html`<p>${sentence}</p>`)}${preview(named, limits.withheld.size === 0 ? example : undefined, lines)}`,
      more: details(named, displayName, lines),
      selection,
    });
  });
}

/** Names the other requested scopes that cover all claims of a scope; empty if there are none, or if no boxes are shown. */
function includedIn(
  scope: string,
  claims: readonly CatalogueClaim[],
  covering: readonly { readonly scope: string; readonly covered: ReadonlySet<CatalogueClaim> }[],
  names: ClaimNames,
  { catalogue, language, selection }: LineContext,
): Html {
  if (selection === undefined || claims.length === 0) return html``;
  const including = covering.filter(
    (other) => other.scope !== scope && claims.every((claim) => other.covered.has(claim)),
  );
  if (including.length === 0) return html``;
  const scopes = new ValueFormatter(names, language.language).list(
    including.map((other) => language.scope(other.scope, catalogue).displayName),
  );
  return html`<p>${language.text('scope.included', { scopes })}</p>`;
}

/** Renders what an application would see: the person's values, otherwise the example of the catalogue, marked as not theirs. */
function preview(
  named: readonly NamedValue[],
  example: string | undefined,
  { language, values }: LineContext,
): Html {
  if (values === undefined) {
    if (example === undefined) return html``;
    const label = html`<span class="quiet">${language.text('scope.example')}</span>`;
    return html`<p class="example">${language.html('page.labeled', { label, value: isolated(example) })}</p>`;
  }
  // Boolean values are shown in the details. A scope with one claim has no details, so its value is shown here.
  const shown = named
    .filter(({ isFlag, value }) => value !== undefined && !(isFlag && named.length > 1))
    .sort((one, other) => levelOf(other) - levelOf(one));
  if (shown.length === 0) return html``;
  return html`<div class="example"><span class="quiet">${language.text('scope.yours')}</span>
<ul>${shown.slice(0, MAX_VALUES).map((each) => claimItem(each, language))}</ul></div>`;
}

/** The label of a claim, with the person's value if it is known and may be shown in a line. */
interface NamedValue {
  readonly label: string;
  readonly value: string | undefined;
  readonly isFlag: boolean;
  readonly sensitivity: Sensitivity;
}

/** Returns each claim with its label. Values that are withheld, or too complex for a line, are left out. */
function namedValues(
  claims: readonly CatalogueClaim[],
  { withheld }: AnswerLimits,
  names: ClaimNames,
  { language, values }: LineContext,
): readonly NamedValue[] {
  const formatter = new ValueFormatter(names, language.language);
  const format = (value: JsonValue, claim: CatalogueClaim) =>
    claim.type === 'datetime' ? formatter.bound(value, claim) : formatter.value(value, claim);
  return claims.map((claim) => {
    const value = withheld.has(claim.path) ? undefined : values?.get(claim.path);
    return {
      label: capitalize(names.label(claim.path), language),
      value: value === undefined || typeof value === 'object' ? undefined : format(value, claim),
      isFlag: claim.type === 'boolean',
      sensitivity: claim.sensitivity,
    };
  });
}

function levelOf({ sensitivity }: NamedValue): number {
  return SENSITIVITIES.indexOf(sensitivity);
}

function claimItem({ label, value }: NamedValue, language: PageLanguage): Html {
  const text =
    value === undefined
      ? html`${label}`
      : language.html('page.labeled', { label: html`${label}`, value: isolated(value) });
  return html`<li>${text}</li>`;
}

/** Renders the labels of a scope's claims, with the person's values. */
function details(named: readonly NamedValue[], name: string, { language }: LineContext): Html {
  if (named.length < 2) return html``;
  return html`<details><summary>${language.text('scope.claims', { count: named.length })}<span class="visually-hidden">: ${name}</span></summary>
<ul class="small">${named.map((each) => claimItem(each, language))}</ul></details>`;
}

/** Whether an application would see answers about scopes, and no values. */
export function areAnswersOnly(scopes: readonly string[], request: LimitedRequest): boolean {
  return scopes.every((scope) => {
    const claims = claimsOf(scope, request.catalogue);
    return answerLimits(scope, claims, request).withheld.size === claims.length;
  });
}

/** Returns the claims that scopes cover and whose values the person may see now: sensitive ones after palm verification only. */
export function visiblePaths(
  scopes: readonly string[],
  palmVerified: boolean,
  catalogue: ServiceCatalogue,
): readonly string[] {
  const isSensitive = ({ sensitivity }: CatalogueClaim) =>
    sensitivity === 'high' || sensitivity === 'critical';
  const isCovered = isCoveredBy(scopes, catalogue.scopes);
  return catalogue.definition.claims
    .filter((claim) => isCovered(claim.path) && (palmVerified || !isSensitive(claim)))
    .map(({ path }) => path);
}

function claimsOf(scope: string, { definition, scopes }: ServiceCatalogue): readonly CatalogueClaim[] {
  const isCovered = isCoveredBy([scope], scopes);
  return definition.claims.filter(({ path }) => isCovered(path));
}

/** Renders the information that is not shared: the most sensitive scopes that were not requested, and data that is never disclosed. */
export function hiddenClaims(
  requested: readonly string[],
  conditions: readonly Condition[],
  catalogue: ServiceCatalogue,
  language: PageLanguage,
): Html {
  const { claims } = catalogue.definition;
  const isCovered = isCoveredBy(requested, catalogue.scopes);
  // A requested scope may cover claims of other scopes, or reveal them, as an address reveals the postal code. A scope is hidden only if one of its
  // claims is neither covered nor revealed.
  const shared = revealedClaims(
    claims.filter(({ path }) => isCovered(path)),
    claims,
  );
  // The answers to several conditions together may disclose a claim that no single answer discloses.
  const answered =
    conditions.length === 0
      ? new Set<string>()
      : disclosedClaims({ policy: { allOf: conditions.map(queryOf) } }, claims);
  const hidden = new Set(
    claims.filter(({ path }) => !shared.has(path) && !answered.has(path)).map(({ scope }) => scope),
  );
  const sensitive = catalogue.definition.scopes
    .filter(
      ({ name, sensitivity }) => hidden.has(name) && (sensitivity === 'high' || sensitivity === 'critical'),
    )
    .sort((one, other) => rank(other) - rank(one));
  const named = sensitive.slice(0, MAX_NAMED);
  const more = sensitive.length - named.length;
  return html`<ul class="small kept" role="list">
<li>${language.text('consent.hiddenCleared')}</li>
<li>${language.text('consent.hiddenPalm')}</li>
${named.map(({ name }) => html`<li>${language.scope(name, catalogue).displayName}</li>`)}
${more > 0 ? html`<li>${language.text('consent.hiddenMore', { count: more })}</li>` : html``}
</ul>`;
}

function rank({ sensitivity }: CatalogueScope): number {
  return sensitivity === 'critical' ? 1 : 0;
}
