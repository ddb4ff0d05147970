/** The measured operations of the service. */
import { createHash } from 'node:crypto';
import { WORKLOADS } from '../scenarios/workloads.js';
import type { Client, HttpRequest, HttpResponse } from './client.js';
import {
  accessToken,
  applicationOf,
  clientId,
  email,
  LARGE_APPLICATION,
  personId,
  personName,
  REDIRECT_URI,
  SECRET,
  SMALL_APPLICATION,
  subject,
  wallet,
} from './population.js';
import { ADMINISTRATOR, type Deployment } from './service-process.js';

/** A filled store with a running service, and the values that requests leave for later ones. */
export interface Target {
  readonly people: number;
  readonly client: Client;
  readonly deployment: Deployment;
  /** Ids of pending authorizations. */
  readonly pending: string[];
  readonly codes: string[];
  readonly refreshTokens: string[];
  readonly accessTokens: string[];
  readonly sessions: string[];
  /** Cursors of pages of a long list. */
  readonly cursors: string[];
  /** Draws the number of a person uniformly. */
  readonly draw: () => number;
}

export interface Operation {
  readonly name: string;
  /** Default: {@link CONNECTIONS}. */
  readonly connections?: number;
  readonly prepare?: (target: Target) => Promise<void>;
  /** Returns `undefined` if there is nothing left to send. */
  readonly request: (target: Target) => HttpRequest | undefined;
  readonly receive?: (response: HttpResponse, target: Target) => void;
}

export const CONNECTIONS = 8;
const HOT_PEOPLE = 100;
const SIGNED_IN_PEOPLE = 50;
/** The pages to read for cursors: the last cursor is after 45,000 grants. */
const LIST_PAGES = 450;
const PAGE_GRANTS = 100;
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const QUERY = WORKLOADS.six.query;
/** Scopes that require no palm verification. */
const REQUESTED_SCOPES = 'openid identity:read kyc:read';
const PRESETS = ['country_of_residence', 'age_over_18', 'email', 'kyc_passed', 'kyc_level'];
const AS_ADMINISTRATOR = { Authorization: `Bearer ${ADMINISTRATOR}` };

const bearer = (person: number) => ({ Authorization: `Bearer ${accessToken(person)}` });
const hot = ({ draw }: Target) => draw() % HOT_PEOPLE;
const basic = (application: number) => ({
  Authorization: `Basic ${Buffer.from(`${clientId(application)}:${SECRET}`).toString('base64')}`,
});
const credentialsOf = (application: number) => ({
  client_id: clientId(application),
  client_secret: SECRET,
});
const memberOf = (text: string, name: string) => {
  const value = (JSON.parse(text) as Readonly<Record<string, unknown>>)[name];
  if (typeof value !== 'string') throw new Error(`no \`${name}\` in ${text}`);
  return value;
};
export const evaluate = (person: number, headers = {}): HttpRequest => ({
  method: 'POST',
  path: '/v2/queries/evaluate',
  headers: { ...bearer(person), ...headers },
  body: { query: QUERY },
});
/** People with even numbers granted access to the large application. */
const personOfLargeApplication = ({ draw }: Target) => draw() & ~1;
const userToken = (selector: Readonly<Record<string, string>>): HttpRequest => ({
  method: 'POST',
  path: '/v2/oauth/client/user-token',
  body: { ...credentialsOf(LARGE_APPLICATION), ...selector },
});
const receiveAccessToken = ({ text }: HttpResponse, { accessTokens }: Target) =>
  void accessTokens.push(memberOf(text, 'access_token'));
const listGrants = (parameters: string): HttpRequest => ({
  path: `/v2/authorizations?limit=50${parameters}`,
  headers: basic(LARGE_APPLICATION),
});

