/** The page that brings a response to the client by a form (OAuth 2.0 Form Post Response Mode, S51). */
import type { Answer } from '../routes/route.js';
import { html } from './html.js';
import { formTargetOf, page } from './page.js';
import { originOf } from './plain-words.js';

/**
 * Shows a form with the response, which a script submits; without script the person presses its button.
 *
 * @param redirectUri - A registered one.
 */
export function formPostPage(redirectUri: string, parameters: Readonly<Record<string, string>>): Answer {
  const destination = originOf(redirectUri);
  const fields = Object.entries(parameters).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  );
  return page({
    title: 'Going back',
    content: html`<form class="narrow card stack" method="post" action="${redirectUri}" data-submit>
<h1>Going back</h1>
<p>You are sent back to <bdi class="address">${destination}</bdi>.</p>
${fields}<div class="row wrap"><button class="button">Continue</button></div>
</form>`,
    stylesheets: ['pages.css'],
    scripts: ['pages.js'],
    formTargets: [formTargetOf(destination)],
  });
}
