/** The frame of every page, in HTML whose values are escaped, and what its browser may do with it: nothing from anywhere else (S63, S64). */
import type { RouteResponse } from '../routes/route.js';
import { type AssetName, assetUrl } from './assets.js';

/** What a page is made of. */
export interface PageParts {
  /** 200 where absent. */
  readonly status?: number;
  /** Of the document; the heading is the content's own. */
  readonly title: string;
  /** What stands in `main`. */
  readonly data: Html;
  /** Beside the design's own. */
  readonly stylesheets?: readonly AssetName[];
  readonly scripts?: readonly AssetName[];
  /** What stands at the end of the page's head line: who is signed in. */
  readonly masthead?: Html;
  /** What the browser may be sent on to after a form of the page: sources of the policy (CSP3 §2.3.1). */
  readonly formTargets?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a page's browser may do beyond what every page's may. */
export interface PolicyParts {
  readonly formTargets?: readonly string[];
  /** Whether scripts may ask this origin for more. */
  readonly connects?: boolean;
  /** Names of the policies that scripts may make; none where absent. */
  readonly trustedTypes?: readonly string[];
}

const MARK = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><rect width="24" height="24" rx="6" fill="currentColor"/><path class="brand-tick" d="m7 12.5 3.4 3.4L17 9" fill="none" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** A page as an answer, with the policy that its browser holds it to. */
export function page(parts: PageParts): RouteResponse {
  const {
    status = 200,
    title,
    data: content,
    stylesheets = [],
    scripts = [],
    masthead = html``,
    headers,
  } = parts;
  const { markup } = html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Proviso</title>
<link rel="icon" href="${assetUrl('mark.svg')}" type="image/svg+xml">
${(['design.css', ...stylesheets] as const).map((name) => html`<link rel="stylesheet" href="${assetUrl(name)}">\n`)}${scripts.map((name) => html`<script src="${assetUrl(name)}" defer></script>\n`)}</head>
<body>
<a class="skip button" href="#main">Skip to the content</a>
<div class="shell">
<header class="masthead"><span class="brand">${MARK} Proviso</span>${masthead}</header>
<main id="main" tabindex="-1">
${content}
</main>
<footer class="foot"><span>Nothing is shared unless you say so.</span><a href="/grants">See what you share</a></footer>
</div>
</body>
</html>
`;
  return { kind: 'page', status, headers: { ...pageHeaders(parts), ...headers }, html: markup };
}

/** The source of a policy that allows forms to lead to an origin. The policy has no addresses of IPv6: there only the scheme is named. */
export function formTargetOf(origin: string): string {
  return origin.includes('[') ? 'http:' : origin;
}

/**
 * The headers of a page: its policy, and who may frame it, open it or learn where it came from. No `unsafe-…` stands in the policy, and
 * no script turns text into markup or code (Trusted Types).
 */
export function pageHeaders({
  formTargets = [],
  connects = false,
  trustedTypes = [],
}: PolicyParts = {}): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    ...(connects ? ["connect-src 'self'"] : []),
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes.length === 0 ? "'none'" : trustedTypes.join(' ')}`,
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  };
}

/** HTML as text, where everything that comes from outside is escaped (S63). */

/** Markup that is safe to send; made by {@link html} only. */
export interface Html {
  readonly markup: string;
}

/** A template whose values are escaped, unless they are markup themselves. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  const markup = parts.map((part, index) => part + toMarkup(values[index] ?? '')).join('');
  return { markup };
}

function toMarkup(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escapeText(value);
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
