/** Catalogues of a deployment's own: read whole or as changes, and refused with every problem at once (contract §5). */
import { describe, expect, it } from 'vitest';
import {
  CatalogueError,
  createServiceCatalogue,
  DEFAULT_CATALOGUE,
  encodeCatalogue,
  parseCatalogue,
} from '../../../../src/service/index.js';

const SCOPE = {
  name: 'loyalty:read',
  category: 'loyalty',
  sensitivity: 'low',
  display_name: 'Your points',
  description: 'How many points you have.',
};
const CLAIM = {
  path: 'loyalty.points',
  type: 'integer',
  scope: 'loyalty:read',
  sensitivity: 'low',
  description: 'Points.',
};
const PRESET = { name: 'points', claim: 'loyalty.points', consent_text: 'Your points' };

function problemsOf(json: unknown): readonly (readonly [code: string, pointer: string])[] {
  try {
    parseCatalogue(json);
  } catch (error) {
    if (error instanceof CatalogueError)
      return error.problems.map(({ code, pointer }) => [code, pointer] as const);
    throw error;
  }
  return [];
}

const whole = (changes: Readonly<Record<string, unknown>>) => ({
  scopes: [SCOPE],
  claims: [CLAIM],
  presets: [PRESET],
  ...changes,
});

describe('a catalogue', () => {
  it('that is written is read as the same', () => {
    const text = JSON.stringify(encodeCatalogue(DEFAULT_CATALOGUE));
    expect(parseCatalogue(JSON.parse(text))).toEqual(DEFAULT_CATALOGUE);
  });

  it('says by an example what would be seen, or by none', () => {
    const scopesOf = (changes: object) =>
      parseCatalogue(whole({ scopes: [{ ...SCOPE, ...changes }] })).scopes;
    expect(scopesOf({ example: '1,250 points' })[0]?.example).toBe('1,250 points');
    expect(scopesOf({})[0]).not.toHaveProperty('example');
    expect(problemsOf(whole({ scopes: [{ ...SCOPE, example: '' }] }))).toContainEqual([
      'not_a_string',
      '/scopes/0/example',
    ]);
  });

  it('of its own is all that there is', () => {
    const catalogue = createServiceCatalogue(parseCatalogue(whole({})));
    expect(catalogue.scopes.scopes).toEqual(['loyalty:read']);
    expect(catalogue.findPreset('points')).toMatchObject({ scope: 'loyalty:read', category: 'loyalty' });
    expect(catalogue.findClaim('kyc.level')).toBeUndefined();
  });

  it('that extends the default one adds to it, and takes the place of what has the same name', () => {
    const changed = { ...SCOPE, name: 'kyc:read', category: 'kyc', sensitivity: 'medium' };
    const read = parseCatalogue({
      extends: 'default',
      scopes: [SCOPE, changed],
      claims: [CLAIM],
      presets: [PRESET],
    });
    const catalogue = createServiceCatalogue(read);
    expect(catalogue.findScope('kyc:read')?.displayName).toBe('Your points');
    expect(catalogue.presets).toHaveLength(DEFAULT_CATALOGUE.presets.length + 1);
    expect(read.scopes).toHaveLength(DEFAULT_CATALOGUE.scopes.length + 1);
  });
});

const over = (value: unknown, operator = '>=') => ({
  ...CLAIM,
  path: 'loyalty.gold',
  type: 'boolean',
  derived: { parent: 'loyalty.points', check: { operator, value } },
});

describe('a derived claim', () => {
  it('by any operator of the language is accepted', () => {
    expect(problemsOf(whole({ claims: [CLAIM, over(1_000)] }))).toEqual([]);
  });

  it.each([
    [
      'an operand that the operator does not take',
      over('many', 'in'),
      'derivation_malformed',
      '/derived/check',
    ],
    ['an operator that there is not', over(1, 'above'), 'value_unknown', '/derived/check/operator'],
    ['another type than boolean', { ...over(1), type: 'integer' }, 'derivation_malformed', '/derived/check'],
    [
      'a parent that is derived itself',
      { ...over(1), derived: { parent: 'loyalty.gold', rule: 'region' } },
      'parent_unknown',
      '/derived/parent',
    ],
    [
      'both a check and a rule',
      { ...over(1), derived: { parent: 'loyalty.points', rule: 'region', check: {} } },
      'member_missing',
      '/derived',
    ],
    [
      'a part of a year',
      { ...over(1), derived: { parent: 'loyalty.points', check: { operator: '<=', years_before_now: 0.5 } } },
      'derivation_malformed',
      '/derived/check/years_before_now',
    ],
  ])('with %s is refused', (_what, claim, code, pointer) => {
    expect(problemsOf(whole({ claims: [CLAIM, claim] }))).toContainEqual([code, `/claims/1${pointer}`]);
  });
});

