/** The grants page: a person's grants to applications, with buttons to end and to restore them (S120). */
import type { ApplicationAccess, ServiceCatalogue, SignedIn } from '../../service/index.js';
import type { RouteResponse } from '../routes/route.js';
import { sharedCondition } from './condition-lines.js';
import { applicationLine, dayOf, scopeName, sensitivityTag, timeOf } from './format.js';
import { type Html, html, page } from './page.js';

export interface GrantsPageData {
  readonly person: SignedIn;
  readonly accesses: readonly ApplicationAccess[];
  readonly catalogue: ServiceCatalogue;
  /** The CSRF token of the forms. */
  readonly csrfToken: string;
  /** Whether an undo came too late. */
  readonly tooLate: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Renders the page: a card with a button to end the grant for each application, and a notice with a button to undo for each ended recently. */
export function grantsPage(data: GrantsPageData): RouteResponse {
  const { person, accesses, csrfToken, tooLate } = data;
  const inState = (state: ApplicationAccess['state']) => accesses.filter((access) => access.state === state);
  const [withdrawn, active, ended] = [inState('withdrawn'), inState('active'), inState('ended')];
  const body = html`<div class="grants stack stack-wide">
<div class="stack stack-tight">
<h1>What you share</h1>
<p class="lead">The apps that may see information about you. You can stop sharing at any time, with immediate effect.</p>
</div>
${tooLate ? html`<p class="notice" role="alert">It is too late to undo this. To share again, start again in the app.</p>` : html``}
<div class="stack" role="status">${withdrawn.map((access) => undoNotice(access, data))}</div>
${active.length === 0 ? html`<p class="card quiet">You share nothing with ${withdrawn.length === 0 ? 'anyone' : 'anyone else'}. Apps that you share with appear here.</p>` : html`<ul class="cards" role="list">${active.map((access) => activeCard(access, data))}</ul>`}
${ended.length === 0 ? html`` : endedList(ended)}
</div>`;
  const masthead = html`<form class="row" method="post" action="/grants">
<input type="hidden" name="proof" value="${csrfToken}">
<span>Signed in as <strong class="person"><bdi>${person.person.name}</bdi></strong></span>
<button class="button button-quiet button-small" name="action" value="sign_out">Sign out</button>
</form>`;
  return page({
    status: tooLate ? 409 : 200,
    title: 'What you share',
    data: body,
    masthead,
    stylesheets: ['pages.css'],
    scripts: ['pages.js'],
  });
}

function undoNotice(
  { application, undoUntil = 0 }: ApplicationAccess,
  { csrfToken, now }: GrantsPageData,
): Html {
  const left = Math.max(1, Math.ceil((undoUntil - now) / 1_000));
  return html`<form class="notice undo" method="post" action="/grants" data-undo="${String(left)}" data-once>
${hidden(csrfToken, application.clientId)}
<span><strong><bdi>${application.name}</bdi></strong> no longer has access.</span>
<span class="row"><button class="button button-small" name="action" value="undo" aria-label="Undo: share with ${application.name} again">Undo</button>
<span class="quiet small">until ${timeOf(undoUntil)}</span></span>
</form>`;
}

function activeCard(access: ApplicationAccess, { catalogue, csrfToken }: GrantsPageData): Html {
  const { application, scopes, conditions, since, lastUsedAt } = access;
  return html`<li class="card stack">
${applicationLine(application)}
<ul class="shared-scopes" role="list">${scopes.map((scope) => sharedScope(scope, catalogue))}${conditions.map((condition) => sharedCondition(condition, catalogue))}</ul>
<dl class="facts facts-row">
<div><dt>Since</dt><dd>${dayOf(since)}</dd></div>
<div><dt>Last access</dt><dd>${lastUsedAt === undefined ? html`Not yet` : dayOf(lastUsedAt)}</dd></div>
</dl>
<form method="post" action="/grants" data-once>
${hidden(csrfToken, application.clientId)}
<button class="button button-wide" name="action" value="end" aria-label="Stop sharing with ${application.name}">Stop sharing</button>
</form>
</li>
`;
}

function sharedScope(scope: string, catalogue: ServiceCatalogue): Html {
  const sensitivity = catalogue.sensitivityOf([scope]);
  return html`<li><span>${scopeName(scope, catalogue)}</span>${sensitivity === undefined ? html`` : sensitivityTag(sensitivity)}</li>`;
}

function endedList(ended: readonly ApplicationAccess[]): Html {
  return html`<section class="stack stack-tight"><h2>No longer shared</h2>
<ul class="over" role="list">${ended.map(
    ({ application, since, endedAt }) =>
      html`<li><bdi>${application.name}</bdi><span class="quiet small">${dayOf(since)} to ${dayOf(endedAt ?? since)}</span></li>`,
  )}</ul></section>`;
}

function hidden(csrfToken: string, clientId: string): Html {
  return html`<input type="hidden" name="proof" value="${csrfToken}">
<input type="hidden" name="client_id" value="${clientId}">`;
}
