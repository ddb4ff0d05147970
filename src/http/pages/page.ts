/** The layout of all pages, HTML with escaped values, and the content security policy (S63, S64). */
import type { RouteResponse } from '../routes/route.js';
import { type AssetName, assetUrl } from './assets.js';
import type { PageLanguage } from './page-language.js';

/** The parts of a page. */
export interface PageParts {
  readonly language: PageLanguage;
  /** Default: 200. */
  readonly status?: number;
  /** Title of the document; the heading is part of the content. */
  readonly title: string;
  /** The content of `main`. */
  readonly content: Html;
  /** Stylesheets in addition to `design.css`. */
  readonly stylesheets?: readonly AssetName[];
  readonly scripts?: readonly AssetName[];
  /** Content after the brand in the header: the person who is signed in. */
  readonly headerEnd?: Html;
  /** A URL that the browser loads immediately, also without scripts. */
  readonly refresh?: string;
  /** Whether this is the grants page, to which the others link. */
  readonly isGrantsPage?: boolean;
  /** Sources of `form-action` to which forms may redirect (CSP3 §2.3.1). */
  readonly formTargets?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the page contains images, as data URLs. */
  readonly hasImages?: boolean;
}

/** Additions to the content security policy of a page. */
export interface PolicyParts {
  readonly formTargets?: readonly string[];
  /** Whether the page contains images, as data URLs. */
  readonly hasImages?: boolean;
}

const MARK = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><rect width="24" height="24" rx="6" fill="currentColor"/><path class="brand-tick" d="m7 12.5 3.4 3.4L17 9" fill="none" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** Renders a page, with its content security policy. */
export function page(parts: PageParts): RouteResponse {
  const {
    language,
    status = 200,
    title,
    content,
    stylesheets = [],
    scripts = [],
    headerEnd = html``,
    refresh,
    isGrantsPage = false,
    headers,
  } = parts;
  const { markup } = html`<!doctype html>
<html lang="${language.locale}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${refresh === undefined ? html`` : html`<meta http-equiv="refresh" content="0; url=${refresh}">\n`}<title>${title} · Proviso</title>
<link rel="icon" href="${assetUrl('mark.svg')}" type="image/svg+xml">
${(['design.css', ...stylesheets] as const).map((name) => html`<link rel="stylesheet" href="${assetUrl(name)}">\n`)}${scripts.map((name) => html`<script src="${assetUrl(name)}" defer></script>\n`)}</head>
<body>
<a class="skip button" href="#main">${language.text('page.skip')}</a>
<div class="shell">
<header class="masthead"><span class="brand">${MARK} Proviso</span>${headerEnd}</header>
<main id="main" tabindex="-1">
${content}
</main>
<footer class="foot"><span>${language.text('page.promise')}</span>${isGrantsPage ? html`` : html`<a href="${language.keepIn('/grants')}">${language.text('page.grants')}</a>`}</footer>
</div>
</body>
</html>
`;
  return { kind: 'page', status, headers: { ...pageHeaders(parts), ...headers }, html: markup };
}

/** The parts of a page with a notice; `content` follows the heading. */
export interface NoticeParts extends Omit<PageParts, 'stylesheets'> {
  readonly name: string;
}

/** Renders a page with a notice only. */
export function noticePage({ name, ...parts }: NoticeParts): RouteResponse {
  return page({
    ...parts,
    stylesheets: ['pages.css'],
    content: html`<div class="narrow card stack notice-page" data-notice="${name}">
<h1>${parts.title}</h1>
${parts.content}
</div>`,
  });
}

/** Returns the `form-action` source of an origin. CSP does not support IPv6 addresses: for these, the source is `http:`, which also matches https. */
export function formTargetOf(origin: string): string {
  return origin.includes('[') ? 'http:' : origin;
}

/**
 * Returns the security headers of a page. The content security policy has no `unsafe-…` source, and Trusted Types keep scripts from turning
 * strings into markup or code.
 */
export function pageHeaders({
  formTargets = [],
  hasImages = false,
}: PolicyParts = {}): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    `img-src 'self'${hasImages ? ' data:' : ''}`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  };
}

/** Safe markup; created by {@link html} only. */
export interface Html {
  readonly markup: string;
}

/** A template tag that escapes all values except markup (S63). */
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
