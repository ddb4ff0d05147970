/** Inputs that have broken programs before, by name, at every endpoint that could take them: each is refused or harmless (S12, S18, S25–S43, S155–S163). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { REQUEST_SCHEMAS } from '../../src/http/schemas/requests.js';
import { SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import { systemStopwatch } from '../../src/system/stopwatch.js';
import { createServiceLog } from '../../src/telemetry/service-log.js';
import { call, ingest } from '../support/call.js';
import { HOSTILE_TEXTS, PROTOTYPE_NAMES } from '../support/hostile-texts.js';
import {
  approve,
  authorizationQuery,
  begin,
  CONFIDENTIAL,
  logIn,
  PUBLIC,
  redemption,
} from '../support/oauth-client.js';
import { sendRaw } from '../support/raw-request.js';
import { type StartedService, startService } from '../support/start-service.js';

const LONG_NAME = `${'a'.repeat(4_000)}!`;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

let started: StartedService;
let token: string;
const written: string[] = [];

beforeAll(async () => {
  const log = createServiceLog('trace', { write: (line) => written.push(line) });
  started = await startService({
    listener: { stopwatch: systemStopwatch, onAnswered: log.answered },
  });
  token = await started.token('ada', 'kyc:read', 'identity:read', 'identity:legal_name', 'data.read');
  const claims = { 'identity.legal_name': LONG_NAME };
  const taken = await ingest(started, 'ada', { id: 'long', issuedAt: '2026-01-01T00:00:00Z', claims });
  expect(taken.status).toBe(200);
});

afterAll(() => started.stop());

// Whatever it was: nothing of ours failed, every line of the log is one, no prototype has changed, and the next request is answered.
afterEach(async () => {
  expect(started.failures).toEqual([]);
  for (const line of written.splice(0)) {
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(() => JSON.parse(line)).not.toThrow();
  }
  expect([Object.keys(Object.prototype), 'polluted' in {}]).toEqual([[], false]);
  expect((await fetch(`${started.url}/health`)).status).toBe(200);
});

/** An endpoint that takes a body, a right one of it, and who has to send it. */
interface Endpoint {
  readonly path: string;
  readonly schema: keyof typeof REQUEST_SCHEMAS;
  readonly body: Readonly<Record<string, unknown>>;
  readonly caller: 'bearer' | 'administrator' | 'nobody';
  readonly form: boolean;
}

const AUTHORIZATION = { authorization_id: 'x'.repeat(22) };
const CHECK = { check: { claim: 'kyc.level', operator: 'isDefined' } };
const ENDPOINTS: readonly Endpoint[] = [
  {
    path: '/oauth/token',
    schema: 'TokenRequest',
    body: { grant_type: 'refresh_token', client_id: PUBLIC.clientId, refresh_token: 'x'.repeat(43) },
    caller: 'nobody',
    form: true,
  },
  {
    path: '/oauth/revoke',
    schema: 'RevocationRequest',
    body: { token: 'x'.repeat(43), client_id: PUBLIC.clientId },
    caller: 'nobody',
    form: true,
  },
  {
    path: '/oauth/introspect',
    schema: 'IntrospectionRequest',
    body: { token: 'x'.repeat(43), client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret },
    caller: 'nobody',
    form: true,
  },
  {
    path: '/oauth/client/user-token',
    schema: 'UserTokenRequest',
    body: { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret, email: 'x@y.example' },
    caller: 'nobody',
    form: false,
  },
  {
    path: '/oauth/authorize/approve',
    schema: 'ApprovalRequest',
    body: AUTHORIZATION,
    caller: 'nobody',
    form: false,
  },
  {
    path: '/oauth/authorize/deny',
    schema: 'DenialRequest',
    body: AUTHORIZATION,
    caller: 'nobody',
    form: false,
  },
  {
    path: '/queries/evaluate',
    schema: 'EvaluationRequest',
    body: { query: CHECK },
    caller: 'bearer',
    form: false,
  },
  {
    path: '/presets/batch',
    schema: 'PresetBatchRequest',
    body: { presets: ['kyc_level'] },
    caller: 'bearer',
    form: false,
  },
  {
    path: '/audiences/evaluate',
    schema: 'AudienceRequest',
    body: { client_id: 'no-such-application', query: CHECK },
    caller: 'administrator',
    form: false,
  },
  {
    path: '/credentials',
    schema: 'IngestionRequest',
    body: { identifier: 'id|nobody', credential: {} },
    caller: 'administrator',
    form: false,
  },
];

