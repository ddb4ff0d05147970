/** The consent page: who asks, for what, and both answers of equal weight; it works without script (S67). */
import type { AuthorizationDetail, ServiceCatalogue, User } from '../../service/index.js';
import type { Answer } from '../routes/route.js';
import { type Html, html } from './html.js';
import { page } from './page.js';

export interface ConsentPageContent extends AuthorizationDetail {
  readonly catalogue: ServiceCatalogue;
  /** Among whom one chooses in the sandbox; nobody elsewhere. */
  readonly people: readonly User[];
  /** Shows that our own page made the form. */
  readonly proof: string;
}

/** The form's names of the scopes begin with this: a name stands once in a form. */
export const SCOPE_FIELD_PREFIX = 'scope.';

/** Asks the person; before that, for palm verification where it is required and not done (V6). */
export function consentPage(asked: ConsentPageContent): Answer {
  const { authorization, application, requiresPalmVerification } = asked;
  const destination = /^[a-z]+:\/\/[^/?#]*/i.exec(authorization.redirectUri)?.[0] ?? '';
  const asksForPalm = requiresPalmVerification && authorization.palmVerifiedAt === undefined;
  const title = `${application.name} asks you to share`;
  const content = html`<div class="narrow stack"><h1>${title}</h1>
<p><bdi>${application.name}</bdi> (${application.organizationId}) would like to see the following about you. You will be sent
back to <bdi>${destination}</bdi>. Nothing is shared until you say so.</p>
<form method="post" action="/consent">
<input type="hidden" name="authorization_id" value="${authorization.id}">
<input type="hidden" name="proof" value="${asked.proof}">
${asksForPalm ? palmStep() : decision(asked)}
</form></div>`;
  return page({ title, content, formTargets: [destination] });
}

function palmStep(): Html {
  return html`<p>Some of it is sensitive, so you have to show first that it is you: hold your palm to the reader. (In the sandbox, press the
button.)</p>
<div class="actions">
<button class="button" name="action" value="palm">Verify my palm</button>
<button class="button" name="action" value="deny">Do not share</button>
</div>`;
}

function decision({ authorization, people, catalogue }: ConsentPageContent): Html {
  return html`<fieldset>
<legend>What would be shared</legend>
${authorization.requestedScopes.map((scope) => scopeLine(scope, catalogue))}
<p class="quiet">Untick what you want to keep to yourself.</p>
</fieldset>
${people.length === 0 ? html`` : choiceOfPerson(people, authorization.loginHint)}
<div class="actions">
<button class="button" name="action" value="approve">Share</button>
<button class="button" name="action" value="deny">Do not share</button>
</div>`;
}

function scopeLine(scope: string, catalogue: ServiceCatalogue): Html {
  const text = catalogue.findScope(scope);
  return html`<label><input type="checkbox" name="${SCOPE_FIELD_PREFIX}${scope}" checked>
<span><strong>${text?.displayName ?? scope}</strong><br>${text?.description ?? ''}</span></label>
`;
}

function choiceOfPerson(people: readonly User[], hint: string | undefined): Html {
  const options = people.map(({ name, about, email }) => {
    const selected = hint !== undefined && (hint === name || hint === email);
    return html`<option value="${name}"${selected ? html` selected` : html``}>${name}: ${about}</option>
`;
  });
  return html`<p><label class="person"><span>You are</span><select name="person">
${options}</select></label></p>`;
}
