/** Renders conditions on the pages: what an application would learn, what it would not, and why it asks (S293). */
import { type DescribedItem, describeQuery, type QueryDescription } from '../../describe/index.js';
import {
  type Condition,
  LIMITS_OF_ACCEPTED_QUERIES,
  queryOf,
  type ServiceCatalogue,
} from '../../service/index.js';
import { isolated } from './format.js';
import { type Html, html } from './page.js';
import type { PageLanguage } from './page-language.js';
import { type LineContext, requestedLine } from './requested-lines.js';

/** Prefix of the form fields of conditions, which are numbered in the order of the request. */
const CONDITION_FIELD_PREFIX = 'condition.';

/** Returns the name of the form field of a condition. */
export function conditionField(index: number): string {
  return `${CONDITION_FIELD_PREFIX}${index}`;
}

/** Renders one line for each requested condition, with a check box if `selection` is defined. */
export function conditionLines(
  requested: readonly Condition[],
  { catalogue, language, selection }: LineContext,
): readonly Html[] {
  return requested.map((condition, index) => {
    const { learned, notLearnedText } = describe(condition, catalogue, language);
    return requestedLine({
      id: `about-condition-${index}`,
      field: conditionField(index),
      name: html`${learned.text}`,
      tag: html``,
      about: html`${itemList(learned)}<p>${language.text('condition.answer')} ${notLearnedText}</p>
<p>${language.html('page.labeled', { label: html`<span class="quiet">${language.text('app.purpose')}</span>`, value: isolated(condition.purpose) })}</p>`,
      more: html``,
      selection,
    });
  });
}

/** Renders a granted condition. */
export function sharedCondition(
  condition: Condition,
  catalogue: ServiceCatalogue,
  language: PageLanguage,
): Html {
  const { learned } = describe(condition, catalogue, language);
  return html`<li><div><span>${learned.text}</span>${itemList(learned)}</div><span class="tag">${language.text('condition.tag')}</span></li>`;
}

function describe(
  condition: Condition,
  { definition: catalogue }: ServiceCatalogue,
  { locale }: PageLanguage,
): QueryDescription {
  return describeQuery(queryOf(condition), { catalogue, locale, limits: LIMITS_OF_ACCEPTED_QUERIES });
}

/** Renders the items of a description as a nested list; nothing if it has no items. */
export function itemList({ items }: DescribedItem): Html {
  if (items.length === 0) return html``;
  return html`<ul class="question small">${items.map((item) => html`<li>${item.text}${itemList(item)}</li>`)}</ul>
`;
}
