/** Bodies with more members or items than any client sends are rejected before their members are validated one by one (S12, S42, S153). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedService, startService } from '../support/start-service.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const membersBody = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"m${index}":1`).join(',')}}`;
const tokensBody = (item: string, count: number) => `{"tokens":[${Array(count).fill(item).join(',')}]}`;

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

async function codesOf(path: string, type: string, body: string): Promise<(string | undefined)[]> {
  const response = await fetch(`${started.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
  });
  const { context, error_subcode } = (await response.json()) as {
    error_subcode?: string;
    context?: { problems?: { code: string }[] };
  };
  return context?.problems?.map(({ code }) => code) ?? [error_subcode];
}

/** Paths, with the maximum number of members and items. */
const JSON_PATHS = [
  ['/oauth/token', 1_000],
  ['/oauth/revoke', 1_000],
  ['/oauth/introspect', 1_000],
  ['/oauth/client/user-token', 1_000],
  // Repeats the conditions of a request.
  ['/oauth/authorize/approve', 4_096],
  ['/oauth/authorize/deny', 1_000],
] as const;

describe.each(JSON_PATHS)('a JSON body for %s', (path, limit) => {
  it.each([
    ['one member above the limit', membersBody(limit + 1)],
    ['an array of 32,000 numbers', tokensBody('1', 32_000)],
    ['an array of 20,000 objects', tokensBody('{}', 20_000)],
    [
      'arrays of 400 items each, above the limit in total',
      `{"a":${JSON.stringify(Array(Math.ceil(limit / 400)).fill(Array(400).fill(1)))}}`,
    ],
  ])('with %s is rejected with a single problem', async (_what, body) => {
    expect(await codesOf(path, JSON_TYPE, body)).toEqual(['body_size']);
  });

  it('with as many members as the limit is not rejected for its size', async () => {
    expect(await codesOf(path, JSON_TYPE, membersBody(limit))).not.toContain('body_size');
  });
});

describe.each(['/oauth/token', '/oauth/par', '/oauth/revoke', '/oauth/introspect'])(
  'a form for %s',
  (path) => {
    const form = (count: number) => Array.from({ length: count }, (_, index) => `m${index}=1`).join('&');

    it('with 1,001 parameters is rejected with a single problem', async () => {
      expect(await codesOf(path, FORM_TYPE, form(1_001))).toEqual(['body_size']);
    });

    it('with 1,000 parameters is not rejected for its size', async () => {
      expect(await codesOf(path, FORM_TYPE, form(1_000))).not.toContain('body_size');
    });
  },
);
