/** The consent page: application, purpose, requested scopes, and both decisions with equal weight. Works without scripts (S67). */
import type { AuthorizationDetail, Person, ServiceCatalogue, SignedIn } from '../../service/index.js';
import type { RouteResponse } from '../routes/route.js';
import { conditionLines } from './condition-lines.js';
import { applicationLine, originOf, timeOf } from './format.js';
import { formTargetOf, type Html, html, page } from './page.js';
import { hiddenClaims, scopeLines } from './scope-lines.js';

/** Why the form is shown again. */
export type ConsentNotice =
  | { readonly kind: 'nothing_ticked' }
  /** The form was rendered for another person, or before a sign-in or sign-out. */
  | { readonly kind: 'outdated' };

export interface ConsentPageData extends AuthorizationDetail {
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
  /** Origins of the external sign-in, to which the form may redirect; otherwise empty. */
  readonly signInOrigins: readonly string[];
}

const NOTICES: Readonly<Record<ConsentNotice['kind'], Notice>> = {
  nothing_ticked: {
    status: 400,
    title: 'Nothing is selected',
    text: 'Nothing is selected. Select what you want to share, or press “Do not share”.',
  },
  outdated: {
    status: 403,
    title: 'This page was out of date',
    text: 'This page was out of date: someone signed in or out since it was opened. Nothing was shared. Check that the name below is yours, then decide again.',
  },
};

