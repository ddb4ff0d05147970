/** Findings of `lint`: each code with its pointer and a proven correction (L14). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  equivalent,
  FINDING_CODES,
  implies,
  type LintCatalogue,
  lint,
  residual,
  satisfiable,
} from '../../src/analysis/index.js';
import {
  type CatalogueClaim,
  DEFAULT_CLAIMS,
  defaultScopeCatalogue,
  type PolicyInput,
  type PolicyItemInput,
  re2js,
} from '../../src/index.js';

const adult = { claim: 'identity.age', operator: '>=', value: 18 } as const;
const over21 = { claim: 'identity.age', operator: '>=', value: 21 } as const;
const human = { claim: 'identity.is_human', operator: '==', value: true } as const;

/** An example of each finding: its code, the query, the pointer and the corrected query. */
const EXAMPLES: readonly [
  code: (typeof FINDING_CODES)[number],
  query: PolicyItemInput,
  pointer: string,
  suggestion: PolicyItemInput,
][] = [
  ['always_true', { allOf: [human, { anyOf: [adult, { not: adult }] }] }, '/policy/allOf/1', human],
  [
    'always_false',
    { anyOf: [human, { allOf: [adult, { claim: 'identity.age', operator: '<', value: 3 }] }] },
    '/policy/anyOf/1',
    human,
  ],
  ['redundant_item', { allOf: [human, adult, over21] }, '/policy/allOf/1', { allOf: [human, over21] }],
  ['shadowed_alternative', { anyOf: [adult, over21, human] }, '/policy/anyOf/1', { anyOf: [adult, human] }],
  [
    'negated_undefined',
    { allOf: [human, { not: { claim: 'kyc.document_country', operator: 'in', value: ['KP'] } }] },
    '/policy/allOf/1',
    {
      allOf: [
        human,
        { claim: 'kyc.document_country', operator: 'isDefined' },
        { not: { claim: 'kyc.document_country', operator: 'in', value: ['KP'] } },
      ],
    },
  ],
  [
    'plain_pattern',
    { claim: 'identity.phone', operator: 'matchRegex', value: '^\\+351' },
    '',
    { claim: 'identity.phone', operator: 'startsWith', value: '+351' },
  ],
  [
    'type_clash',
    { anyOf: [human, { claim: 'identity.age', operator: '==', value: '18' }] },
    '/policy/anyOf/1',
    human,
  ],
  ['duplicate_check', { allOf: [adult, human, adult] }, '/policy/allOf/2', { allOf: [adult, human] }],
];

