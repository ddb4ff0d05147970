/** Renders one line for each item that an application requests, with a check box if the person may decide. */
import type { JsonValue } from '../../engine/index.js';
import type { ServiceCatalogue } from '../../service/index.js';
import { type Html, html } from './page.js';
import type { PageLanguage } from './page-language.js';

/** Which boxes are ticked, by the names of their fields; `undefined`: no boxes are shown. */
export type BoxSelection = 'all' | ReadonlySet<string> | undefined;

/** The context that all lines share. */
export interface LineContext {
  readonly catalogue: ServiceCatalogue;
  readonly language: PageLanguage;
  readonly selection: BoxSelection;
  /** The person's claims, by path; absent if nobody is signed in. */
  readonly values: ReadonlyMap<string, JsonValue> | undefined;
}

/** The parts of a line. */
export interface RequestedLine {
  /** The id of the description, to which the box refers. */
  readonly id: string;
  /** The name of the form field. */
  readonly field: string;
  readonly name: Html;
  readonly tag: Html;
  readonly about: Html;
  /** Content below the description. */
  readonly more: Html;
  readonly selection: BoxSelection;
}

/** Renders one line. */
export function requestedLine({ id, field, name, tag, about, more, selection }: RequestedLine): Html {
  const heading = html`<span class="scope-name">${name}</span>${tag}`;
  const checked = selection === 'all' || selection?.has(field) === true ? html` checked` : html``;
  const line =
    selection === undefined
      ? html`<div class="scope-line">${heading}</div>`
      : html`<label class="scope-line"><input type="checkbox" name="${field}" aria-describedby="${id}"${checked}>${heading}</label>`;
  return html`<li class="scope">
${line}
<div class="scope-about stack stack-tight">
<div id="${id}" class="stack stack-tight">
${about}
</div>
${more}
</div>
</li>
`;
}
