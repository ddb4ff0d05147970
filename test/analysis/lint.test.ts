/** Findings of `lint`: each code with its pointer and a proven correction (L14). */
import { describe, expect, it } from 'vitest';
import { equivalent, FINDING_CODES, implies, lint } from '../../src/analysis/index.js';
import type { PolicyItemInput } from '../../src/index.js';

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
  it('has an example of each finding code', () => {
    expect(EXAMPLES.map(([code]) => code)).toEqual([...FINDING_CODES]);
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
  it('adds a guard to a negation that admits people, but not to one that excludes them', () => {
    const isSanctioned = { claim: 'kyc.document_country', operator: 'in', value: ['KP'] };
    expect(lint({ policy: { not: { not: isSanctioned } } }).findings.map(({ code }) => code)).not.toContain(
      'negated_undefined',
    );
  });
});
