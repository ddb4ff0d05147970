/** A service on an encrypted store behaves the same, and its store contains no plaintext claims (S448). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import { call, ingest } from '../support/call.js';
import { cipherOf } from '../support/encryption-keys.js';
import { logIn, PUBLIC, postJson, refresh, type Tokens } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

const INGESTED = {
  'identity.legal_name': 'Marietta Quillfeather-Ödegård',
  'identity.email': 'marietta.quillfeather@example.org',
  'identity.date_of_birth': '1987-03-29',
  'identity.primary_wallet_address': '0x52908400098527886E0F7030069857D2E4169EE7',
};

let started: StartedService;

beforeEach(async () => {
  started = await startService({ store: { cipher: cipherOf('one'), audit: true } });
});

afterEach(() => started.stop());

/** Returns the strings inside a claim's value that are too long to occur elsewhere by chance. */
function longStringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length > 6 ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(longStringsIn) : [];
}

async function findPlaintext(texts: readonly string[]): Promise<readonly string[]> {
  // Ids of credentials are not encrypted, and one seeded id contains a claim's value, `enhanced`.
  const contents = (await started.contents()).replaceAll('kyc-enhanced', '');
  return texts.filter(
    (text) => contents.includes(text) || contents.includes(Buffer.from(text).toString('latin1')),
  );
}

describe('a service on an encrypted store', () => {
  // S448
  it('answers queries, presets, logins and audiences, and its store contains no claim value in plaintext', async () => {
    const { status } = await ingest(started, 'ada', {
      id: 'c-1',
      issuedAt: '2026-05-31T00:00:00Z',
      claims: INGESTED,
    });
    expect(status).toBe(200);
    const token = await started.token('ada', ...started.service.catalogue.scopes.scopes);
    for (const [claim, value] of Object.entries(INGESTED)) {
      const query = { check: { claim, operator: '==', value } };
      const { body } = await call(started, '/queries/evaluate', token, { query });
      expect([claim, body.passed]).toEqual([claim, true]);
    }
    expect((await call(started, '/userinfo', token)).body.email).toBe(INGESTED['identity.email']);
    expect((await call(started, '/presets/kyc_level', token)).status).toBe(200);
    expect((await call(started, '/credentials', token)).status).toBe(200);
    const tokens = await logIn(started, { login_hint: 'ada@example.org' });
    const rotated = (await (await refresh(started, tokens.refresh_token)).json()) as Tokens;
    expect(rotated.access_token).toHaveLength(43);
    const audience = await postJson(
      started,
      '/audiences/evaluate',
      {
        client_id: PUBLIC.clientId,
        query: {
          check: { claim: 'identity.legal_name', operator: '==', value: INGESTED['identity.legal_name'] },
        },
      },
      { Authorization: `Bearer ${SANDBOX_ADMINISTRATOR_TOKEN}` },
    );
    expect(JSON.parse((await audience.text()).trim().split('\n').at(-1) ?? '')).toMatchObject({
      satisfied: 1,
    });

    const people = await started.store.listPeople();
    const credentials = await Promise.all(people.map(({ id }) => started.store.readCredentials(id)));
    const values = credentials.flat().flatMap(({ claims }) => Object.values(claims).flatMap(longStringsIn));
    expect(values.length).toBeGreaterThan(40);
    expect(await findPlaintext([...Object.values(INGESTED), ...values])).toEqual([]);
    const addresses = people.flatMap(({ email, evmAddress }) =>
      [email, evmAddress].flatMap((one) => one ?? []),
    );
    expect(addresses.length).toBeGreaterThan(3);
    expect(await findPlaintext([...addresses, ...people.map(({ about }) => about)])).toEqual([]);
    // `d` is the private member of a signing key.
    expect(await findPlaintext(['"d":"', 'ada@example.org'])).toEqual([]);
    // Values that are not encrypted are found by the same search.
    expect(await findPlaintext([PUBLIC.clientId])).toEqual([PUBLIC.clientId]);
  });

  it('fails for the person whose stored credential was altered, without revealing its claims, and for no other person', async () => {
    await ingest(started, 'ada', { id: 'c-1', issuedAt: '2026-05-31T00:00:00Z', claims: INGESTED });
    await started.runSql(`UPDATE credential SET source = 'Somebody else' WHERE id = 'c-1'`);
    const query = { check: { claim: 'identity.legal_name', operator: 'isDefined' } };
    const evaluateFor = async (person: string) =>
      await call(
        started,
        '/queries/evaluate',
        await started.token(person, 'identity:read', 'identity:legal_name'),
        {
          query,
        },
      );
    const [ada, bruno] = [await evaluateFor('ada'), await evaluateFor('bruno')];
    expect([ada.status, ada.body.error_subcode, bruno.status]).toEqual([500, 'server_error', 200]);
    expect(JSON.stringify(ada.body)).not.toContain('Quillfeather');
    // The altered credential has a value that contains `Q`.
    expect(started.failures.map(String)).toEqual([expect.stringMatching(/^SealedValueError: [^Q]*$/)]);
  });
});
