/** `login_hint` on the sandbox's consent page: it preselects the named person, or no one if the name is unknown (S59). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authorizationQuery, createPkce } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

/** Begins an authorization request in a new browser. */
async function begin(hint: string | undefined) {
  const query = authorizationQuery({
    scope: 'openid kyc:read',
    code_challenge: createPkce().challenge,
    ...(hint === undefined ? {} : { login_hint: hint }),
  });
  const pending = await fetch(`${started.url}/oauth/authorize?${query}`, { redirect: 'manual' });
  const cookie = (pending.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const location = pending.headers.get('location') ?? '';
  const text = await (await fetch(location, { headers: { Cookie: cookie } })).text();
  return { cookie, location, text };
}

/** The value that a browser preselects: the selected option, else the first. */
function preselected(text: string): string | undefined {
  const [, selected] = /<option value="([^"]*)" selected>/.exec(text) ?? [];
  const [, first] = /<option value="([^"]*)"/.exec(text) ?? [];
  return selected ?? first;
}

it.each(['ines', 'ines+test@example.org', 'email|ines+test@example.org', 'user|ines'])(
  'the consent page preselects the person named by the hint %s',
  async (hint) => {
    expect(preselected((await begin(hint)).text)).toBe('ines');
  },
);

it('without a hint, the consent page preselects the first sample person', async () => {
  const { text } = await begin(undefined);
  expect(preselected(text)).toBe('ada');
  expect(text).not.toContain('does not exist here');
});

it('for a hint that names no known person, the consent page preselects no person, shows a notice, and rejects an approval without a choice', async () => {
  const { cookie, location, text } = await begin('no<body>@example.org');
  expect(preselected(text)).toBe('');
  expect(text).toContain('The app asked for a person who does not exist here');
  expect(text).toContain('no&lt;body&gt;@example.org');
  const [, proof = ''] = /name="proof" value="([^"]+)"/.exec(text) ?? [];
  const id = new URL(location).searchParams.get('authorization_id') ?? '';
  const { origin } = new URL(started.url);
  for (const person of [undefined, '']) {
    const form = new URLSearchParams({
      authorization_id: id,
      proof,
      action: 'approve',
      'scope.kyc:read': 'on',
    });
    if (person !== undefined) form.set('person', person);
    const headers = { Cookie: cookie, Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' };
    const decision = await fetch(`${origin}/consent`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: form,
    });
    expect(decision.status).toBe(404);
  }
  expect((await started.service.authorizations.get(id)).authorization.status).toBe('pending_admin');
});