interface Answered {
  readonly status: number;
  /** Of the problems that are told, or the error's own name. */
  readonly codes: readonly string[];
}

function headersOf({ caller }: Endpoint, type: string): Record<string, string> {
  const bearer = { bearer: token, administrator: SANDBOX_ADMINISTRATOR_TOKEN, nobody: undefined }[caller];
  return { 'Content-Type': type, ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }) };
}

async function send(endpoint: Endpoint, body: string | Uint8Array, type = JSON_TYPE): Promise<Answered> {
  const init = { method: 'POST', headers: headersOf(endpoint, type), body };
  const response = await fetch(`${started.url}${endpoint.path}`, init as RequestInit);
  const text = await response.text();
  const answer = (text.startsWith('{"error"') ? JSON.parse(text) : {}) as {
    error_subcode?: string;
    context?: { problems?: { code: string }[] };
  };
  const codes = answer.context?.problems?.map(({ code }) => code) ?? [answer.error_subcode ?? 'none'];
  return { status: response.status, codes };
}

const byPath = (endpoints: readonly Endpoint[]) => endpoints.map((one) => [one.path, one] as const);

describe.each(byPath(ENDPOINTS))('a body for %s', (_path, endpoint) => {
  it('of 10 MB of nested JSON is refused before it is read, whether or not it says how long it is (S12, S41)', async () => {
    const lines = Object.entries({ Host: 'localhost', ...headersOf(endpoint, JSON_TYPE) })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const head = `POST /v2${endpoint.path} HTTP/1.1\r\n${lines}`;
    const announced = await sendRaw(
      started.port,
      `${head}Content-Length: 10000000\r\n\r\n${'['.repeat(1_000)}`,
    );
    expect(announced).toMatch(/^HTTP\/1\.1 413 [\s\S]*"E4013"/);
    const chunk = `${(65_536).toString(16)}\r\n${'{"a":['.repeat(10_922)}[[[[\r\n`;
    const chunked = await sendRaw(
      started.port,
      `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(160)}`,
    );
    // Where we stop reading before all is sent, the answer may be lost with the connection, and never becomes another.
    expect(chunked).toMatch(/^(?:HTTP\/1\.1 413 |$)/);
  });

  it.each([
    ['arrays', '['.repeat(32_000) + ']'.repeat(32_000)],
    ['objects', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`],
    ['what is never closed', '[{"":'.repeat(13_000)],
  ])('of 64 KiB of nested %s is refused (S41)', async (_what, text) => {
    expect(await send(endpoint, text)).toEqual({ status: 400, codes: ['json_depth'] });
  });

  it('with a name twice is refused, at any depth and however it is spelt (S32)', async () => {
    const [first = ''] = Object.keys(endpoint.body);
    const rest = JSON.stringify(endpoint.body).slice(1);
    const escaped = `\\u00${first.charCodeAt(0).toString(16)}${first.slice(1)}`;
    for (const text of [
      `{"${first}":1,${rest}`,
      `{"${escaped}":1,${rest}`,
      `{"more":{"a":[{"b":1,"b":2}]},${rest}`,
      `{"__proto__":1,"__proto__":2,${rest}`,
    ]) {
      expect(await send(endpoint, text)).toEqual({ status: 400, codes: ['json_duplicate'] });
    }
  });

  it.each(PROTOTYPE_NAMES)(
    'with the member %s has it refused, or ignored where others are too (S37, S38)',
    async (name) => {
      const plain = await send(endpoint, JSON.stringify(endpoint.body));
      const rest = JSON.stringify(endpoint.body).slice(1);
      const polluted = await send(endpoint, `{"${name}":{"polluted":true,"client_id":"x"},${rest}`);
      const lenient = REQUEST_SCHEMAS[endpoint.schema].additionalProperties;
      expect(polluted).toEqual(lenient ? plain : { status: 400, codes: ['member_unknown'] });
    },
  );

  it('with U+0000 or half a character in any of its texts is refused (S35, S36)', async () => {
    const names = Object.entries(REQUEST_SCHEMAS[endpoint.schema].properties).map(([name]) => name);
    for (const name of names) {
      for (const text of ['x\\u0000y', '\\u0000', '\\ud800', '\\udc00\\ud800']) {
        const { [name]: _old, ...others } = endpoint.body;
        const body = `{"${name}":"${text}",${JSON.stringify(others).slice(1)}`.replace(/,}$/, '}');
        expect([name, await send(endpoint, body)]).toEqual([name, { status: 400, codes: ['json_text'] }]);
      }
      const nested = `{"${name}":{"a":["x\\u0000"]},"\\u0000":1}`;
      expect(await send(endpoint, nested)).toEqual({ status: 400, codes: ['json_text'] });
    }
  });

  it.each(MALFORMED_UTF8)(
    'with %s is refused, and never read as something else (S18)',
    async (_what, bytes) => {
      const body = Buffer.concat([Buffer.from('{"x":"'), bytes, Buffer.from('"}')]);
      expect(await send(endpoint, body)).toEqual({ status: 400, codes: ['utf8_malformed'] });
    },
  );

  it('with a line break in any of its texts has it refused, or treated as any other text (S25, S199)', async () => {
    for (const name of Object.keys(REQUEST_SCHEMAS[endpoint.schema].properties)) {
      for (const text of Object.values(HOSTILE_TEXTS)) {
        const body = JSON.stringify({ ...endpoint.body, [name]: text });
        const { status } = await send(endpoint, body);
        expect([name, status >= 200 && status < 500]).toEqual([name, true]);
      }
    }
  });
});

const MALFORMED_UTF8: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['an overlong slash', Buffer.from('c0af', 'hex')],
  ['an overlong slash of three bytes', Buffer.from('e080af', 'hex')],
  ['an overlong U+0000', Buffer.from('c080', 'hex')],
  ['half a pair', Buffer.from('eda080', 'hex')],
  ['a character beyond Unicode', Buffer.from('f4908080', 'hex')],
  ['five bytes for one', Buffer.from('f888808080', 'hex')],
  ['a byte alone', Buffer.from('ff', 'hex')],
  ['a character cut off', Buffer.from('e282', 'hex')],
];

describe.each(byPath(ENDPOINTS.filter(({ form }) => form)))('a form for %s', (_path, endpoint) => {
  const right = new URLSearchParams(endpoint.body as Record<string, string>).toString();

  it('with a name twice is refused, however it is spelt (S33)', async () => {
    const [first = ''] = Object.keys(endpoint.body);
    for (const again of [first, `%${first.charCodeAt(0).toString(16)}${first.slice(1)}`]) {
      const answered = await send(endpoint, `${right}&${again}=x`, FORM_TYPE);
      expect(answered).toEqual({ status: 400, codes: ['parameter_repeated'] });
    }
  });

  it.each(MALFORMED_UTF8)('with %s is refused, percent-encoded or as it is (S18)', async (_what, bytes) => {
    const encoded = [...bytes].map((byte) => `%${byte.toString(16)}`).join('');
    expect(await send(endpoint, `${right}&x=${encoded}`, FORM_TYPE)).toEqual({
      status: 400,
      codes: ['form_malformed'],
    });
    expect(await send(endpoint, `${right}&${encoded}=x`, FORM_TYPE)).toEqual({
      status: 400,
      codes: ['form_malformed'],
    });
    const raw = Buffer.concat([Buffer.from(`${right}&x=`), bytes]);
    expect(await send(endpoint, raw, FORM_TYPE)).toEqual({ status: 400, codes: ['utf8_malformed'] });
  });

  it('with U+0000 is refused (S35)', async () => {
    for (const pair of ['x=%00', 'x%00=1', 'token=a%00b'])
      expect(await send(endpoint, `extra=1&${pair}`, FORM_TYPE)).toEqual({
        status: 400,
        codes: ['form_malformed'],
      });
  });
});

describe('a query', () => {
  const evaluate = (query: unknown) => call(started, '/queries/evaluate', token, { query });
  const pattern = (value: string) =>
    evaluate({ check: { claim: 'identity.legal_name', operator: 'matchRegex', value } });

  it.each(['(a+)+$', '(a|a)*$', '(a|aa)+$', '(.*a){20}', '(a*)*b', '^(a?){50}a{50}$', '(x+x+)+y'])(
    'with the pattern %s is answered, on 4 KiB of what it is worst at, or is too large (S156, S157)',
    async (value) => {
      const { status, body } = await pattern(value);
      expect(status === 200 ? body.type : body.error_code).toBe(status === 200 ? 'predicate' : 'E4002');
    },
  );

  it.each([
    ['a{1000}', 'E4002'],
    ['(\\pL{50}){20}', 'E4002'],
    ['(?:(?:(?:a{0,100}){0,10}){0,1})', 'E4002'],
    ['(?:(?:a{0,100}){0,100}){0,100}', 'E4001'],
    ['x'.repeat(513), 'E4002'],
    ['('.repeat(500), 'E4001'],
    ['(a)\\1', 'E4001'],
    ['(?=a)', 'E4001'],
    ['(?<!a)b', 'E4001'],
    ['(?>a+)', 'E4001'],
    ['a++', 'E4001'],
    ['[z-a]', 'E4001'],
    ['[[:nope:]]', 'E4001'],
    ['\\p{Nope}', 'E4001'],
    ['a{2,1}', 'E4001'],
    ['*', 'E4001'],
    ['\\', 'E4001'],
  ])('with the pattern %s is refused (S155, S159)', async (value, code) => {
    const { status, body } = await pattern(value);
    expect([status, body.error_code]).toEqual([400, code]);
  });

  it.each(PROTOTYPE_NAMES)(
    'about the claim identity.%s finds nothing that JavaScript put there (S160, S163)',
    async (name) => {
      for (const query of [
        { check: { claim: `identity.${name}`, operator: 'isDefined' } },
        { policy: { not: { claim: `kyc.level.${name}`, operator: 'isDefined' } } },
        { projections: [{ claim: `identity.address_full.${name}` }] },
      ]) {
        const { status, body } = await evaluate(query);
        const refused = ['E4001', 'E4003'].includes(body.error_code);
        expect(refused || (status === 200 && body.evidence?.claimsUsed.length === 0)).toBe(true);
      }
      for (const members of [
        `"claim":"kyc.level","operator":"${name}"`,
        `"claim":"${name}","operator":"isDefined"`,
      ]) {
        const response = await fetch(`${started.url}/queries/evaluate`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': JSON_TYPE },
          body: `{"query":{"check":{${members}}}}`,
        });
        expect([response.status, ((await response.json()) as { error_code: string }).error_code]).toEqual([
          400,
          'E4001',
        ]);
      }
    },
  );

  it.each(PROTOTYPE_NAMES)(
    'with an operand that has the member %s compares it like any other (S37)',
    async (name) => {
      const text = `{"query":{"check":{"claim":"identity.address_full","operator":"==","value":{"${name}":{"polluted":true}}}}}`;
      const full = await started.token('ada', 'identity:address_full');
      const response = await fetch(`${started.url}/queries/evaluate`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${full}`, 'Content-Type': JSON_TYPE },
        body: text,
      });
      const body = (await response.json()) as { passed?: boolean };
      expect([response.status, body.passed]).toEqual([200, false]);
    },
  );
});

describe('a name of the prototype', () => {
  it.each([...PROTOTYPE_NAMES, '%5f%5fproto__'])('%s is no preset (S142)', async (name) => {
    const one = await call(started, `/presets/${name}`, token);
    expect([one.status, one.body.error_code]).toEqual([404, 'E4044']);
    const batch = await call(started, '/presets/batch', token, { presets: [name, 'kyc_level'] });
    expect([batch.status, batch.body.results.length, batch.body.errors.length]).toEqual([200, 1, 1]);
  });

  it.each(PROTOTYPE_NAMES)(
    '%s is no application, scope, person, credential or file (S45, S54, S129)',
    async (name) => {
      const asClient = await fetch(
        `${started.url}/oauth/authorize?${authorizationQuery({ client_id: name })}`,
      );
      expect(asClient.status).toBe(400);
      const asScope = await fetch(
        `${started.url}/oauth/authorize?${authorizationQuery({ scope: `openid ${name}` })}`,
        {
          redirect: 'manual',
        },
      );
      expect(asScope.headers.get('location')).toContain('error=invalid_scope');
      const selector = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };
      const asType = await call(started, '/oauth/client/user-token', undefined, {
        ...selector,
        identifier: `${name}|x`,
      });
      expect([asType.status, asType.body.error_code]).toEqual([400, 'E4000']);
      const asPerson = await call(started, '/oauth/client/user-token', undefined, {
        ...selector,
        identifier: `id|${name}`,
      });
      expect([asPerson.status, asPerson.body.error_code]).toEqual([404, 'E4046']);
      const asCredential = await call(
        started,
        `/credentials/${name}`,
        SANDBOX_ADMINISTRATOR_TOKEN,
        undefined,
        'DELETE',
      );
      expect([asCredential.status, asCredential.body.error_code]).toEqual([404, 'E4011']);
      expect((await fetch(`${new URL(started.url).origin}/assets/${name}`)).status).toBe(404);
    },
  );

  it.each(PROTOTYPE_NAMES)('%s is no claim that is taken in (S160)', async (name) => {
    const text = `{"identifier":"id|ada","credential":{"id":"p","source":"R","issuedAt":"2020-01-01T00:00:00Z","claims":{"identity.${name}":1,"${name}":1}}}`;
    const response = await fetch(`${started.url}/credentials`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${SANDBOX_ADMINISTRATOR_TOKEN}`, 'Content-Type': JSON_TYPE },
      body: text,
    });
    expect(response.status).toBe(400);
  });
});

/** Everything that a caller writes into a URL that sends a browser on, or that a page shows. */
const PARAMETERS = [
  'state',
  'nonce',
  'login_hint',
  'locale',
  'scope',
  'client_id',
  'redirect_uri',
  'prompt',
  'extra',
];
const TEXTS = Object.entries(HOSTILE_TEXTS);
/** Those that are not refused as no text at all. */
const STORABLE = TEXTS.filter(([, text]) => !text.includes('\0'));

function get(target: string, lines = ''): Promise<string> {
  return sendRaw(
    started.port,
    `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${lines}Connection: close\r\n\r\n`,
  );
}

/** Of the raw bytes of an answer: its status, and its headers, each on a line of its own. */
function headOf(received: string): {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
} {
  const [statusLine = '', ...lines] = (received.split('\r\n\r\n')[0] ?? '').split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [, name = '', value = ''] = /^([a-z-]+): ([\x20-\x7e]*)$/i.exec(line) ?? [];
    expect([line, name]).not.toEqual([line, '']);
    return [name.toLowerCase(), value];
  });
  expect(headers.map(([name]) => name)).not.toContain('x-injected');
  return { status: Number(statusLine.split(' ')[1]), headers: new Map(headers) };
}

describe.each(PARAMETERS)('a request for authorization whose %s holds', (name) => {
  it.each(TEXTS)('%s is sent on encoded, or refused (S25, S46, S54, S55, S57)', async (_what, text) => {
    const received = await get(`/v2/oauth/authorize?${authorizationQuery({ [name]: text })}`);
    const { status, headers } = headOf(received);
    expect([303, 400, 414]).toContain(status);
    if (status !== 303) return;
    const location = headers.get('location') ?? '';
    const { origin } = new URL(started.url);
    const home = location.startsWith(`${PUBLIC.redirectUri}?`) || location.startsWith(`${origin}/consent?`);
    expect([location, home]).toEqual([location, true]);
    const state = new URL(location).searchParams.get('state');
    if (name === 'state' && state !== null) expect(state).toBe(text);
  });

  it('bytes that are no UTF-8, or U+0000, is refused (S18, S35)', async () => {
    const others = authorizationQuery({ [name]: undefined });
    for (const value of ['%c0%af', '%ed%a0%80', '%ff', '%00', 'x%00y', '%', '%zz'])
      expect(headOf(await get(`/v2/oauth/authorize?${others}&${name}=${value}`)).status).toBe(400);
    for (const bytes of ['\u00ff', '\u00c0\u00af']) {
      const request = `GET /v2/oauth/authorize?${others}&${name}=${bytes} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      expect(headOf(await sendRaw(started.port, Buffer.from(request, 'latin1'))).status).toBe(400);
    }
  });

  it('something twice is refused (S33)', async () => {
    const query = authorizationQuery({ [name]: 'x' });
    expect(headOf(await get(`/v2/oauth/authorize?${query}&${name}=x`)).status).toBe(400);
  });
});

it('a state with a question mark, which a query may hold as it is, comes back whole (S55)', async () => {
  const others = authorizationQuery({ state: undefined, prompt: 'none' });
  const { headers } = headOf(await get(`/v2/oauth/authorize?state=a?b?c&${others}`));
  const location = new URL(headers.get('location') ?? '');
  expect([location.searchParams.get('error'), location.searchParams.get('state')]).toEqual([
    'login_required',
    'a?b?c',
  ]);
});

describe('what was written into a request for authorization', () => {
  it.each(STORABLE)(
    '%s comes back to the client byte for byte, and is text on the page (S25, S55, S63)',
    async (_what, text) => {
      if (text.length > 1_024) return;
      const begun = await begin(started, { state: text, nonce: text, login_hint: text });
      expect(begun.authorizationId).not.toBe('');
      const id = begun.authorizationId;
      const { origin } = new URL(started.url);
      const page = await (
        await fetch(`${origin}/consent?authorization_id=${id}`, { headers: { Cookie: begun.cookie } })
      ).text();
      expect(page).not.toMatch(/<script>alert|<img src=x|<svg onload|href="javascript:/i);
      const context = await call(started, `/oauth/authorize/context?authorization_id=${id}`);
      expect([context.body.state, context.body.nonce]).toEqual([text, text]);
      const denied = await call(started, '/oauth/authorize/deny', undefined, {
        authorization_id: id,
        reason: text,
      });
      expect([denied.status, denied.body.state]).toEqual([200, text]);
      const result = await get(
        `/v2/oauth/authorize/result?authorization_id=${id}`,
        `Cookie: ${begun.cookie}\r\n`,
      );
      const { status, headers } = headOf(result);
      expect(status).toBe(303);
      expect(new URL(headers.get('location') ?? '').searchParams.get('state')).toBe(text);
    },
  );
});

describe('a page', () => {
  it.each(STORABLE)(
    'shows an application, a purpose and a person named %s as text (S63)',
    async (what, text) => {
      const clientId = `hostile-${TEXTS.findIndex(([one]) => one === what)}`;
      const redirectUris = [PUBLIC.redirectUri];
      await started.store.recordApplication({
        ...{
          clientId,
          name: text,
          purpose: text,
          organizationId: 'o',
          redirectUris,
          scopes: ['openid', 'kyc:read'],
        },
        ...{ idTokenAlgorithm: 'ES256', createdAt: 1 },
      });
      const begun = await begin(started, {
        client_id: clientId,
        scope: 'openid kyc:read',
        login_hint: text.slice(0, 1_024),
      });
      const { origin } = new URL(started.url);
      const response = await fetch(`${origin}/consent?authorization_id=${begun.authorizationId}`, {
        headers: { Cookie: begun.cookie },
      });
      const page = await response.text();
      expect(response.status).toBe(200);
      expect(page).not.toMatch(/<script>alert|<img src=x|<svg onload|href="javascript:/i);
      // Every quote and bracket that is left is ours.
      expect(page.match(/<[a-z][^>]*\son[a-z]+=/gi)).toBeNull();
    },
  );
});

describe('a header', () => {
  const ID = /^request-\d+$/;

  it.each(TEXTS)(
    'that names the request %s is replaced, or is a safe name (S26, S199)',
    async (_what, text) => {
      const value = Buffer.from(text.replaceAll(/[\r\n\0]/g, ' ')).toString('latin1');
      const request = `GET /v2/health HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${value}\r\nConnection: close\r\n\r\n`;
      const { headers } = headOf(await sendRaw(started.port, Buffer.from(request, 'latin1')));
      const id = headers.get('x-request-id') ?? '';
      expect(ID.test(id) || /^[A-Za-z0-9._-]{1,64}$/.test(id)).toBe(true);
    },
  );

  it.each(['\n', '\r', '\0', '\r\n '])(
    'broken by %j is refused, and nothing behind it is read (S6, S25)',
    async (broken) => {
      const received = await sendRaw(
        started.port,
        `GET /v2/health HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: a${broken}X-Injected: 1\r\nConnection: close\r\n\r\n`,
      );
      const { status, headers } = headOf(received);
      expect([status, headers.get('x-request-id')?.includes('Injected')]).toEqual([400, false]);
    },
  );

  it.each(PROTOTYPE_NAMES)('named %s does no harm, with and without a body (S8)', async (name) => {
    expect(headOf(await get('/v2/health', `${name}: x\r\n`)).status).toBe(200);
    const response = await call(started, '/queries/evaluate', token, { query: CHECK });
    expect(response.status).toBe(200);
  });

  it.each(TEXTS)(
    'of authorization or a cookie that holds %s opens nothing (S92, S135)',
    async (_what, text) => {
      const value = Buffer.from(text.replaceAll(/[\r\n\0]/g, '')).toString('latin1');
      const basic = Buffer.from(`${text}:${text}`).toString('base64');
      for (const line of [
        `Authorization: Bearer ${value}`,
        `Authorization: Basic ${basic}`,
        `Cookie: proviso=${value}; proviso-person=${value}`,
      ]) {
        const request = `GET /v2/userinfo HTTP/1.1\r\nHost: localhost\r\n${line}\r\nConnection: close\r\n\r\n`;
        const { status } = headOf(await sendRaw(started.port, Buffer.from(request, 'latin1')));
        expect([400, 401]).toContain(status);
      }
    },
  );
});

describe('a path', () => {
  it.each([
    ['/v2/presets/%c0%af', 404],
    ['/v2/presets/%00', 404],
    ['/v2/presets/%ff', 404],
    ['/v2/presets/x%0d%0aX-Injected:%201', 404],
    ['/assets/..%2f..%2fpackage.json', 404],
    ['/assets/design.css%00.svg', 404],
    ['/v2/%2e%2e/v2/presets', 404],
    ['/v2/\u00ff', 400],
    ['/v2/health\u0000', 400],
  ])('%j is nowhere (S2, S18, S35)', async (path, expected) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    expect(headOf(await sendRaw(started.port, Buffer.from(request, 'latin1'))).status).toBe(expected);
  });

  it.each(TEXTS)(
    'with a credential’s or an authorization’s id of %s finds none (S25, S70)',
    async (_what, text) => {
      const encoded = encodeURIComponent(text).slice(0, 4_000);
      const gone = await call(
        started,
        `/credentials/${encoded}`,
        SANDBOX_ADMINISTRATOR_TOKEN,
        undefined,
        'DELETE',
      );
      expect(gone.status).toBe(404);
      const { status, headers } = headOf(await get(`/sign-in?authorization_id=${encoded}`));
      expect([200, 303, 400]).toContain(status);
      expect(headers.get('location') ?? '/').toMatch(/^\/(?!\/)/);
      expect([303, 400]).toContain(
        headOf(await get(`/v2/oauth/authorize?authorization_id=${encoded}`)).status,
      );
    },
  );
});

it('a token for any of these texts is never given, and a right login works beside them (S79, S85)', async () => {
  for (const [, text] of TEXTS) {
    const begun = await begin(started);
    const code = await approve(started, begun);
    for (const name of ['code', 'code_verifier', 'redirect_uri', 'client_id', 'grant_type']) {
      const body = redemption(begun, code, { [name]: text });
      const { status } = await call(started, '/oauth/token', undefined, body);
      expect([name, status === 400 || status === 401]).toEqual([name, true]);
    }
  }
  expect((await logIn(started)).access_token).toMatch(/^[A-Za-z0-9._-]+$/);
});