describe('what is wrong is told with its place:', () => {
  it.each([
    ['no catalogue', [], 'not_an_object', ''],
    ['another base', { extends: 'other' }, 'value_unknown', '/extends'],
    ['a list that is none', whole({ scopes: {} }), 'not_an_array', '/scopes'],
    ['an unknown member', whole({ scope: [] }), 'member_unknown', '/scope'],
    [
      'a scope without a name',
      whole({ scopes: [{ ...SCOPE, name: undefined }] }),
      'member_missing',
      '/scopes/0',
    ],
    [
      'a scope with a blank',
      whole({ scopes: [{ ...SCOPE, name: 'a b' }] }),
      'name_malformed',
      '/scopes/0/name',
    ],
    [
      'a sensitivity',
      whole({ scopes: [{ ...SCOPE, sensitivity: 'huge' }] }),
      'value_unknown',
      '/scopes/0/sensitivity',
    ],
    ['a path', whole({ claims: [{ ...CLAIM, path: 'points' }] }), 'name_malformed', '/claims/0/path'],
    ['a type', whole({ claims: [{ ...CLAIM, type: 'date-time' }] }), 'value_unknown', '/claims/0/type'],
    [
      'a claim of no scope',
      whole({ claims: [{ ...CLAIM, scope: 'x' }] }),
      'scope_unknown',
      '/claims/0/scope',
    ],
    ['a claim twice', whole({ claims: [CLAIM, CLAIM] }), 'name_repeated', '/claims/1/path'],
    [
      'a claim inside of another',
      whole({ claims: [CLAIM, { ...CLAIM, path: 'loyalty.points.gold' }] }),
      'claim_nested',
      '/claims/1/path',
    ],
    [
      'a claim more sensitive than its scope',
      whole({ claims: [{ ...CLAIM, sensitivity: 'high' }] }),
      'sensitivity_above_scope',
      '/claims/0/sensitivity',
    ],
    [
      'a preset of no claim',
      whole({ presets: [{ ...PRESET, claim: 'a.b' }] }),
      'preset_claim_unknown',
      '/presets/0/claim',
    ],
    [
      'a preset called batch',
      whole({ presets: [{ ...PRESET, name: 'batch' }] }),
      'name_reserved',
      '/presets/0/name',
    ],
    [
      'an implied scope that is none',
      whole({ scopes: [{ ...SCOPE, implied_scopes: ['x'] }] }),
      'implied_scope_unknown',
      '/scopes/0/implied_scopes/0',
    ],
    [
      'a covered claim that is not in the catalogue',
      whole({ scopes: [{ ...SCOPE, also_covers: ['a.b'] }] }),
      'covered_claim_unknown',
      '/scopes/0/also_covers/0',
    ],
    [
      'a covered claim that is more sensitive than the scope',
      { extends: 'default', scopes: [{ ...SCOPE, sensitivity: 'low', also_covers: ['identity.email'] }] },
      'sensitivity_above_scope',
      '/scopes/0/also_covers/0',
    ],
    [
      'what a change breaks elsewhere',
      { extends: 'default', scopes: [{ ...SCOPE, name: 'kyc:read' }] },
      'sensitivity_above_scope',
      '',
    ],
  ])('%s', (_what, json, code, pointer) => {
    expect(problemsOf(json)).toContainEqual([code, pointer]);
  });

  it('rejects a scope that implies a more sensitive one, in a chain where the sensitivity rises', () => {
    const chain = (first: string, second: string) => [
      { ...SCOPE, name: 'a', sensitivity: first, implied_scopes: ['b'] },
      { ...SCOPE, name: 'b', sensitivity: second, implied_scopes: ['c'] },
      { ...SCOPE, name: 'c', sensitivity: 'critical' },
    ];
    const first = ['implied_scope_more_sensitive', '/scopes/0/implied_scopes/0'];
    const second = ['implied_scope_more_sensitive', '/scopes/1/implied_scopes/0'];
    expect(problemsOf({ scopes: chain('low', 'low') })).toEqual([second]);
    expect(problemsOf({ scopes: chain('low', 'high') })).toEqual([first, second]);
    expect(problemsOf({ scopes: chain('low', 'critical') })).toEqual([first]);
    expect(problemsOf({ scopes: chain('critical', 'critical') })).toEqual([]);
    const bundle = { ...SCOPE, name: 'bundle', implied_scopes: ['kyc:tax_id'] };
    expect(problemsOf({ extends: 'default', scopes: [bundle] })).toEqual([first]);
  });

  it('a circle of implied scopes, at each of its arcs', () => {
    const scopes = ['a', 'b', 'c'].map((name, index) => ({
      ...SCOPE,
      name,
      implied_scopes: [['b', 'c', 'a'][index]],
    }));
    expect(problemsOf({ scopes })).toEqual([
      ['implied_scope_cycle', '/scopes/0/implied_scopes/0'],
      ['implied_scope_cycle', '/scopes/1/implied_scopes/0'],
      ['implied_scope_cycle', '/scopes/2/implied_scopes/0'],
    ]);
  });
});