interface Notice {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** Renders the decision, or palm verification first if it is required and pending (V6). */
export function consentPage(data: ConsentPageData): RouteResponse {
  const { authorization, application, requiresPalmVerification } = data;
  const destination = originOf(authorization.redirectUri);
  const needsPalm = requiresPalmVerification && !data.palmVerified;
  const notice = data.notice && NOTICES[data.notice.kind];
  const heading = html`Share with <bdi>${application.name}</bdi>?`;
  const content = html`<div class="consent">
<section class="asker stack" aria-label="Who is asking">
<h1>${heading}</h1>
<p class="lead">Nothing is shared until you agree.</p>
<div class="card stack">
${applicationLine(application)}
<dl class="facts">
${application.purpose === undefined ? html`` : html`<dt>Purpose, in their words</dt><dd><bdi>${application.purpose}</bdi></dd>`}
<dt>Afterwards you return to</dt><dd><bdi class="address">${destination}</bdi></dd>
<dt>How long</dt><dd>${howLong(data)}</dd>
<dt>This request expires at</dt><dd>${timeOf(authorization.requestExpiresAt)}</dd>
</dl>
</div>
</section>
<form class="card stack stack-wide" method="post" action="/consent" data-once>
<input type="hidden" name="authorization_id" value="${authorization.id}">
<input type="hidden" name="proof" value="${data.csrfToken}">
${requiresPalmVerification ? steps(needsPalm) : html``}
${notice === undefined ? html`` : html`<p class="notice" role="alert">${notice.text}</p>`}
${needsPalm ? palmStep(data) : decision(data)}
</form>
</div>`;
  return page({
    status: notice?.status ?? 200,
    title: notice?.title ?? `Share with ${application.name}?`,
    data: content,
    stylesheets: ['pages.css'],
    scripts: ['pages.js'],
    formTargets: [formTargetOf(destination), ...data.signInOrigins],
  });
}

function howLong({ application, refreshDays }: ConsentPageData): Html {
  // A confidential application can get tokens as long as the grant exists.
  return application.secretHash === undefined && application.keys === undefined
    ? html`Until you end it, but at most ${String(refreshDays)} days without asking you again`
    : html`Until you end it`;
}

function steps(first: boolean): Html {
  const step = (name: string, current: boolean, done: boolean) =>
    html`<li${current ? html` aria-current="step"` : done ? html` data-done` : html``}>${name}${done ? html` <span class="visually-hidden">(done)</span>` : html``}</li>`;
  return html`<ol class="steps" aria-label="Two steps">
${[step('Show that it is you', first, !first), step('Decide', !first, false)]}
</ol>`;
}

function palmStep(data: ConsentPageData): Html {
  return html`<div class="palm stack">
<svg viewBox="0 0 64 64" width="88" height="88" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"><path d="M20 34V16a4 4 0 0 1 8 0v14V11a4 4 0 0 1 8 0v19-16a4 4 0 0 1 8 0v20-9a4 4 0 0 1 8 0v15c0 11-7 18-17 18-8 0-12-4-15-9l-8-13a4 4 0 0 1 7-4l3 5"/><path class="palm-line" d="M27 44c3-5 9-8 16-7M29 50c4-4 8-5 12-5"/></svg>
<h2>Show that it is you</h2>
<p>Some of the requested information is sensitive. Hold your palm to the reader, so that nobody else can share it for you. In the next
step you see what is requested, and you can still say no.</p>
${data.people.length > 0 ? html`<p class="quiet small">The sandbox has no reader: just press the button.</p>` : html``}
</div>
${personField(data)}
<div class="actions">
<button class="button" name="action" value="deny" formnovalidate>Do not share</button>
<button class="button" name="action" value="palm">Verify my palm</button>
</div>`;
}

function decision(data: ConsentPageData): Html {
  const { authorization, application, catalogue, notice } = data;
  const { requestedScopes, requestedConditions = [] } = authorization;
  const isNothingTicked = notice?.kind === 'nothing_ticked';
  return html`<fieldset class="stack">
<legend><h2>What <bdi>${application.name}</bdi> would ${requestedScopes.length === 0 ? 'learn' : 'see'}</h2></legend>
<p class="quiet">Clear the boxes of everything that you do not want to share.</p>
<ul class="scopes" role="list">
${scopeLines(requestedScopes, isNothingTicked ? [] : requestedScopes, catalogue)}${conditionLines(requestedConditions, isNothingTicked ? [] : requestedConditions, catalogue)}
</ul>
</fieldset>
<div class="well promises">
<section class="stack stack-tight"><h3>What is not shared</h3>
${hiddenClaims(authorization.requestedScopes, catalogue)}
</section>
<section class="stack stack-tight"><h3>How to stop sharing</h3>
<p class="small">Open <a href="/grants" target="_blank">What you share</a> at any time and press <em>Stop sharing</em>. It ends immediately, and you need no reason.</p>
</section>
</div>
${personField(data)}
<div class="actions">
<button class="button" name="action" value="deny" formnovalidate>Do not share</button>
<button class="button" name="action" value="approve">Share</button>
</div>
<p class="quiet small count" data-count aria-live="polite"></p>`;
}

/**
 * Renders the signed-in person, unless the application named another person; otherwise, in the sandbox, a choice of people. If the application
 * named an unknown person, nobody is preselected, so that its hint cannot lead to the claims of another person.
 */
function personField({ people, person, hinted, authorization }: ConsentPageData): Html {
  const { id, loginHint: hint, palmVerifiedPersonId: verified } = authorization;
  const isUnknown = hint !== undefined && hinted === undefined && people.length > 0;
  const notice = isUnknown
    ? html`<p class="notice">The application asked for a person who does not exist here: <bdi>${hint}</bdi></p>
`
    : html``;
  if (person !== undefined && (hinted === undefined || hinted.id === person.person.id)) {
    return html`${notice}<p class="row who-shares"><span>You are <strong class="person"><bdi>${person.person.name}</bdi></strong></span>
<a href="/sign-in?authorization_id=${id}">Not you?</a></p>`;
  }
  if (people.length === 0) return html``;
  const preselectedId = verified ?? hinted?.id;
  const options = people.map(
    ({ id: personId, name, about }) =>
      html`<option value="${name}"${personId === preselectedId ? html` selected` : html``}>${name}: ${about}</option>
`,
  );
  const placeholder = html`<option value="" selected>Choose a person</option>
`;
  return html`${notice}<p><label class="field"><span>You are</span><select name="person" required>
${isUnknown && preselectedId === undefined ? placeholder : html``}${options}</select></label></p>`;
}
