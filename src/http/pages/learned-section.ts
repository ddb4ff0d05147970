/** Renders what an application has learned about a person: answers, shown values, and what follows from the answers (S360, S361, S366). */
import { describeFacts, describeQuery } from '../../describe/index.js';
import {
  type ApplicationLedger,
  inferredQuery,
  type LearnedAnswer,
  LIMITS_OF_ACCEPTED_QUERIES,
  queryOf,
  type ServiceCatalogue,
} from '../../service/index.js';
import { itemList } from './condition-lines.js';
import { type Html, html } from './page.js';
import type { PageLanguage } from './page-language.js';

interface SectionContext {
  readonly catalogue: ServiceCatalogue;
  readonly language: PageLanguage;
}

/** Maximum number of answers shown; further ones are only counted. */
const MAX_ANSWERS = 20;

/** Renders the section. @param form - The form with the button that deletes the record. */
export function learnedSection(
  { answers, values, inferred, moreAbout }: ApplicationLedger,
  form: Html,
  context: SectionContext,
): Html {
  const { language, catalogue } = context;
  const facts = inferred.flatMap((known) => {
    const query = inferredQuery(known, catalogue);
    return query === undefined ? [] : describeFacts(query, optionsOf(context)).facts;
  });
  const more = answers.length - MAX_ANSWERS;
  return html`<details class="learned">
<summary>${language.text('learned.summary')}</summary>
<div class="stack stack-tight">
${list(
  language.text('learned.inferred'),
  facts.map((fact) => html`<li>${fact.text}${itemList(fact)}</li>`),
)}${list(
  language.text('learned.values'),
  values.map(
    ({ claim, lastAt }) =>
      html`<li>${claimName(claim, context)} <span class="quiet">${language.day(lastAt)}</span></li>`,
  ),
)}${list(
  language.text('learned.answers'),
  answers.slice(0, MAX_ANSWERS).map((answer) => answeredQuestion(answer, context)),
)}${more > 0 ? html`<p class="small">${language.text('learned.more', { count: more })}</p>\n` : html``}${list(
  language.text('learned.moreAbout'),
  moreAbout.map((claim) => html`<li>${claimName(claim, context)}</li>`),
)}<p class="quiet small">${language.text('learned.note')}</p>
${form}
</div>
</details>
`;
}

function list(title: string, items: readonly Html[]): Html {
  if (items.length === 0) return html``;
  return html`<p class="small"><strong>${title}</strong></p>
<ul class="question small">${items}</ul>
`;
}

function answeredQuestion({ query, passed, lastAt, changes }: LearnedAnswer, context: SectionContext): Html {
  const { language } = context;
  const { learned } = describeQuery(queryOf({ query }), optionsOf(context));
  const when = language.html('learned.when', { day: language.day(lastAt), changes });
  return html`<li>${learned.text}${itemList(learned)} <strong>${language.text(passed ? 'learned.yes' : 'learned.no')}</strong> <span class="quiet">${when}</span></li>`;
}

/** Returns the name of a claim, as in the description of a query that discloses its value. */
function claimName(claim: string, context: SectionContext): string {
  return describeQuery({ projections: [{ claim, lens: 'pluck' }] }, optionsOf(context)).learned.text;
}

function optionsOf({ catalogue, language: { locale } }: SectionContext) {
  return { catalogue: catalogue.definition, locale, limits: LIMITS_OF_ACCEPTED_QUERIES };
}
