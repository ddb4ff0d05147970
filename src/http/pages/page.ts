/** The frame of every page: one style, no script, nothing from anywhere else (S64). */
import { createHash } from 'node:crypto';
import type { Answer } from '../routes/route.js';
import { type Html, html } from './html.js';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 34rem; padding: 2rem 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; }
fieldset { border: 1px solid GrayText; border-radius: 0.5rem; margin: 1.5rem 0; padding: 0.5rem 1rem; }
label { display: flex; gap: 0.75rem; padding: 0.5rem 0; }
input[type='checkbox'] { flex: none; inline-size: 1.25rem; block-size: 1.25rem; }
select, button { font: inherit; padding: 0.6rem 1rem; border-radius: 0.5rem; border: 1px solid GrayText; min-block-size: 2.75rem; }
.person { flex-direction: column; gap: 0.25rem; }
select { inline-size: 100%; min-inline-size: 0; }
.actions { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.quiet { color: GrayText; }
bdi { font-weight: 600; }`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * A page as an answer.
 *
 * @param formTargets - Origins that the browser may be sent on to after a form of the page.
 */
export function page(
  status: number,
  title: string,
  content: Html,
  formTargets: readonly string[] = [],
): Answer {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ];
  const headers = {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  };
  return { kind: 'page', status, headers, html: markup };
}

/** A page that says what went wrong, to a person who can do little about it. */
export function problemPage(status: number, sentence: string, requestId: string): Answer {
  const content = html`<p>${sentence}</p>
<p>Nothing was shared. Go back to where you came from and try again; if it happens once more, tell them this.</p>
<p class="quiet">Request ${requestId}</p>`;
  return page(status, 'This did not work', content);
}
