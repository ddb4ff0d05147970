/** `runPolicyTest`: verdicts, failing claims, coverage of checks. */
import { describe, expect, it } from 'vitest';
import { type Catalogue, QueryError } from '../../../src/index.js';
import { mergeCoverage, summarizeCoverage } from '../../../src/policy-tests/coverage.js';
import {
  generateCases,
  type PolicyTestOptions,
  parsePolicyTest,
  runPolicyTest,
} from '../../../src/policy-tests/index.js';

const ADULT = { claim: 'identity.age', operator: '>=', value: 18 };
const KNOWN = { claim: 'kyc.passed', operator: '==', value: true };
const COUNTRY = { not: { claim: 'kyc.document_country', operator: '==', value: 'KP' } };

function run(file: object, options?: PolicyTestOptions) {
  return runPolicyTest(parsePolicyTest(file), options);
}

describe('runPolicyTest', () => {
  // S435
  it('rejects the JSON of a test that was not parsed by `parsePolicyTest`', () => {
    const file = {
      query: { check: ADULT },
      cases: [{ title: 'a minor', claims: { 'identity.age': 17 }, passes: false }],
    };
    expect(() => runPolicyTest(file as never)).toThrow(
      new TypeError(
        '`test` must be a policy test, as `parsePolicyTest` returns it (got cases without parsed claims)',
      ),
    );
  });

  it('compares the verdict, and the failing claims where a case states them', () => {
    const { cases } = run({
      query: { policy: { allOf: [ADULT, KNOWN] } },
      cases: [
        { title: 'a known adult', claims: { 'identity.age': 18, 'kyc.passed': true }, passes: true },
        { title: 'a minor', claims: { 'identity.age': 17 }, passes: false, failing: ['identity.age'] },
        { title: 'a wrong expectation', claims: { 'kyc.passed': true }, passes: true },
      ],
    });
    expect(cases).toMatchObject([
      { ok: true, actual: true, failing: [] },
      { ok: false, actual: false, failing: [{ claim: 'identity.age' }, { claim: 'kyc.passed' }] },
      { ok: false, expected: true, actual: false, failing: [{ claim: 'identity.age' }] },
    ]);
  });

  it('evaluates credentials at the instant of the case', () => {
    const credentials = [
      {
        id: 'c1',
        source: 's',
        issuedAt: '2026-01-01',
        expiresAt: '2026-02-01',
        claims: { 'kyc.passed': true },
      },
    ];
    const { cases } = run({
      query: { check: KNOWN },
      now: '2026-01-15',
      cases: [
        { title: 'before the expiry', credentials, passes: true },
        { title: 'at the expiry', credentials, now: '2026-02-01T00:00:00Z', passes: false },
      ],
    });
    expect(cases.map(({ ok }) => ok)).toEqual([true, true]);
  });

  it('rejects an invalid query, projections, and a file name without its content', () => {
    const cases = [{ title: 'x', claims: {}, passes: false }];
    expect(() => run({ query: { check: { claim: 'age' } }, cases })).toThrow(QueryError);
    expect(() => run({ query: { projections: [{ claim: 'identity.age', lens: 'pluck' }] }, cases })).toThrow(
      'must be a check or a policy',
    );
    expect(() => run({ query: 'a.json', cases })).toThrow('`options.query` is required');
    expect(() => run({ query: { check: ADULT }, catalogue: 'c.json', cases })).toThrow(
      '`options.catalogue` is required',
    );
  });

  it('rejects claims that the catalogue does not have, values of another type, and failing claims that the query does not read', () => {
    const file = {
      query: { policy: { allOf: [ADULT, { ...KNOWN, claim: 'kyc.pased' }] } },
      cases: [
        { title: 'misspelled', claims: { 'identity.agee': 18 }, passes: false },
        { title: 'text', claims: { 'identity.age': '18' }, passes: false, failing: ['kyc.level'] },
      ],
    };
    expect(() => run(file)).toThrow(
      expect.objectContaining({
        code: 'invalid_policy_test',
        problems: [
          { code: 'claim_unknown', pointer: '/query', message: expect.stringContaining('`kyc.passed`') },
          { code: 'claim_unknown', pointer: '/cases/0/claims/identity.agee', message: expect.any(String) },
          { code: 'claim_invalid', pointer: '/cases/1/claims/identity.age', message: expect.any(String) },
          { code: 'claim_unknown', pointer: '/cases/1/failing/0', message: expect.any(String) },
        ],
      }),
    );
    expect(() => run({ ...file, catalogue: 'none' })).toThrow('does not read `kyc.level`');
  });

  it('uses the catalogue that the file names', () => {
    const scopes: Catalogue['scopes'] = [
      {
        name: 'member:read',
        category: 'member',
        sensitivity: 'low',
        displayName: 'Level',
        description: 'Level',
      },
    ];
    const claim = { path: 'member.level', type: 'integer', scope: 'member:read' } as const;
    const catalogue = { scopes, claims: [{ ...claim, sensitivity: 'low', description: 'Level' } as const] };
    const query = { check: { claim: 'member.level', operator: '>=', value: 3 } };
    const cases = [{ title: 'level 3', claims: { 'member.level': 3 }, passes: true }];
    expect(run({ query, catalogue: 'catalogue.json', cases }, { catalogue }).cases[0]?.ok).toBe(true);
    expect(() => run({ query, cases })).toThrow('The catalogue has no claim `member.level`');
  });

  it('advises to name a catalogue only if none is named', () => {
    const query = { check: { claim: 'member.levle', operator: '>=', value: 3 } };
    const cases = [{ title: 'level 3', claims: { 'member.levle': 3 }, passes: true }];
    const claim = {
      path: 'member.level',
      type: 'integer',
      scope: 'member:read',
      sensitivity: 'low',
    } as const;
    const text = { displayName: 'Level', description: 'Level' };
    const scope = { name: 'member:read', category: 'member', sensitivity: 'low', ...text } as const;
    const catalogue = { scopes: [scope], claims: [{ ...claim, description: 'Level' }] };
    const advice = 'Name your `catalogue`, or `none`.';
    expect(() => run({ query, cases })).toThrow(`The catalogue has no claim \`member.levle\`. ${advice}`);
    const misspelled = 'The catalogue has no claim `member.levle` (did you mean `member.level`?).';
    const named = () => run({ query, catalogue: 'catalogue.json', cases }, { catalogue });
    expect(named).toThrow(misspelled);
    expect(named).not.toThrow(advice);
    expect(() => generateCases(query, { catalogue })).toThrow(misspelled);
    expect(() => generateCases(query, { catalogue })).not.toThrow(advice);
    expect(() => generateCases(query)).toThrow(advice);
  });
});

