/**
 * `GET /authorizations`: an application lists all its grants; a person's bearer token lists that person's
 * grants to the application (S145, S146).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type HttpResponse } from '../support/call.js';
import { AS_CONFIDENTIAL, approve, begin, CONFIDENTIAL, logIn, postJson } from '../support/oauth-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

const BASIC = `Basic ${Buffer.from(`${CONFIDENTIAL.clientId}:${CONFIDENTIAL.secret}`).toString('base64')}`;

interface Item {
  readonly authorization_id: string;
  readonly app_scoped_user_id: string;
  readonly organization_id: string;
  readonly status: string;
  readonly updated_at: string;
}

async function listAsApplication(
  query = '',
  authorization = BASIC,
): Promise<Pick<HttpResponse, 'status' | 'body'>> {
  const response = await fetch(`${started.url}/authorizations${query}`, {
    headers: { Authorization: authorization },
  });
  return { status: response.status, body: await response.json() };
}

const itemsOf = async (query = '') => (await listAsApplication(query)).body.items as Item[];

describe('an application', () => {
  it('lists the grants that people gave it, with their status', async () => {
    const ada = await logIn(started, { ...AS_CONFIDENTIAL, login_hint: 'ada' });
    started.clock.moveTo(STARTED_AT + 1_000);
    const bruno = await logIn(started, { ...AS_CONFIDENTIAL, login_hint: 'bruno' });
    await logIn(started, { login_hint: 'ada' });
    await begin(started, AS_CONFIDENTIAL);
    started.clock.moveTo(STARTED_AT + 2_000);
    await postJson(started, '/oauth/revoke', {
      token: ada.refresh_token,
      cascade: true,
      client_id: CONFIDENTIAL.clientId,
      client_secret: CONFIDENTIAL.secret,
    });
    const { status, body } = await listAsApplication();
    expect([status, body.has_more]).toEqual([200, false]);
    expect(body.items).toEqual([
      {
        authorization_id: bruno.authorization_id,
        organization_id: 'org-meridian',
        app_scoped_user_id: bruno.app_scoped_user_id,
        status: 'active',
        updated_at: new Date(STARTED_AT + 1_000).toISOString(),
      },
      {
        authorization_id: ada.authorization_id,
        organization_id: 'org-meridian',
        app_scoped_user_id: ada.app_scoped_user_id,
        status: 'revoked',
        updated_at: new Date(STARTED_AT + 2_000).toISOString(),
      },
    ]);
    expect(body.last_modified).toBe(new Date(STARTED_AT + 2_000).toISOString());
    expect((await itemsOf('?status=active')).map(({ status: one }) => one)).toEqual(['active']);
    expect((await itemsOf('?status=revoked')).map(({ status: one }) => one)).toEqual(['revoked']);
    const since = encodeURIComponent(new Date(STARTED_AT + 1_500).toISOString());
    expect(await itemsOf(`?updated_since=${since}`)).toHaveLength(1);
  });

  // V3
  it('sees a grant as revoked once its code expired unredeemed, as the context and the consent page do', async () => {
    started.clock.moveTo(STARTED_AT + 3_000);
    const pending = await begin(started, { ...AS_CONFIDENTIAL, login_hint: 'chiyo' });
    await approve(started, pending);
    const statusOf = async () =>
      (await itemsOf()).find((one) => one.authorization_id === pending.authorizationId)?.status;
    const id = pending.authorizationId;
    const contextStatus = async () =>
      (await call(started, `/oauth/authorize/context?authorization_id=${id}`)).body.status;
    const consent = new URL(`/consent?authorization_id=${id}`, started.url);
    const pageNotice = async () =>
      /data-notice="(\w+)"/.exec(
        await (await fetch(consent, { headers: { Cookie: pending.cookie } })).text(),
      )?.[1];
    expect([await statusOf(), await contextStatus(), await pageNotice()]).toEqual([
      'active',
      'approved',
      'answered',
    ]);
    started.clock.moveTo(STARTED_AT + 3_000 + 60_000);
    expect([await statusOf(), await contextStatus(), await pageNotice()]).toEqual([
      'revoked',
      'revoked',
      'revoked',
    ]);
  });

  it('finds a grant whose code expired unredeemed by the instant of its approval, which stays its `updated_at`', async () => {
    const approvedAt = STARTED_AT + 70_000;
    started.clock.moveTo(approvedAt);
    const pending = await begin(started, { ...AS_CONFIDENTIAL, login_hint: 'chiyo' });
    await approve(started, pending);
    started.clock.moveTo(approvedAt + 60_000);
    const since = (at: number) => itemsOf(`?updated_since=${encodeURIComponent(new Date(at).toISOString())}`);
    expect(await since(approvedAt)).toMatchObject([
      {
        authorization_id: pending.authorizationId,
        status: 'revoked',
        updated_at: new Date(approvedAt).toISOString(),
      },
    ]);
    expect(await since(approvedAt + 1)).toEqual([]);
  });

  it('receives every grant exactly once across pages', async () => {
    for (const person of ['emeka', 'fatima', 'grace']) {
      await logIn(started, { ...AS_CONFIDENTIAL, login_hint: person });
    }
    const complete = (await itemsOf()).map((one) => one.authorization_id);
    const paged: string[] = [];
    let query = '?limit=2';
    for (let pages = 0; pages < 10; pages += 1) {
      const { body } = await listAsApplication(query);
      paged.push(...(body.items as Item[]).map((one) => one.authorization_id));
      if (!body.has_more) break;
      query = `?limit=2&cursor=${body.next_cursor}`;
    }
    expect(paged).toEqual(complete);
    expect(new Set(paged).size).toBe(complete.length);
  });

  // S145
  it('cannot use a cursor of another list', async () => {
    const { body } = await listAsApplication('?limit=1');
    const bearer = await logIn(started, { ...AS_CONFIDENTIAL, login_hint: 'ada' });
    const attempts = [
      await listAsApplication(`?status=active&cursor=${body.next_cursor}`),
      await listAsApplication('?cursor=1.a.b'),
      await call(started, `/authorizations?cursor=${body.next_cursor}`, bearer.access_token),
    ];
    for (const attempt of attempts) {
      expect([attempt.status, attempt.body.error_subcode]).toEqual([400, 'cursor_invalid']);
    }
  });

  it('must authenticate with its client secret', async () => {
    const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    for (const credentials of [
      encoded('sandbox-public:'),
      encoded(`${CONFIDENTIAL.clientId}:wrong`),
      'Basic x',
    ]) {
      const { status, body } = await listAsApplication('', credentials);
      expect([status, body.error_code]).toEqual([401, 'E4006']);
    }
    expect((await call(started, '/authorizations')).status).toBe(401);
  });
});

describe('a person’s bearer token', () => {
  // S145
  it('lists only that person’s grants to that application', async () => {
    const ines = await logIn(started, { ...AS_CONFIDENTIAL, login_hint: 'ines' });
    await logIn(started, { login_hint: 'ines' });
    await logIn(started, { ...AS_CONFIDENTIAL, login_hint: 'jun' });
    const { status, body } = await call(started, '/authorizations', ines.access_token);
    expect(status).toBe(200);
    expect((body.items as Item[]).map((one) => one.authorization_id)).toEqual([ines.authorization_id]);
  });
});
