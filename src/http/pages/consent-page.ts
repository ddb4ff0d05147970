/** The consent page: application, purpose, what it requests, and both decisions with equal weight. Works without scripts (S67). */
import type { JsonValue } from '../../engine/index.js';
import type { AuthorizationDetail, Person, ServiceCatalogue, SignedIn } from '../../service/index.js';
import { MS_PER_MINUTE } from '../../util/time.js';
import type { RouteResponse } from '../routes/route.js';
import { applicationLimit } from './answer-limits.js';
import { conditionLines } from './condition-lines.js';
import { address, applicationLine, applicationLinks, isolated, originOf } from './format.js';
import { formTargetOf, type Html, html, page } from './page.js';
import type { PageLanguage } from './page-language.js';
import type { MessageName } from './page-texts.js';
import { areAnswersOnly, hiddenClaims, scopeLines } from './scope-lines.js';

/** Why the form is shown again. */
export type ConsentNotice =
  | { readonly kind: 'nothing_ticked' }
  /** The form was rendered for another person, or before a sign-in or sign-out. */
  | { readonly kind: 'outdated' };

export interface ConsentPageData extends AuthorizationDetail {
  readonly language: PageLanguage;
  readonly catalogue: ServiceCatalogue;
  /** The sample people to choose from in the sandbox; otherwise empty. */
  readonly people: readonly Person[];
  /** The person among these whom `login_hint` names. */
  readonly hinted: Person | undefined;
  /** The person signed in at this browser. */
  readonly person?: SignedIn | undefined;
  /** Whether the palm of the person who decides was verified. */
  readonly palmVerified: boolean;
  /** The CSRF token of the form. */
  readonly csrfToken: string;
  /** How long a public application has access without asking again, in days. */
  readonly refreshDays: number;
  readonly notice: ConsentNotice | undefined;
  /** The fields that the person submitted, if the form is shown again. */
  readonly sent?: ReadonlyMap<string, string> | undefined;
  /** The person's claims, by path; absent if nobody is signed in. */
  readonly values: ReadonlyMap<string, JsonValue> | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

const NOTICES: Readonly<Record<ConsentNotice['kind'], Notice>> = {
  nothing_ticked: { status: 400, title: 'consent.nothingTitle', text: 'consent.nothing' },
  outdated: { status: 403, title: 'consent.outdatedTitle', text: 'consent.outdated' },
};

interface Notice {
  readonly status: number;
  readonly title: MessageName;
  readonly text: MessageName;
}

/** Renders the request and the buttons for the decision. While a required palm verification is missing, its button takes the place of approval (V6). */
export function consentPage(data: ConsentPageData): RouteResponse {
  const { language, authorization, application, catalogue, requiresPalmVerification } = data;
  const { requestedScopes, requestedConditions = [] } = authorization;
  const destination = originOf(authorization.redirectUri);
  const needsPalm = requiresPalmVerification && !data.palmVerified;
  const notice = data.notice && NOTICES[data.notice.kind];
  const app = isolated(application.name);
  // A form that is shown again keeps what the person selected.
  const ticked = data.sent === undefined ? 'all' : new Set(data.sent.keys());
  const selection = needsPalm ? undefined : ticked;
  const lines = { catalogue, language, selection, values: data.values } as const;
  const request = { application, conditions: requestedConditions, catalogue, language };
  const grants = html`<a href="${language.keepIn('/grants')}" target="_blank">${language.text('grants.title')}</a>`;
  // Enter in a check box presses the first button of the form. This one does nothing: outside a dialog, the method `dialog` submits nothing (HTML;
  // all browsers since 2022). So Enter does not decide by accident. A disabled button would not prevent that, since Chromium skips it.
  const content = html`<form class="consent" method="post" action="${language.keepIn('/consent')}" data-once>
<button hidden formmethod="dialog" formnovalidate></button>
<input type="hidden" name="authorization_id" value="${authorization.id}">
<input type="hidden" name="proof" value="${data.csrfToken}">
<section class="requester stack" aria-label="${language.text('consent.requester')}">
<h1>${language.html('consent.title', { app })}</h1>
<div class="card stack">
${applicationLine(application, language)}
${
  application.purpose === undefined
    ? html``
    : html`<p><span class="quiet small block">${language.text('app.purpose')}</span>${isolated(application.purpose)}</p>
`
}${applicationLinks(application, language)}</div>
</section>
<div class="card asked stack">
${notice === undefined ? html`` : html`<p class="notice" role="alert">${language.text(notice.text)}</p>`}${hintNotice(data)}
<fieldset class="stack stack-tight">
<legend><h2>${language.html(areAnswersOnly(requestedScopes, request) ? 'consent.learns' : 'consent.sees', { app })}</h2></legend>
${requestedScopes.length === 0 ? html`` : applicationLimit(request)}${needsPalm ? html`` : html`<p class="quiet">${language.text('consent.clear')}</p>`}
<ul class="scopes" role="list">
${conditionLines(requestedConditions, lines)}${scopeLines(requestedScopes, { ...lines, request })}
</ul>
</fieldset>
<details class="well"><summary>${language.text('consent.hidden')}</summary>
${hiddenClaims(requestedScopes, requestedConditions, catalogue, language)}
</details>
</div>
<div class="terms stack stack-tight">
<dl class="facts">
<dt>${language.text('consent.duration')}</dt><dd>${howLong(data)}</dd>
<dt>${language.text('consent.return')}</dt><dd>${address(destination)}</dd>
<dt>${language.text('consent.expiry')}</dt><dd>${timeLeft(data)}</dd>
</dl>
<p class="quiet small">${language.html('consent.stop', { grants })}</p>
</div>
<section class="decision" aria-label="${language.text('consent.decide')}">
${personField(data)}
${needsPalm ? palmNotice(data) : html`<p class="quiet small count" data-count="${language.text('consent.count', { selected: SELECTED, total: TOTAL })}" aria-live="polite"></p>`}
<div class="actions">
<button class="button" name="action" value="deny" formnovalidate>${language.text('consent.deny')}</button>
${needsPalm ? html`<button class="button" name="action" value="palm">${language.text('consent.verify')}</button>` : html`<button class="button" name="action" value="approve">${language.text('consent.share')}</button>`}
</div>
</section>
</form>`;
  return page({
    language,
    status: notice?.status ?? 200,
    title: language.text(notice?.title ?? 'consent.title', { app: application.name }),
    content,
    stylesheets: ['pages.css'],
    scripts: ['pages.js'],
    formTargets: [formTargetOf(destination)],
    hasImages: application.logoUri !== undefined,
  });
}

/** Placeholders that the script of the page replaces with numbers. */
const SELECTED = '%1';
const TOTAL = '%2';

function howLong({ application, refreshDays, language }: ConsentPageData): string {
  // A confidential application can get tokens as long as the grant exists.
  return application.secretHash === undefined && application.keys === undefined
    ? language.text('consent.untilAsked', { days: refreshDays })
    : language.text('consent.untilEnded');
}

/** Renders how long the request is open: a duration, since the time zone of the person is unknown. */
function timeLeft({ authorization, now, language }: ConsentPageData): Html {
  const minutes = Math.max(1, Math.floor((authorization.requestExpiresAt - now) / MS_PER_MINUTE));
  const until = new Date(authorization.requestExpiresAt).toISOString();
  return html`<time datetime="${until}">${language.text('consent.minutes', { minutes })}</time>`;
}

function palmNotice({ language, people }: ConsentPageData): Html {
  const hint = people.length > 0 ? html` ${language.text('consent.palmSandbox')}` : html``;
  return html`<p class="small palm-notice">${language.text('consent.palm')}${hint}</p>`;
}

/** Renders a notice if `login_hint` names an unknown person. Not in the decision section, which is sticky: a hint can be long. */
function hintNotice(data: ConsentPageData): Html {
  const hint = unknownHint(data);
  return hint === undefined
    ? html``
    : html`<p class="notice">${data.language.html('consent.unknownHint', { hint: isolated(hint) })}</p>`;
}

/** Returns `login_hint` if it names none of the people to choose from. */
function unknownHint({ authorization, people, hinted }: ConsentPageData): string | undefined {
  return hinted === undefined && people.length > 0 ? authorization.loginHint : undefined;
}

/**
 * Renders the signed-in person, unless `login_hint` names another sample person; otherwise, in the sandbox, a choice of people. If `login_hint` names an
 * unknown person, only a person who was already chosen or verified is preselected, so that the hint does not lead to the claims of another person.
 */
function personField(data: ConsentPageData): Html {
  const { language, people, person, hinted, authorization, sent } = data;
  const { id, palmVerifiedPersonId: verified } = authorization;
  if (person !== undefined && (hinted === undefined || hinted.id === person.person.id)) {
    const name = html`<strong class="person">${isolated(person.person.name)}</strong>`;
    return html`<p class="row who-shares"><span>${language.html('page.you', { person: name })}</span>
<a href="${language.keepIn(`/sign-in?authorization_id=${id}`)}">${language.text('consent.other')}</a></p>`;
  }
  if (people.length === 0) return html``;
  // The person who was chosen on this page, if any.
  const chosenId = person?.authorizationId === id ? person.person.id : undefined;
  const preselectedId = chosenId ?? verified ?? hinted?.id;
  const chosen = sent?.get('person');
  const options = people.map(
    ({ id: personId, name }) =>
      html`<option value="${name}"${(chosen === undefined ? personId === preselectedId : name === chosen) ? html` selected` : html``}>${name}</option>
`,
  );
  const placeholder = html`<option value="" selected>${language.text('consent.choose')}</option>
`;
  return html`<p><label class="field"><span>${language.text('consent.person')}</span><select name="person" required>
${unknownHint(data) !== undefined && preselectedId === undefined ? placeholder : html``}${options}</select></label></p>`;
}