describe('the coverage of checks', () => {
  it('counts a check whose opposite outcome would change the verdict, by its JSON Pointer', () => {
    const query = { policy: { allOf: [ADULT, { anyOf: [KNOWN, COUNTRY] }] } };
    const { coverage } = run({
      query,
      cases: [
        // The age decides; of the other two checks, each would suffice.
        { title: 'an adult', claims: { 'identity.age': 18, 'kyc.passed': true }, passes: true },
        // Each of the other two checks decides: with the opposite outcome, it would suffice.
        { title: 'from KP', claims: { 'identity.age': 18, 'kyc.document_country': 'KP' }, passes: false },
      ],
    });
    expect(coverage.map(({ pointer, passing, failing }) => [pointer, passing, failing])).toEqual([
      ['/policy/allOf/0', true, false],
      ['/policy/allOf/1/policy/anyOf/0', false, true],
      ['/policy/allOf/1/policy/anyOf/1/policy/not', true, false],
    ]);
  });

  // In quadratic time, this would take minutes.
  it('is measured in linear time', () => {
    const paths = Array.from({ length: 30_000 }, (_, index) => `member.claim${index}`);
    const allOf = paths.map((claim) => ({ claim, operator: 'isDefined' }));
    const claims = Object.fromEntries(paths.map((path) => [path, true]));
    const cases = ['first', 'second', 'third'].map((title) => ({ title, claims, passes: true }));
    const limits = { checks: paths.length };
    const { coverage } = run({ query: { policy: { allOf } }, catalogue: 'none', cases }, { limits });
    expect(coverage.every(({ passing, failing }) => passing && !failing)).toBe(true);
  });

  it('is merged over the tests of equal queries', () => {
    const test = (title: string, age: number, passes: boolean) =>
      run({ query: { check: ADULT }, cases: [{ title, claims: { 'identity.age': age }, passes }] });
    const tests = [test('an adult', 18, true), test('a minor', 17, false)];
    expect(summarizeCoverage(tests)).toEqual({ covered: 2, total: 4 });
    expect(summarizeCoverage(mergeCoverage(tests))).toEqual({ covered: 2, total: 2 });
  });
});
