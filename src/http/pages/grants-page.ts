/** The grants page: a person's grants to applications, with buttons to end and to restore them (S120). */
import type {
  ApplicationAccess,
  ApplicationLedger,
  ServiceCatalogue,
  SignedIn,
} from '../../service/index.js';
import type { RouteResponse } from '../routes/route.js';
import { sharedCondition } from './condition-lines.js';
import { applicationLine, applicationLinks, isolated, sensitivityTag } from './format.js';
import { learnedSection } from './learned-section.js';
import { type Html, html, page } from './page.js';
import type { PageLanguage } from './page-language.js';
import type { MessageName } from './page-texts.js';

/** Why a form had no effect, and the page is shown again: an undo came too late, or the form belongs to another session. */
export type GrantsNotice = 'too_late' | 'outdated';

const NOTICES: Readonly<Record<GrantsNotice, { readonly status: number; readonly text: MessageName }>> = {
  too_late: { status: 409, text: 'grants.tooLate' },
  outdated: { status: 403, text: 'page.outdated' },
};

export interface GrantsPageData {
  readonly language: PageLanguage;
  readonly person: SignedIn;
  readonly accesses: readonly ApplicationAccess[];
  /** What each application has learned, by client id. */
  readonly ledgers: ReadonlyMap<string, ApplicationLedger>;
  /** Whether what applications learn is recorded. */
  readonly isRecorded: boolean;
  readonly catalogue: ServiceCatalogue;
  /** The CSRF token of the forms. */
  readonly csrfToken: string;
  readonly notice: GrantsNotice | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Renders the page: a card for each application with access, with a button to end it; a notice for each recent end, with a button to undo it. */
export function grantsPage(data: GrantsPageData): RouteResponse {
  const { language, person, accesses, csrfToken, isRecorded } = data;
  const notice = data.notice && NOTICES[data.notice];
  const title = language.text('grants.title');
  const inState = (state: ApplicationAccess['state']) => accesses.filter((access) => access.state === state);
  const [withdrawn, active, ended] = [inState('withdrawn'), inState('active'), inState('ended')];
  const body = html`<div class="grants stack stack-wide">
<div class="stack stack-tight">
<h1>${title}</h1>
<p class="lead">${language.text('grants.lead')}</p>
${isRecorded ? html`` : html`<p class="quiet">${language.text('learned.off')}</p>\n`}</div>
${notice === undefined ? html`` : html`<p class="notice" role="alert">${language.text(notice.text)}</p>`}
<div class="stack" role="status">${withdrawn.map((access) => undoNotice(access, data))}</div>
${active.length === 0 ? html`<p class="card quiet">${language.text(withdrawn.length === 0 ? 'grants.none' : 'grants.noneElse')}</p>` : html`<ul class="cards" role="list">${active.map((access) => activeCard(access, data))}</ul>`}
${ended.length === 0 ? html`` : endedList(ended, data)}
<p class="quiet small"><a href="${language.keepIn('/my-data')}">${language.text('data.link')}</a></p>
</div>`;
  const headerEnd = html`<form class="row" method="post" action="${language.keepIn('/grants')}">
<input type="hidden" name="proof" value="${csrfToken}">
<span>${language.html('grants.signedIn', { person: html`<strong class="person">${isolated(person.person.name)}</strong>` })}</span>
<button class="button button-quiet button-small" name="action" value="sign_out">${language.text('grants.signOut')}</button>
</form>`;
  return page({
    language,
    isGrantsPage: true,
    hasImages: accesses.some(({ application }) => application.logoUri !== undefined),
    status: notice?.status ?? 200,
    title,
    content: body,
    headerEnd,
    stylesheets: ['pages.css'],
    scripts: ['pages.js'],
  });
}

function undoNotice(
  { application, undoUntil = 0 }: ApplicationAccess,
  { language, csrfToken, now }: GrantsPageData,
): Html {
  const left = Math.max(1, Math.ceil((undoUntil - now) / 1_000));
  return html`<form class="notice undo" method="post" action="${language.keepIn('/grants')}" data-undo="${String(left)}" data-once>
${hidden(csrfToken, application.clientId)}
<span>${language.html('grants.withdrawn', { app: html`<strong>${isolated(application.name)}</strong>` })}</span>
<span class="row"><button class="button button-small" name="action" value="undo" aria-label="${language.text('grants.undoWith', { app: application.name })}">${language.text('grants.undo')}</button>
<span class="quiet small">${language.text('grants.undoLeft', { seconds: left })}</span></span>
</form>`;
}

function activeCard(access: ApplicationAccess, data: GrantsPageData): Html {
  const { language, catalogue, csrfToken } = data;
  const { application, scopes, conditions, since, lastUsedAt } = access;
  return html`<li class="card stack">
${applicationLine(application, language)}
<ul class="shared-scopes" role="list">${scopes.map((scope) => sharedScope(scope, data))}${conditions.map((condition) => sharedCondition(condition, catalogue, language))}</ul>
<dl class="facts facts-row">
<div><dt>${language.text('grants.since')}</dt><dd>${language.day(since)}</dd></div>
<div><dt>${language.text('grants.used')}</dt><dd>${lastUsedAt === undefined ? language.text('grants.unused') : language.day(lastUsedAt)}</dd></div>
</dl>
${applicationLinks(application, language)}${learned(access, data)}<form method="post" action="${language.keepIn('/grants')}" data-once>
${hidden(csrfToken, application.clientId)}
<button class="button button-wide" name="action" value="end" aria-label="${language.text('grants.endWith', { app: application.name })}">${language.text('grants.end')}</button>
</form>
</li>
`;
}

function sharedScope(scope: string, { catalogue, language }: GrantsPageData): Html {
  const sensitivity = catalogue.sensitivityOf([scope]);
  return html`<li><span>${language.scope(scope, catalogue).displayName}</span>${sensitivity === undefined ? html`` : sensitivityTag(sensitivity, language)}</li>`;
}

/** Renders what an application has learned, with a button to delete the record. */
function learned({ application: { clientId, name } }: ApplicationAccess, data: GrantsPageData): Html {
  const { language, ledgers, csrfToken } = data;
  const ledger = ledgers.get(clientId);
  if (ledger === undefined) return html``;
  const form = html`<form method="post" action="${language.keepIn('/grants')}" data-once>
${hidden(csrfToken, clientId)}
<button class="button button-quiet button-small" name="action" value="forget" aria-label="${language.text('learned.deleteOf', { app: name })}">${language.text('learned.delete')}</button>
</form>`;
  return learnedSection(ledger, form, data);
}

function endedList(ended: readonly ApplicationAccess[], data: GrantsPageData): Html {
  const { language } = data;
  return html`<section class="stack stack-tight"><h2>${language.text('grants.ended')}</h2>
<ul class="over" role="list">${ended.map(
    (access) =>
      html`<li><bdi>${access.application.name}</bdi><span class="quiet small">${language.html('grants.period', { from: language.day(access.since), to: language.day(access.endedAt ?? access.since) })}</span>${learned(access, data)}</li>`,
  )}</ul></section>`;
}

function hidden(csrfToken: string, clientId: string): Html {
  return html`<input type="hidden" name="proof" value="${csrfToken}">
<input type="hidden" name="client_id" value="${clientId}">`;
}
