/** Hostile bodies at every endpoint: deep nesting, duplicate members, prototype pollution, malformed UTF-8, U+0000; each is rejected or harmless (S12, S18, S25, S32–S38, S41). */
import { beforeAll, describe, expect, it } from 'vitest';
import { REQUEST_SCHEMAS } from '../../src/http/schemas/requests.js';
import { SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import { useHostileInputService } from '../support/hostile-input-service.js';
import { HOSTILE_STRINGS, PROTOTYPE_NAMES } from '../support/hostile-strings.js';
import { CONFIDENTIAL, PUBLIC } from '../support/oauth-client.js';
import { sendRaw } from '../support/raw-request.js';
import type { StartedService } from '../support/start-service.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

let started: StartedService;
let token: string;
const service = useHostileInputService();

beforeAll(() => {
  ({ started, token } = service());
});

/** An endpoint that accepts a body: a valid body, and the caller that it requires. */
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

interface Outcome {
  readonly status: number;
  /** The codes of the problems, else the error's subcode. */
  readonly codes: readonly string[];
}

function headersOf({ caller }: Endpoint, type: string): Record<string, string> {
  const bearer = { bearer: token, administrator: SANDBOX_ADMINISTRATOR_TOKEN, nobody: undefined }[caller];
  return { 'Content-Type': type, ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }) };
}

async function send(endpoint: Endpoint, body: string | Uint8Array, type = JSON_TYPE): Promise<Outcome> {
  const init = { method: 'POST', headers: headersOf(endpoint, type), body };
  const response = await fetch(`${started.url}${endpoint.path}`, init as RequestInit);
  const text = await response.text();
  const parsed = (text.startsWith('{"error"') ? JSON.parse(text) : {}) as {
    error_subcode?: string;
    context?: { problems?: { code: string }[] };
  };
  const codes = parsed.context?.problems?.map(({ code }) => code) ?? [parsed.error_subcode ?? 'none'];
  return { status: response.status, codes };
}

const byPath = (endpoints: readonly Endpoint[]) => endpoints.map((one) => [one.path, one] as const);

const MALFORMED_UTF8: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['an overlong slash', Buffer.from('c0af', 'hex')],
  ['an overlong slash of three bytes', Buffer.from('e080af', 'hex')],
  ['an overlong U+0000', Buffer.from('c080', 'hex')],
  ['a lone surrogate', Buffer.from('eda080', 'hex')],
  ['a code point beyond Unicode', Buffer.from('f4908080', 'hex')],
  ['a sequence of five bytes', Buffer.from('f888808080', 'hex')],
  ['a lone byte', Buffer.from('ff', 'hex')],
  ['a truncated character', Buffer.from('e282', 'hex')],
];

describe.each(byPath(ENDPOINTS))('a body for %s', (_path, endpoint) => {
  // S12, S41
  it('of 10 MB of nested JSON is rejected before it is read, with and without `Content-Length`', async () => {
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
    // If the service stops reading before the client has sent everything, the response may be lost. A response that arrives is 413.
    expect(chunked).toMatch(/^(?:HTTP\/1\.1 413 |$)/);
  });

  // S41
  it.each([
    ['arrays', '['.repeat(32_000) + ']'.repeat(32_000)],
    ['objects', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`],
    ['arrays and objects that are never closed', '[{"":'.repeat(13_000)],
  ])('of 64 KiB of nested %s is rejected', async (_what, text) => {
    expect(await send(endpoint, text)).toEqual({ status: 400, codes: ['json_depth'] });
  });

  // S32
  it('with a repeated member is rejected, at any depth and in any spelling', async () => {
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

  // S37, S38
  it.each(PROTOTYPE_NAMES)(
    'with the member %s is rejected, or ignored if unknown members are ignored',
    async (name) => {
      const plain = await send(endpoint, JSON.stringify(endpoint.body));
      const rest = JSON.stringify(endpoint.body).slice(1);
      const polluted = await send(endpoint, `{"${name}":{"polluted":true,"client_id":"x"},${rest}`);
      const lenient = REQUEST_SCHEMAS[endpoint.schema].additionalProperties;
      expect(polluted).toEqual(lenient ? plain : { status: 400, codes: ['member_unknown'] });
    },
  );

  // S35, S36
  it('with U+0000 or a lone surrogate in a string is rejected', async () => {
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

  // S18
  it.each(MALFORMED_UTF8)('with %s is rejected, and not decoded leniently', async (_what, bytes) => {
    const body = Buffer.concat([Buffer.from('{"x":"'), bytes, Buffer.from('"}')]);
    expect(await send(endpoint, body)).toEqual({ status: 400, codes: ['utf8_malformed'] });
  });

  // S25, S199
  it('with a hostile string as a member never causes a server error', async () => {
    for (const name of Object.keys(REQUEST_SCHEMAS[endpoint.schema].properties)) {
      for (const text of Object.values(HOSTILE_STRINGS)) {
        const body = JSON.stringify({ ...endpoint.body, [name]: text });
        const { status } = await send(endpoint, body);
        expect([name, status >= 200 && status < 500]).toEqual([name, true]);
      }
    }
  });
});

describe.each(byPath(ENDPOINTS.filter(({ form }) => form)))('a form for %s', (_path, endpoint) => {
  const validForm = new URLSearchParams(endpoint.body as Record<string, string>).toString();

  // S33
  it('with a repeated parameter is rejected, in any spelling', async () => {
    const [first = ''] = Object.keys(endpoint.body);
    for (const spelling of [first, `%${first.charCodeAt(0).toString(16)}${first.slice(1)}`]) {
      const response = await send(endpoint, `${validForm}&${spelling}=x`, FORM_TYPE);
      expect(response).toEqual({ status: 400, codes: ['parameter_repeated'] });
    }
  });

  // S18
  it.each(MALFORMED_UTF8)('with %s is rejected, percent-encoded or raw', async (_what, bytes) => {
    const encoded = [...bytes].map((byte) => `%${byte.toString(16)}`).join('');
    expect(await send(endpoint, `${validForm}&x=${encoded}`, FORM_TYPE)).toEqual({
      status: 400,
      codes: ['form_malformed'],
    });
    expect(await send(endpoint, `${validForm}&${encoded}=x`, FORM_TYPE)).toEqual({
      status: 400,
      codes: ['form_malformed'],
    });
    const raw = Buffer.concat([Buffer.from(`${validForm}&x=`), bytes]);
    expect(await send(endpoint, raw, FORM_TYPE)).toEqual({ status: 400, codes: ['utf8_malformed'] });
  });

  // S35
  it('with U+0000 is rejected', async () => {
    for (const pair of ['x=%00', 'x%00=1', 'token=a%00b'])
      expect(await send(endpoint, `extra=1&${pair}`, FORM_TYPE)).toEqual({
        status: 400,
        codes: ['form_malformed'],
      });
  });
});