/** The operations, each after those that create the values that it requires. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'evaluate, 100 people', request: (target) => evaluate(hot(target)) },
  { name: 'evaluate, random people', request: ({ draw }) => evaluate(draw()) },
  {
    name: 'evaluate, with Origin',
    request: (target) => evaluate(hot(target), { Origin: new URL(REDIRECT_URI).origin }),
  },
  {
    name: 'presets, batch of 5',
    request: ({ draw }) => ({
      method: 'POST',
      path: '/v2/presets/batch',
      headers: bearer(draw()),
      body: { presets: PRESETS },
    }),
  },
  { name: 'userinfo', request: ({ draw }) => ({ path: '/v2/userinfo', headers: bearer(draw()) }) },
  { name: 'credentials', request: ({ draw }) => ({ path: '/v2/credentials', headers: bearer(draw()) }) },
  {
    name: 'introspect',
    request: (target) => {
      const person = target.draw();
      return {
        method: 'POST',
        path: '/v2/oauth/introspect',
        body: { ...credentialsOf(applicationOf(person)), token: accessToken(person) },
      };
    },
  },
  {
    name: 'authorize',
    request: ({ draw, pending }) => {
      const person = draw();
      const parameters = new URLSearchParams({
        response_type: 'code',
        client_id: clientId(LARGE_APPLICATION),
        redirect_uri: REDIRECT_URI,
        scope: REQUESTED_SCOPES,
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
        state: `s${pending.length}`,
        login_hint: personName(person),
      });
      return { path: `/v2/oauth/authorize?${parameters}` };
    },
    receive: ({ headers }, { pending }) => {
      const id = new URL(String(headers['location']), 'https://x').searchParams.get('authorization_id');
      pending.push(id ?? '');
    },
  },
  {
    name: 'approve',
    request: ({ pending }) => {
      const next = pending.pop();
      if (next === undefined) return undefined;
      return {
        method: 'POST',
        path: '/v2/oauth/authorize/approve',
        headers: AS_ADMINISTRATOR,
        body: { authorization_id: next },
      };
    },
    receive: ({ text }, { codes }) => void codes.push(memberOf(text, 'code')),
  },
  {
    name: 'exchange',
    request: ({ codes }) => {
      const code = codes.pop();
      if (code === undefined) return undefined;
      return {
        method: 'POST',
        path: '/v2/oauth/token',
        body: {
          ...credentialsOf(LARGE_APPLICATION),
          grant_type: 'authorization_code',
          code,
          redirect_uri: REDIRECT_URI,
          code_verifier: VERIFIER,
        },
      };
    },
    receive: (response, target) => {
      receiveAccessToken(response, target);
      target.refreshTokens.push(memberOf(response.text, 'refresh_token'));
    },
  },
  {
    name: 'refresh',
    request: ({ refreshTokens }) => {
      const token = refreshTokens.shift();
      if (token === undefined) return undefined;
      return {
        method: 'POST',
        path: '/v2/oauth/token',
        body: { ...credentialsOf(LARGE_APPLICATION), grant_type: 'refresh_token', refresh_token: token },
      };
    },
    receive: ({ text }, { refreshTokens }) => void refreshTokens.push(memberOf(text, 'refresh_token')),
  },
  {
    name: 'user-token by id',
    request: (target) => userToken({ user_id: subject(LARGE_APPLICATION, personOfLargeApplication(target)) }),
    receive: receiveAccessToken,
  },
  {
    name: 'user-token by e-mail',
    request: (target) => userToken({ email: email(personOfLargeApplication(target)) }),
    receive: receiveAccessToken,
  },
  {
    name: 'user-token by wallet',
    request: (target) => userToken({ evm_address: wallet(personOfLargeApplication(target)) }),
    receive: receiveAccessToken,
  },
  {
    name: 'revoke',
    request: ({ accessTokens }) => {
      const token = accessTokens.pop();
      if (token === undefined) return undefined;
      return {
        method: 'POST',
        path: '/v2/oauth/revoke',
        body: { ...credentialsOf(LARGE_APPLICATION), token },
      };
    },
  },
  { name: 'grants of an application', request: () => listGrants('') },
  {
    name: 'grants, a later page',
    prepare: readCursors,
    request: ({ cursors, draw }) => listGrants(`&cursor=${cursors[draw() % cursors.length] ?? ''}`),
  },
  { name: 'grants, status=revoked', request: () => listGrants('&status=revoked') },
  {
    name: "grants, the person's own",
    request: (target) => ({
      path: '/v2/authorizations',
      headers: bearer(personOfLargeApplication(target)),
    }),
  },
  {
    name: 'grants page (HTML)',
    prepare: signIn,
    request: ({ sessions, draw }) => ({
      path: '/grants',
      headers: { Cookie: sessions[draw() % sessions.length] ?? '' },
    }),
  },
  {
    name: 'audience of 50 people',
    connections: 1,
    request: () => ({
      method: 'POST',
      path: '/v2/audiences/evaluate',
      headers: AS_ADMINISTRATOR,
      body: { client_id: clientId(SMALL_APPLICATION), query: QUERY },
    }),
  },
];

/** The arguments of commands that search the audit log. */
export const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'audit --limit 10': ['audit', '--limit', '10'],
  'audit --client': ['audit', '--limit', '10', '--client', clientId(LARGE_APPLICATION)],
  'audit --person': ['audit', '--limit', '10', '--person', personId(7)],
  'audit --kind': ['audit', '--limit', '10', '--kind', 'application_revoked'],
};

/** Walks through the large application's list, up to a number of pages, and keeps the last tenth of the cursors. */
async function readCursors({ client, cursors }: Target): Promise<void> {
  if (cursors.length > 0) return;
  let cursor = '';
  for (let page = 0; page < LIST_PAGES; page += 1) {
    const after = cursor === '' ? '' : `&cursor=${cursor}`;
    const { text } = await client.send({
      path: `/v2/authorizations?limit=${PAGE_GRANTS}${after}`,
      headers: basic(LARGE_APPLICATION),
    });
    const { next_cursor: next } = JSON.parse(text) as { readonly next_cursor?: string | null };
    if (typeof next !== 'string') break;
    cursor = encodeURIComponent(next);
    cursors.push(cursor);
  }
  cursors.splice(0, Math.floor(cursors.length * 0.9));
}

/** Signs people in through the deployment's login. */
async function signIn({ client, deployment, sessions, draw }: Target): Promise<void> {
  while (sessions.length < SIGNED_IN_PEOPLE) {
    const begun = await client.send({ path: '/sign-in' });
    const login = new URL(String(begun.headers['location']));
    const back = new URL(login.searchParams.get('return_to') ?? '');
    const nonce = login.searchParams.get('nonce') ?? '';
    back.searchParams.set('assertion', await deployment.assertSignIn(personName(draw()), nonce));
    const returned = await client.send({
      path: `${back.pathname}${back.search}`,
      headers: { Cookie: cookies(begun) },
    });
    if (returned.status >= 400) throw new Error(`sign-in: ${returned.status} ${returned.text}`);
    sessions.push(`${cookies(begun)}; ${cookies(returned)}`);
  }
}

function cookies({ headers }: HttpResponse): string {
  const set = headers['set-cookie'];
  return (Array.isArray(set) ? set : []).map((cookie) => String(cookie).split(';')[0]).join('; ');
}
