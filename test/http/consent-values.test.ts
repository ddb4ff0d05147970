/** What the consent page shows of the application and of the person: logo, links, and the person's own values (S384, S385). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revealedClaims } from '../../src/describe/hidden-claims.js';
import { authorizationQuery, authorize } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;
let origin: string;

beforeAll(async () => {
  started = await startService();
  origin = new URL(started.url).origin;
});

afterAll(() => started.stop());

/** Posts a form of a page with the cookies of a browser. */
function post(path: string, cookie: string, form: Readonly<Record<string, string>>) {
  const headers = { Cookie: cookie, Origin: origin };
  return fetch(`${origin}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(form),
  });
}

const proofOf = (text: string) => /name="proof" value="([^"]+)"/.exec(text)?.[1] ?? '';

/** Signs a person in with a new browser session, and returns its cookies. */
async function signIn(person: string): Promise<string> {
  const page = await fetch(`${origin}/sign-in`);
  const first = page.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const response = await post('/sign-in', first.join('; '), { proof: proofOf(await page.text()), person });
  return [...first, ...response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])].join('; ');
}

/** Opens the consent page of an authorization request, in the browser with these cookies or in a new one. */
async function openConsent(
  cookie: string | undefined,
  changes: Readonly<Record<string, string | undefined>>,
) {
  const response = await authorize(started, authorizationQuery(changes), cookie);
  const location = response.headers.get('location') ?? '';
  const cookies = cookie ?? (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const page = await fetch(location, { headers: { Cookie: cookies } });
  const policy = page.headers.get('content-security-policy') ?? '';
  return { text: await page.text(), policy, location, cookies };
}

describe('a requested scope on the consent page', () => {
  // V4
  it('names the other requested scopes that cover all of its claims', async () => {
    const { text } = await openConsent(undefined, { scope: 'email identity:read kyc:read' });
    const about = (index: number) =>
      new RegExp(`<div id="about-${index}" [\\s\\S]*?</div>\n`).exec(text)?.[0] ?? '';
    const included = 'This information is also part of: Who you are.';
    expect(about(0)).toContain(included);
    expect([about(1), about(2)].map((line) => line.includes('is also part of'))).toEqual([false, false]);
    const alone = await openConsent(undefined, { scope: 'email kyc:read' });
    expect(alone.text).not.toContain('is also part of');
  });
});

describe('the consent page lists as not shared', () => {
  /** Returns the HTML of the section `What is not shared`; an empty string without it. */
  async function notShared(scope: string): Promise<string> {
    const { text } = await openConsent(undefined, { scope });
    return /<summary>What is not shared<\/summary>([\s\S]*?)<\/details>/.exec(text)?.[1] ?? '';
  }

  it('a sensitive scope that is not requested', async () => {
    expect(await notShared('identity:read')).toContain('Your address');
  });

  it('no scope whose claims are part of a requested one, such as the postal code of an address', async () => {
    const listed = await notShared('identity:address_full');
    expect(listed).toContain('Your legal name');
    expect(listed).not.toContain('Your postal code');
  });

  it('no scope that covers a claim whose value follows from the answer to a condition', async () => {
    const listed = async (operator: string, value: string) => {
      const query = { check: { claim: 'identity.date_of_birth', operator, value } };
      const details = [{ type: 'claims_condition', query, purpose: 'To know.' }];
      const changes = { client_id: 'sandbox-conditions', authorization_details: JSON.stringify(details) };
      const { text } = await openConsent(undefined, { ...changes, scope: undefined });
      return /<summary>What is not shared<\/summary>([\s\S]*?)<\/details>/.exec(text)?.[1] ?? '';
    };
    expect(await listed('<=', '2000-01-01')).toContain('Your date of birth');
    expect(await listed('==', '2000-01-01')).not.toContain('Your date of birth');
    expect(await listed('==', '2000-01-01')).toContain('Anything that no ticked item includes');
  });

  it('scopes that it finds by reading each claim of the catalogue a fixed number of times', () => {
    const claim = { type: 'integer', scope: 'club:read', sensitivity: 'low', description: 'Level.' } as const;
    const readsOf = (count: number) => {
      let reads = 0;
      const claims = Array.from({ length: count }, (_, index) => ({
        ...claim,
        get path() {
          reads += 1;
          return `club.level_${index}`;
        },
      }));
      expect(revealedClaims(claims, claims).size).toBe(count);
      return reads;
    };
    expect(readsOf(200)).toBe(2 * readsOf(100));
  });
});

// S384
describe('the consent page of an application', () => {
  it('shows its logo as part of the page, and links to its privacy policy and terms', async () => {
    const { text, policy } = await openConsent(undefined, {});
    expect(text).toContain('<img class="monogram" src="data:image/svg+xml;base64,');
    for (const name of ['privacy', 'terms'])
      expect(text).toContain(
        `<a href="https://harbour.example/${name}" target="_blank" rel="noopener noreferrer">`,
      );
    expect(text).toContain('Harbour Payments Ltd');
    expect(policy).toContain("img-src 'self' data:;");
  });

  it('without a logo and links shows neither, and allows no embedded images (`data:`)', async () => {
    const { text, policy } = await openConsent(undefined, { client_id: 'sandbox-post' });
    expect(text).not.toMatch(/<img|noreferrer/);
    expect(policy).toContain("img-src 'self';");
  });
});

// S385
describe('the values on the consent page', () => {
  const SCOPE = 'identity:read identity:legal_name';

  it('are those of the signed-in person, sensitive ones after palm verification only', async () => {
    const cookie = await signIn('ada');
    const before = await openConsent(cookie, { scope: SCOPE });
    expect(before.text).toContain('<li>Your nationality: <bdi>Portugal</bdi></li>');
    expect(before.text).not.toContain('Ferreira');
    const id = new URL(before.location).searchParams.get('authorization_id') ?? '';
    const form = { proof: proofOf(before.text), authorization_id: id, action: 'palm' };
    expect((await post('/consent', cookie, form)).status).toBe(303);
    const after = await fetch(before.location, { headers: { Cookie: cookie } });
    expect(await after.text()).toContain('Your legal name: <bdi>“Ada Ferreira Lopes”</bdi>');
  });

  it('are not shared by a form with an unknown action, and the error names the allowed ones', async () => {
    const cookie = await signIn('ada');
    const { text, location } = await openConsent(cookie, { scope: SCOPE });
    const id = new URL(location).searchParams.get('authorization_id') ?? '';
    const form = { proof: proofOf(text), authorization_id: id, action: 'other' };
    const response = await post('/consent', cookie, form);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('/action: `action` must be one of `approve`, `deny`, `palm`.');
  });

  it('are samples, marked as such, if nobody is signed in or the application names another person', async () => {
    const nobody = await openConsent(undefined, { scope: SCOPE });
    const other = await openConsent(await signIn('ada'), { scope: SCOPE, login_hint: 'ines' });
    for (const { text } of [nobody, other]) {
      expect(text).toContain('Example, not yours');
      expect(text).not.toContain('<bdi>Portugal</bdi>');
    }
  });

  it('are shown in the language of the page', async () => {
    const { text } = await openConsent(await signIn('ada'), { scope: 'identity:read', ui_locales: 'fr' });
    expect(text).toContain('Votre pays de résidence : <bdi>Portugal</bdi>');
  });
});
