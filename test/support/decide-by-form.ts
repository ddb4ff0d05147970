/** Consent pages and their forms by `fetch`, without a browser. */

/** The decision of a person. */
export interface Decision {
  readonly action?: 'approve' | 'deny';
  /** The name of a sample person. */
  readonly person?: string;
}

/**
 * Follows an authorization request to the consent page and decides. Returns the redirect URL; with `isFormPost`, the page whose form posts
 * the response.
 */
export function decideByForm(
  authorizationUrl: string | URL,
  decision: Decision & { readonly isFormPost: true },
): Promise<Response>;
export function decideByForm(authorizationUrl: string | URL, decision?: Decision): Promise<URL>;
export async function decideByForm(
  authorizationUrl: string | URL,
  {
    action = 'approve',
    person = 'ada',
    isFormPost = false,
  }: Decision & { readonly isFormPost?: boolean } = {},
): Promise<URL | Response> {
  const pending = await fetch(authorizationUrl, { redirect: 'manual' });
  const cookie = (pending.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const consent = { page: pending.headers.get('location') ?? '', cookie };
  const shown = await showPage(consent);
  // Sensitive scopes require a palm verification first (V6).
  const palm = action === 'approve' && shown.includes('value="palm"');
  const verified = palm ? await press(consent, shown, { action: 'palm', person }) : undefined;
  const page = verified === undefined ? shown : await showPage(consent);
  const decided = await press(consent, page, { action, person });
  if (isFormPost) return decided;
  if (decided.status !== 303)
    throw new Error(`the consent page must redirect (got status ${decided.status})`);
  return new URL(decided.headers.get('location') ?? '');
}

interface Consent {
  readonly page: string;
  readonly cookie: string;
}

async function showPage({ page, cookie }: Consent): Promise<string> {
  return await (await fetch(page, { headers: { Cookie: cookie } })).text();
}

/** Submits the form of a page with every box ticked. */
function press(
  { page, cookie }: Consent,
  markup: string,
  pressed: Readonly<Record<string, string>>,
): Promise<Response> {
  const form = new URLSearchParams(pressed);
  for (const [, name, value] of markup.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]+)">/g)) {
    form.set(name ?? '', value ?? '');
  }
  for (const [, name] of markup.matchAll(/<input type="checkbox" name="([^"]+)"/g))
    form.set(name ?? '', 'on');
  const { origin } = new URL(page);
  return fetch(`${origin}/consent`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookie, Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: form,
  });
}