describe('lint', () => {
  it('has an example of each finding code with a correction', () => {
    const uncorrected = ['pattern_delimiters', 'unknown_claim'];
    expect([...EXAMPLES.map(([code]) => code), ...uncorrected].sort()).toEqual([...FINDING_CODES].sort());
  });

  it.each(EXAMPLES)('reports %s with its pointer and a correction', (code, item, pointer, suggestion) => {
    const query = { policy: { allOf: [item] } };
    const linted = 'claim' in item ? { check: item } : { policy: item };
    const { findings } = lint(linted);
    const finding = findings.find((one) => one.code === code);
    expect(finding).toMatchObject({ pointer });
    if (finding === undefined) return;
    expect(equivalent(finding.suggestion, { policy: { allOf: [suggestion] } }).answer).toBe('yes');
    expect(implies(finding.suggestion, query).answer).toBe('yes');
    if (finding.relation === 'equivalent') expect(implies(query, finding.suggestion).answer).toBe('yes');
    // The corrected query no longer has the finding.
    expect(lint(finding.suggestion).findings.filter((one) => one.code === code)).toEqual([]);
  });

  it('reports each constant item of a group of more than ten items', () => {
    const constant = { not: { allOf: [adult, { claim: 'identity.age', operator: '<', value: 3 }] } } as const;
    const others = Array.from({ length: 9 }, (_, index) => ({
      claim: `x.number${index}`,
      operator: '>',
      value: 0,
    }));
    const query = { policy: { allOf: [human, constant, ...others.slice(1), constant] } };
    const pointers = lint(query, 'none').findings.map(({ code, pointer }) => [code, pointer]);
    expect(pointers).toContainEqual(['always_true', '/policy/allOf/1']);
    expect(pointers).toContainEqual(['always_true', '/policy/allOf/10']);
  });

  // L15
  it('replaces a pattern that matches one string by an equality, and reports a type clash for each claim type', () => {
    const pattern = { check: { claim: 'kyc.level', operator: 'matchRegex', value: '^basic$' } };
    expect(lint(pattern).findings[0]).toMatchObject({
      suggestion: { check: { claim: 'kyc.level', operator: '==', value: 'basic' } },
    });
    const clashes = [
      ['identity.is_human', '==', 'true'],
      ['identity.service_score', 'startsWith', '1'],
      ['identity.email', '>', 3],
      ['identity.date_of_birth', '>', 3],
      ['kyc.last_updated_at', '==', 5],
      ['kyc.level', '==', 'golden'],
      ['identity.wallet_addresses', '==', '0x'],
    ] as const;
    for (const [claim, operator, value] of clashes) {
      const codes = lint({ check: { claim, operator, value } }).findings.map(({ code }) => code);
      expect(codes, claim).toEqual(['type_clash']);
    }
  });

  // S432
  it('reports a pattern written as a JavaScript literal, whose slashes and flags would match themselves', () => {
    const codesOf = (value: string) =>
      lint({ check: { claim: 'identity.email', operator: 'matchRegex', value } }).findings.map(
        ({ code, pointer }) => `${code} ${pointer}`,
      );
    for (const value of ['/abc/i', '/a\\/b/gi', '/[a-z]+@example/m'])
      expect(codesOf(value)).toEqual(['pattern_delimiters ']);
    for (const value of ['abc', '/users/', '/users/i/posts', '[/]abc/i', '(?i)abc', '/img/png'])
      expect(codesOf(value)).toEqual([]);
  });

  // S427
  it.each([
    [null, "`catalogue` must be an object with the `claims` of a catalogue, or `'none'` (got null)"],
    ['None', "`catalogue` must be an object with the `claims` of a catalogue, or `'none'` (got a string)"],
    [DEFAULT_CLAIMS, '(got an array)'],
    [{ steps: 3 }, '(got an object)'],
    [
      { catalogue: { claims: DEFAULT_CLAIMS } },
      "or `'none'` (got an object). Pass the value of its member `catalogue`.",
    ],
    [defaultScopeCatalogue, '`catalogue` must be an object with the `claims` of a catalogue'],
    [{ claims: {} }, '`claims` of `catalogue` must be an array (got an object)'],
    [{ claims: [1] }, 'each of `claims` of `catalogue` must be an object (got 1)'],
    [{ claims: [{ type: 'string' }] }, '`path` of a claim of `catalogue` must be a string (got undefined)'],
    [{ claims: [{ path: 'a.b', type: 'strng' }] }, '`type` of `a.b` must be one of'],
  ])('rejects a wrong catalogue instead of not checking claims: %j', (catalogue, message) => {
    const call = () => lint({ check: adult }, catalogue as unknown as LintCatalogue);
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
    const known = () => residual({ check: adult }, {}, { catalogue: catalogue as unknown as LintCatalogue });
    expect(known).toThrow(message);
  });

  it('suggests nothing for a type clash under an odd number of `not`, since the check was meant to exclude people', () => {
    const claims: readonly CatalogueClaim[] = [
      { path: 'gym.banned', type: 'boolean', scope: 'gym', sensitivity: 'low', description: 'Ban.' },
    ];
    const clash = { claim: 'gym.banned', operator: 'startsWith', value: 'x' } as const;
    for (const excluding of [{ not: clash }, { allOf: [{ not: clash }] }, { not: { not: { not: clash } } }]) {
      const finding = lint({ policy: excluding }, { claims }).findings.find(
        ({ code }) => code === 'type_clash',
      );
      expect(finding?.message).toBe(
        'No value of `gym.banned` passes this check: the claim is of type boolean. Under `not`, it therefore excludes no one. Correct it.',
      );
      // A suggestion would be stricter, but would admit only people whose ban is unknown.
      expect(finding).not.toHaveProperty('suggestion');
    }
    const admitting = { policy: { anyOf: [adult, { not: { not: clash } }] } };
    const { findings } = lint(admitting, { claims: [...claims, ...DEFAULT_CLAIMS] });
    expect(findings.find(({ code }) => code === 'type_clash')?.suggestion).toEqual({ check: adult });
  });

  it('reports no finding for a query without mistakes', () => {
    const query = {
      policy: {
        allOf: [
          adult,
          { anyOf: [human, { claim: 'kyc.level', operator: 'in', value: ['basic', 'enhanced'] }] },
          { claim: 'kyc.document_country', operator: 'isDefined' },
          { not: { claim: 'kyc.document_country', operator: '==', value: 'KP' } },
        ],
      },
    };
    expect(lint(query).findings).toEqual([]);
  });

  // L14
  it('suggests no guard for a negation under another one, which excludes people whose claim is undefined', () => {
    const isSanctioned = { claim: 'kyc.document_country', operator: 'in', value: ['KP'] };
    expect(lint({ policy: { not: { not: isSanctioned } } }).findings.map(({ code }) => code)).not.toContain(
      'negated_undefined',
    );
  });

  it('reports a member of a claim that is not an object in the catalogue, such as an integer', () => {
    const query = { check: { claim: 'identity.age.years', operator: '>=', value: 18 } };
    const message = 'The catalogue has no claim `identity.age.years`. Did you mean `identity.age`?';
    expect(lint(query).findings).toEqual([{ code: 'unknown_claim', pointer: '/check/claim', message }]);
    expect(lint(query, 'none').findings).toEqual([]);
  });

  it('reports claims that the catalogue does not have, with the nearest one', () => {
    const query = {
      policy: {
        allOf: [
          { claim: 'identity.agee', operator: '>=', value: 18 },
          { claim: 'identity.address_full.country', operator: '==', value: 'PT' },
          { not: { claim: 'member.level', operator: '<', value: 3 } },
        ],
      },
    };
    const unknown = (catalogue?: LintCatalogue) =>
      lint(query, catalogue).findings.filter(({ code }) => code === 'unknown_claim');
    expect(unknown()).toEqual([
      {
        code: 'unknown_claim',
        pointer: '/policy/allOf/0/check/claim',
        message: 'The catalogue has no claim `identity.agee`. Did you mean `identity.age`?',
      },
      {
        code: 'unknown_claim',
        pointer: '/policy/allOf/2/policy/not/check/claim',
        message: 'The catalogue has no claim `member.level`.',
      },
    ]);
    expect(unknown('none')).toEqual([]);
    const long = { check: { claim: 'financial.trading_frequency_scroe', operator: '>', value: 3 } };
    expect(lint(long).findings).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('`financial.trading_frequency_score`?') }),
    );
    const level = {
      path: 'member.level',
      type: 'integer',
      scope: 'm',
      sensitivity: 'low',
      description: 'Level.',
    };
    expect(unknown({ claims: [level] as CatalogueClaim[] })).toHaveLength(2);
  });

  it.each([
    { check: { claim: 'identity.age', operator: '==', value: '18' } },
    { policy: { allOf: [adult, { not: adult }] } },
    { policy: { allOf: [human, { claim: 'identity.age', operator: '>=', value: '2020-01-01' }] } },
  ])('suggests no query that never passes, but reports the mistake: %j', (query) => {
    const { findings } = lint(query);
    expect(findings).not.toEqual([]);
    for (const finding of findings) expect(Object.keys(finding)).toEqual(['code', 'pointer', 'message']);
  });

  // L7
  it('accepts queries at the limits, and suggests no query beyond them', () => {
    const unguarded = { not: { claim: 'kyc.document_country', operator: '==', value: 'KP' } } as const;
    const deepest = Array.from({ length: 15 }).reduce<PolicyItemInput>(
      (inner, _, depth) => (depth % 2 === 0 ? { anyOf: [inner, adult] } : { allOf: [inner, human] }),
      unguarded,
    );
    const [finding] = lint({ policy: deepest as PolicyInput }).findings;
    expect(finding).toMatchObject({ code: 'negated_undefined' });
    expect(finding).not.toHaveProperty('suggestion');
    const checks = Array.from({ length: 6 }, (_, value) => ({ ...adult, claim: `a.n${value}` }));
    const longest = { policy: { allOf: [...checks, unguarded] } };
    const codesWithin = (limit: number) =>
      lint(longest, 'none', { limits: { checks: limit } }).findings.map(({ code, suggestion }) => [
        code,
        suggestion !== undefined,
      ]);
    expect(codesWithin(7)).toEqual([['negated_undefined', false]]);
    expect(codesWithin(8)).toEqual([['negated_undefined', true]]);
  });

  // L7
  it('compares an operand with an enum of more values than an operand may have', () => {
    const values = Array.from({ length: 1_001 }, (_, index) => `v${index}`);
    const claim = { path: 'a.code', type: 'enum', scope: 's', sensitivity: 'low', description: '', values };
    const codes = (value: string) =>
      lint(
        { check: { claim: 'a.code', operator: '==', value } },
        { claims: [claim as CatalogueClaim] },
      ).findings.map(({ code }) => code);
    expect(codes('v1000')).toEqual([]);
    expect(codes('v1001')).toEqual(['type_clash']);
  });

  it('compiles patterns in proportion to the number of items, and prepares the search for the query once', () => {
    let compiled = 0;
    const compile = (pattern: string) => {
      compiled += 1;
      return re2js.compile(pattern);
    };
    const compilationsOf = (items: number) => {
      compiled = 0;
      const claims = Array.from({ length: items }, (_, index) => `member.claim${index}`);
      const anyOf = claims.map((claim): PolicyItemInput => ({ claim, operator: 'matchRegex', value: 'a$' }));
      const [first] = anyOf;
      const query = items === 1 ? { check: first } : { policy: { anyOf } };
      expect(lint(query, 'none', { regex: { compile } }).findings).toEqual([]);
      return compiled;
    };
    const few = compilationsOf(16);
    expect(compilationsOf(32)).toBeLessThan(2.5 * few);
    // Once to read the query, and twice to prepare the search.
    expect(compilationsOf(1)).toBe(3);
  });

  it('suggests only queries that can pass, for random policies', () => {
    // Values that fit the types of their claims, and values that do not.
    const checks = ['identity.age', 'identity.is_human', 'kyc.level', 'identity.date_of_birth'].flatMap(
      (claim): PolicyItemInput[] => [
        { claim, operator: '>=', value: 18 },
        { claim, operator: '<', value: 21 },
        { claim, operator: '>=', value: '2008-01-01' },
        { claim, operator: '==', value: 'basic' },
        { claim, operator: '==', value: true },
        { claim, operator: 'isDefined' },
      ],
    );
    const { item } = fc.letrec<{ item: PolicyItemInput }>((tie) => ({
      item: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'policy' },
        fc.constantFrom(...checks),
        fc.array(tie('item'), { minLength: 1, maxLength: 3 }).map((allOf) => ({ allOf })),
        fc.array(tie('item'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
        tie('item').map((not) => ({ not })),
      ),
    }));
    const suggested = fc.property(item, (drawn) => {
      for (const { suggestion, relation } of lint({ policy: { allOf: [drawn] } }).findings) {
        expect(suggestion === undefined).toBe(relation === undefined);
        if (suggestion !== undefined) expect(satisfiable(suggestion).answer).toBe('yes');
      }
    });
    fc.assert(suggested, { seed: 1, numRuns: 300 });
  });
});
