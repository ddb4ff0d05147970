/** The checks that the fuzzer applies to every response. */
import { describe, expect, it } from 'vitest';
import { judgeResponse } from './http/judge-response.js';
import { type PlannedRequest, toSent } from './http/planned-request.js';
import type { Session } from './http/session.js';

const ORIGIN = 'http://127.0.0.1:1';
const TOKEN = 'a'.repeat(43);
const DEPLOYED = { origin: ORIGIN, redirects: /^$/ };
const RESPONSE = {
  status: 200,
  headers: [
    ['content-type', 'application/json'],
    ['x-content-type-options', 'nosniff'],
    ['x-request-id', 'r1'],
  ],
  body: JSON.stringify({ sub: 'user_1', iss: ORIGIN, aud: 'c', authorization_id: 'a', scopes: ['openid'] }),
} as const;

const session = (): Session => ({ known: new Map(), secrets: new Set(), invalidated: new Set() });

function userInfo(form: readonly (readonly [string, string])[]): PlannedRequest {
  const operation = 'postUserInfo';
  return { operation, method: 'POST', path: '/v2/userinfo', query: [], headers: [], body: { form } };
}

describe('a response of `POST /userinfo`', () => {
  const judge = (form: readonly (readonly [string, string])[], judged: Session) =>
    judgeResponse(toSent(userInfo(form), '127.0.0.1:1', judged.known), RESPONSE, judged, DEPLOYED)?.kind;

  it('is a finding if it is successful without a token in header or form', () => {
    expect(judge([], session())).toBe('postUserInfo: succeeded without a token');
  });

  it('is a finding if it is successful with an invalidated token in the form', () => {
    const invalidated = { ...session(), invalidated: new Set([TOKEN]) };
    expect(judge([['access_token', TOKEN]], invalidated)).toBe(
      'postUserInfo: succeeded with an invalidated token',
    );
  });

  it('is not a finding if it is successful with a token in the form', () => {
    expect(judge([['access_token', TOKEN]], session())).toBeUndefined();
  });
});
