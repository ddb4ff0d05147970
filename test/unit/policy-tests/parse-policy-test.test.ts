/** Parsing of policy tests: every problem is reported with its JSON Pointer. The JSON Schema of policy tests. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { PolicyTestError, parsePolicyTest } from '../../../src/policy-tests/index.js';
import { policyTestJsonSchema } from '../../../src/policy-tests/json-schema.js';

const ADULT = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
const PASSING = { title: 'an adult', claims: { 'identity.age': 18 }, passes: true };
const CREDENTIAL = { id: 'c1', source: 'Registry', issuedAt: '2026-01-01', claims: { 'identity.age': 18 } };

function problemsOf(json: unknown): readonly string[] {
  try {
    parsePolicyTest(json);
    return [];
  } catch (error) {
    if (!(error instanceof PolicyTestError)) throw error;
    return error.problems.map(({ code, pointer }) => `${pointer}: ${code}`);
  }
}

describe('parsePolicyTest', () => {
  it('reads the query, the catalogue and the cases, whose instant is that of the file unless they have one', () => {
    const test = parsePolicyTest({
      $schema: './policy-test.schema.json',
      query: './adult.json',
      catalogue: 'none',
      now: '2026-06-01',
      cases: [
        PASSING,
        { title: 'attested', credentials: [CREDENTIAL], now: '2026-07-01T00:00:00Z', passes: true },
        { title: 'a minor', claims: {}, passes: false, failing: ['identity.age'] },
      ],
    });
    expect(test).toMatchObject({
      query: './adult.json',
      catalogue: 'none',
      cases: [
        { claims: { kind: 'plain', claims: { 'identity.age': 18 } }, now: Date.UTC(2026, 5, 1) },
        {
          claims: { kind: 'credentials', credentials: [{ issuedAt: Date.UTC(2026, 0, 1) }] },
          now: Date.UTC(2026, 6, 1),
        },
        { passes: false, failing: ['identity.age'] },
      ],
    });
  });

  it.each<[string, unknown, readonly string[]]>([
    ['a file that is no object', [], [': not_an_object']],
    ['a file without members', {}, [': member_missing', ': member_missing']],
    ['an unknown member', { query: ADULT, case: [], cases: [PASSING] }, ['/case: member_unknown']],
    ['a query that is a list', { query: [ADULT], cases: [PASSING] }, ['/query: not_an_object']],
    [
      'a catalogue that is an object',
      { query: ADULT, catalogue: {}, cases: [PASSING] },
      ['/catalogue: not_a_string'],
    ],
    ['no cases', { query: ADULT, cases: [] }, ['/cases: list_empty']],
    ['cases that are no array', { query: ADULT, cases: PASSING }, ['/cases: not_an_array']],
    ['a case that is no object', { query: ADULT, cases: ['x'] }, ['/cases/0: not_an_object']],
    [
      'a case without title, claims and verdict',
      { query: ADULT, cases: [{}] },
      ['/cases/0: member_missing', '/cases/0: member_missing', '/cases/0: member_missing'],
    ],
    ['a repeated title', { query: ADULT, cases: [PASSING, PASSING] }, ['/cases/1/title: title_repeated']],
    [
      'a verdict that is a string',
      { query: ADULT, cases: [{ ...PASSING, passes: 'true' }] },
      ['/cases/0/passes: not_a_boolean'],
    ],
    [
      'failing claims of a case that passes',
      { query: ADULT, cases: [{ ...PASSING, failing: ['identity.age'] }] },
      ['/cases/0/failing: member_unexpected'],
    ],
    [
      'a failing claim that is no path',
      { query: ADULT, cases: [{ ...PASSING, passes: false, failing: ['age'] }] },
      ['/cases/0/failing/0: claim_invalid'],
    ],
    [
      'a malformed claim path',
      { query: ADULT, cases: [{ ...PASSING, claims: { age: 3 } }] },
      ['/cases/0/claims/age: claim_invalid'],
    ],
    [
      'a value that is not JSON',
      { query: ADULT, cases: [{ ...PASSING, claims: { 'identity.age': Number.NaN } }] },
      ['/cases/0/claims/identity.age: claim_invalid'],
    ],
    [
      'claims and credentials at once',
      { query: ADULT, now: '2026-01-01', cases: [{ ...PASSING, credentials: [CREDENTIAL] }] },
      ['/cases/0: member_missing'],
    ],
    [
      'an invalid credential',
      {
        query: ADULT,
        now: '2026-01-01',
        cases: [{ title: 'x', credentials: [{ ...CREDENTIAL, issuedAt: 'today' }], passes: true }],
      },
      ['/cases/0/credentials/0/issuedAt: credentials_invalid'],
    ],
    [
      'credentials without an instant, since their verdict would change with the clock',
      { query: ADULT, cases: [{ title: 'x', credentials: [CREDENTIAL], passes: true }] },
      ['/cases/0: member_missing'],
    ],
    ['a malformed instant', { query: ADULT, now: 'today', cases: [PASSING] }, ['/now: instant_malformed']],
    [
      'a malformed instant of the file, which is not reported as missing at its cases with credentials',
      { query: ADULT, now: 'today', cases: [{ title: 'x', credentials: [CREDENTIAL], passes: true }] },
      ['/now: instant_malformed'],
    ],
    [
      'an instant outside of the years 0000 to 9999',
      { query: ADULT, now: '0000-01-01T00:00:00+23:59', cases: [PASSING] },
      ['/now: instant_malformed'],
    ],
  ])('rejects %s', (_fault, json, problems) => {
    expect(problemsOf(json)).toEqual(problems);
  });

  it('suggests the member that a misspelled one resembles', () => {
    expect(() => parsePolicyTest({ query: ADULT, cases: [{ ...PASSING, pases: true }] })).toThrow(
      'did you mean `passes`?',
    );
  });
});

describe('the JSON Schema of policy tests', () => {
  const validate = new Ajv2020({ strict: false }).compile(policyTestJsonSchema());

  it('accepts valid tests, and rejects cases without or with two kinds of claims, unknown members and invalid queries', () => {
    expect(validate({ query: ADULT, now: '2026-01-01', cases: [PASSING] })).toBe(true);
    expect(validate({ query: 'adult.json', cases: [PASSING] })).toBe(true);
    expect(validate({ query: 'adult.json', cases: [{ ...PASSING, claims: undefined }] })).toBe(false);
    expect(validate({ query: ADULT, cases: [{ ...PASSING, pases: true }] })).toBe(false);
    expect(validate({ query: { check: { claim: 'identity.age', operator: '=>' } }, cases: [PASSING] })).toBe(
      false,
    );
    expect(validate({ query: ADULT, cases: [{ ...PASSING, credentials: [] }] })).toBe(false);
  });
});
