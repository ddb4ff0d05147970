/** Renders conditions on the pages: what an application would learn, and why it asks (S293). */
import type { Check, JsonValue, OperatorName, PolicyItem } from '../../engine/index.js';
import { combinationOf } from '../../engine/query/query.js';
import { type Condition, queryOf, type ServiceCatalogue } from '../../service/index.js';
import { type Html, html } from './page.js';

/** Prefix of the form fields of conditions, which are numbered in the order of the request. */
const CONDITION_FIELD_PREFIX = 'condition.';

/** Returns the name of the form field of a condition. */
export function conditionField(index: number): string {
  return `${CONDITION_FIELD_PREFIX}${index}`;
}

/** Renders one line with a checkbox for each requested condition. */
export function conditionLines(
  requested: readonly Condition[],
  ticked: readonly Condition[],
  catalogue: ServiceCatalogue,
): readonly Html[] {
  return requested.map((condition, index) => {
    const about = `about-condition-${index}`;
    const checked = ticked.includes(condition) ? html` checked` : html``;
    return html`<li class="scope">
<label class="scope-line"><input type="checkbox" name="${conditionField(index)}" aria-describedby="${about}"${checked}><span class="scope-name"><bdi>${describeCondition(condition, catalogue)}</bdi></span></label>
<div class="scope-about stack stack-tight">
<div id="${about}" class="stack stack-tight">
<p><span class="quiet">Purpose, in their words</span> <bdi>${condition.purpose}</bdi></p>
<p>They learn yes or no, as often as they ask, and nothing else.</p>
</div>
</div>
</li>
`;
  });
}

/** Renders a granted condition. */
export function sharedCondition(condition: Condition, catalogue: ServiceCatalogue): Html {
  return html`<li><span><bdi>${describeCondition(condition, catalogue)}</bdi></span><span class="tag">Yes or no</span></li>`;
}

/** Describes the question of a condition: “Whether your age is at least 18”. */
function describeCondition(condition: Condition, catalogue: ServiceCatalogue): string {
  return `Whether ${describeItem(queryOf(condition), catalogue)}`;
}

function describeItem(item: PolicyItem, catalogue: ServiceCatalogue): string {
  if ('check' in item) return describeCheck(item.check, catalogue);
  const [kind, items] = combinationOf(item.policy);
  const parts = items.map((inner) => {
    const text = describeItem(inner, catalogue);
    return 'check' in inner ? text : `(${text})`;
  });
  switch (kind) {
    case 'allOf':
      return parts.join(', and ');
    case 'anyOf':
      return parts.join(', or ');
    case 'not':
      return `it is not so that ${parts.join('')}`;
  }
}

const PHRASES: Readonly<Record<OperatorName, string>> = {
  '==': 'is',
  '!=': 'is known and is not',
  '>': 'is more than',
  '>=': 'is at least',
  '<': 'is less than',
  '<=': 'is at most',
  in: 'is one of',
  notIn: 'is known and is none of',
  contains: 'contains',
  startsWith: 'starts with',
  matchRegex: 'matches the pattern',
  isDefined: 'is known',
};

function describeCheck({ claim, operator, value }: Check, catalogue: ServiceCatalogue): string {
  const last = claim.slice(claim.lastIndexOf('.') + 1).replaceAll('_', ' ');
  const label = catalogue.findClaim(claim)?.displayName ?? last;
  const phrase = `your ${label} ${PHRASES[operator]}`;
  return value === undefined ? phrase : `${phrase} ${describeValue(value)}`;
}

function describeValue(value: JsonValue): string {
  if (typeof value === 'string') return `“${value}”`;
  if (Array.isArray(value)) return value.map(describeValue).join(', ');
  return JSON.stringify(value);
}
