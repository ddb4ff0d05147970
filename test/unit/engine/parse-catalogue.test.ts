/** Parsing of custom catalogues, complete or as extensions of the default, with every problem reported at once. */
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_CATALOGUE,
  encodeCatalogue,
  parseCatalogue,
} from '../../../src/engine/catalogue/parse-catalogue.js';
import { CatalogueError, createEngine, re2js } from '../../../src/index.js';
import { CLAIM, PRESET, SCOPE } from '../../support/loyalty-catalogue.js';

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

const completeCatalogue = (changes: Readonly<Record<string, unknown>>) => ({
  scopes: [SCOPE],
  claims: [CLAIM],
  presets: [PRESET],
  ...changes,
});

describe('a catalogue', () => {
  it('is equal after encoding and parsing', () => {
    const text = JSON.stringify(encodeCatalogue(DEFAULT_CATALOGUE));
    expect(parseCatalogue(JSON.parse(text))).toEqual(DEFAULT_CATALOGUE);
  });

  it('may have the format of a claim, its texts by language, and the claims that it reveals', () => {
    const texts = { de: { label: 'Ihre Punkte', values: { 0: 'keine' } }, fr: { label: 'votre total' } };
    const claim = { ...CLAIM, format: 'EUR', texts, reveals: ['loyalty.points'] };
    const parsed = parseCatalogue(completeCatalogue({ claims: [claim] }));
    expect(parsed.claims[0]).toEqual(claim);
    expect(parseCatalogue(encodeCatalogue(parsed))).toEqual(parsed);
    const wrong = {
      ...CLAIM,
      format: 'Euro',
      texts: { de: { name: 'x' }, fr: { label: 'x', values: { a: 1 } }, es: 'x' },
      reveals: ['loyalty.pionts'],
    };
    expect(problemsOf(completeCatalogue({ claims: [wrong] }))).toEqual([
      ['name_malformed', '/claims/0/format'],
      ['member_unknown', '/claims/0/texts/de/name'],
      ['member_missing', '/claims/0/texts/de'],
      ['not_a_string', '/claims/0/texts/fr/values/a'],
      ['not_an_object', '/claims/0/texts/es'],
      ['revealed_claim_unknown', '/claims/0/reveals/0'],
    ]);
    expect(problemsOf(completeCatalogue({ claims: [{ ...CLAIM, texts: [] }] }))).toEqual([
      ['not_an_object', '/claims/0/texts'],
    ]);
  });

  it('names the formats that a claim may have', () => {
    const parse = () => parseCatalogue(completeCatalogue({ claims: [{ ...CLAIM, format: 'Euro' }] }));
    expect(parse).toThrow('`format` must be `country`, or three capital letters (ISO 4217).');
  });

  it('may have a display name for a claim', () => {
    const parsed = parseCatalogue(
      completeCatalogue({ claims: [{ ...CLAIM, display_name: 'points collected' }] }),
    );
    expect(parsed.claims[0]?.displayName).toBe('points collected');
    expect(parseCatalogue(encodeCatalogue(parsed))).toEqual(parsed);
    expect(problemsOf(completeCatalogue({ claims: [{ ...CLAIM, display_name: 3 }] }))).toContainEqual([
      'not_a_string',
      '/claims/0/display_name',
    ]);
  });

  it('may have an example for a scope', () => {
    const scopesOf = (changes: object) =>
      parseCatalogue(completeCatalogue({ scopes: [{ ...SCOPE, ...changes }] })).scopes;
    expect(scopesOf({ example: '1,250 points' })[0]?.example).toBe('1,250 points');
    expect(scopesOf({})[0]).not.toHaveProperty('example');
    expect(problemsOf(completeCatalogue({ scopes: [{ ...SCOPE, example: '' }] }))).toContainEqual([
      'not_a_string',
      '/scopes/0/example',
    ]);
  });

  // S482
  it('rejects names of values that the claim does not list', () => {
    const claimWith = (values: object) => ({
      ...CLAIM,
      type: 'enum',
      values: ['silver', 'gold'],
      texts: { de: { label: 'Ihre Stufe', values } },
    });
    expect(problemsOf(completeCatalogue({ claims: [claimWith({ silver: 'Silber' })] }))).toEqual([]);
    const wrong = completeCatalogue({ claims: [claimWith({ glod: 'Gold', sliver: 7 })] });
    expect(problemsOf(wrong)).toEqual([
      ['value_unknown', '/claims/0/texts/de/values/glod'],
      ['value_unknown', '/claims/0/texts/de/values/sliver'],
      ['not_a_string', '/claims/0/texts/de/values/sliver'],
    ]);
    expect(() => parseCatalogue(wrong)).toThrow('The claim has no value `glod`. Did you mean `gold`?');
  });

  // S343
  it('may have a limit of evidence for a scope', () => {
    const file = completeCatalogue({ scopes: [{ ...SCOPE, max_evidence: 'checks' }] });
    const parsed = parseCatalogue(file);
    expect(parsed.scopes[0]?.maxEvidence).toBe('checks');
    expect(parseCatalogue(encodeCatalogue(parsed))).toEqual(parsed);
    expect(problemsOf(completeCatalogue({ scopes: [{ ...SCOPE, max_evidence: 'some' }] }))).toContainEqual([
      'value_unknown',
      '/scopes/0/max_evidence',
    ]);
  });

  // A value listed twice would count as two for an inference bound of `{ values: 2 }`.
  it('must not list a value of a claim twice', () => {
    for (const type of ['enum', 'array']) {
      const claim = { ...CLAIM, type, values: ['a', 'b', 'a'] };
      expect(problemsOf(completeCatalogue({ claims: [claim] }))).toEqual([
        ['values_malformed', '/claims/0/values'],
      ]);
    }
  });

  // S429
  it('may list `values` only for enums and arrays, and at least one', () => {
    const withValues = (type: string, values: unknown) =>
      problemsOf(completeCatalogue({ claims: [{ ...CLAIM, type, values }] }));
    for (const type of ['enum', 'array']) {
      expect(withValues(type, ['a'])).toEqual([]);
      expect(withValues(type, [])).toEqual([['values_malformed', '/claims/0/values']]);
    }
    for (const type of ['string', 'integer', 'boolean', 'object', 'date'])
      for (const values of [['a'], []])
        expect(withValues(type, values)).toEqual([['values_malformed', '/claims/0/values']]);
    expect(() => parseCatalogue(completeCatalogue({ claims: [{ ...CLAIM, values: ['a'] }] }))).toThrow(
      '`values` must be one or more different strings, for a claim of type `enum` or `array`. (at /claims/0/values)',
    );
    expect(() =>
      createEngine({ catalogue: { scopes: [], claims: [{ ...CLAIM, type: 'enum', values: [] } as never] } }),
    ).toThrow('`values` must be one or more different strings');
  });

  it('that extends the default one keeps the place of each entry that it changes', () => {
    const { scopes, claims, presets } = DEFAULT_CATALOGUE;
    const encoded = encodeCatalogue({ scopes: scopes.slice(0, 1), claims: claims.slice(1, 2), presets: [] });
    const parsed = parseCatalogue({ ...encoded, extends: 'default' });
    expect(parsed).toEqual(DEFAULT_CATALOGUE);
    const added = parseCatalogue({ extends: 'default', scopes: [SCOPE], claims: [CLAIM], presets: [PRESET] });
    expect(added.scopes.at(-1)?.name).toBe(SCOPE.name);
    expect(added.claims.map(({ path }) => path)).toEqual([...claims.map(({ path }) => path), CLAIM.path]);
    expect(added.presets).toHaveLength(presets.length + 1);
  });

  // S430
  it('in code must not have `extends`, which has an effect in files only', () => {
    const catalogue = { ...DEFAULT_CATALOGUE, extends: 'default' };
    expect(() => createEngine({ catalogue })).toThrow(CatalogueError);
    expect(() => createEngine({ catalogue })).toThrow(
      '`extends` is a member of catalogue files: a catalogue file must be passed to `parseCatalogue` first. (at /extends)',
    );
    expect(
      createEngine({ catalogue: DEFAULT_CATALOGUE }).parse({
        check: { claim: 'kyc.level', operator: 'isDefined' },
      }),
    ).toBeDefined();
  });

  // S346
  it('may have inference bounds for numbers, dates and sets', () => {
    const bounded = (type: string, inference_bound: unknown, more: object = {}) =>
      completeCatalogue({ claims: [{ ...CLAIM, type, inference_bound, ...more }] });
    const country = { format: 'country' };
    for (const file of [
      bounded('integer', { width: 5, from: 0, to: 120 }),
      bounded('number', { width: 0.5, from: -1, to: 1 }),
      bounded('date', { years: 5, from: '1900-01-01' }),
      bounded('date', { years: 5, from: '1900-01-01', to: '2100-01-01' }),
      bounded('enum', { values: 2 }, { values: ['a', 'b', 'c'] }),
      bounded('boolean', { values: 2 }),
      bounded('string', { values: 3 }, country),
    ]) {
      const parsed = parseCatalogue(file);
      expect(parsed.claims[0]?.inferenceBound).toEqual(
        (file as unknown as { claims: { inference_bound: unknown }[] }).claims[0]?.inference_bound,
      );
      expect(parseCatalogue(encodeCatalogue(parsed))).toEqual(parsed);
    }
    for (const file of [
      bounded('integer', { width: 5, from: 0 }),
      bounded('integer', { width: 0, from: 0, to: 9 }),
      bounded('integer', { width: 20, from: 0, to: 9 }),
      bounded('number', { values: 3 }),
      bounded('date', { years: 5, from: '1900' }),
      bounded('date', { years: 5, from: '2000-01-01', to: '1999-01-01' }),
      bounded('enum', { values: 4 }, { values: ['a', 'b', 'c'] }),
      bounded('enum', { values: 1.5 }, { values: ['a', 'b', 'c'] }),
      bounded('string', { values: 3 }),
      bounded('string', { values: 3 }, { values: ['a', 'b', 'c'] }),
      bounded('array', { values: 3 }, { values: ['a', 'b', 'c'] }),
      bounded('integer', { width: 5, years: 5, from: 0, to: 120 }),
      bounded('enum', { values: 2, from: 0 }, { values: ['a', 'b', 'c'] }),
      bounded('boolean', { values: 2 }, { derived: { parent: 'a.b', check: { operator: '==', value: 1 } } }),
    ])
      expect(problemsOf(file), JSON.stringify(file)).toContainEqual([
        'bound_malformed',
        '/claims/0/inference_bound',
      ]);
  });
});

const pointsCheck = (value: unknown, operator = '>=') => ({
  ...CLAIM,
  path: 'loyalty.gold',
  type: 'boolean',
  derived: { parent: 'loyalty.points', check: { operator, value } },
});

describe('a derived claim', () => {
  it('is accepted with an operator of the query language', () => {
    expect(problemsOf(completeCatalogue({ claims: [CLAIM, pointsCheck(1_000)] }))).toEqual([]);
  });

  it.each([
    ['an invalid operand', pointsCheck('many', 'in'), 'derivation_malformed', '/derived/check'],
    ['an unknown operator', pointsCheck(1, 'above'), 'value_unknown', '/derived/check/operator'],
    [
      'a type other than boolean',
      { ...pointsCheck(1), type: 'integer' },
      'derivation_malformed',
      '/derived/check',
    ],
    [
      'a derived parent',
      { ...pointsCheck(1), derived: { parent: 'loyalty.gold', rule: 'region' } },
      'parent_unknown',
      '/derived/parent',
    ],
    [
      'both a check and a rule',
      { ...pointsCheck(1), derived: { parent: 'loyalty.points', rule: 'region', check: {} } },
      'member_missing',
      '/derived',
    ],
    [
      'a fraction of a year',
      {
        ...pointsCheck(1),
        derived: { parent: 'loyalty.points', check: { operator: '<=', years_before_now: 0.5 } },
      },
      'derivation_malformed',
      '/derived/check/years_before_now',
    ],
    [
      'an operator that passes on no value of its parent',
      pointsCheck('1', 'startsWith'),
      'derivation_malformed',
      '/derived/check',
    ],
    [
      'an operand that no value of its parent equals',
      pointsCheck([1, 'many'], 'in'),
      'derivation_malformed',
      '/derived/check',
    ],
    [
      'a date to compare with a number',
      {
        ...pointsCheck(1),
        derived: { parent: 'loyalty.points', check: { operator: '<=', years_before_now: 18 } },
      },
      'derivation_malformed',
      '/derived/check',
    ],
    [
      'years since a number',
      { ...pointsCheck(1), type: 'integer', derived: { parent: 'loyalty.points', rule: 'full_years' } },
      'derivation_malformed',
      '/derived/rule',
    ],
    [
      'the region of a number',
      { ...pointsCheck(1), type: 'string', derived: { parent: 'loyalty.points', rule: 'region' } },
      'derivation_malformed',
      '/derived/rule',
    ],
  ])('is rejected with %s', (_title, claim, code, pointer) => {
    expect(problemsOf(completeCatalogue({ claims: [CLAIM, claim] }))).toContainEqual([
      code,
      `/claims/1${pointer}`,
    ]);
  });

  it('is rejected with an invalid pattern if an engine for patterns is passed', () => {
    const matching = (pattern: string) =>
      completeCatalogue({ claims: [{ ...CLAIM, type: 'string' }, pointsCheck(pattern, 'matchRegex')] });
    expect(parseCatalogue(matching('^(a|b)'), { regex: re2js })).toMatchObject({ claims: [{}, {}] });
    const parse = () => parseCatalogue(matching('^(a|b'), { regex: re2js });
    expect(parse).toThrow(/missing closing \).*\(at \/claims\/1\/derived\/check\)/);
    expect(parse).toThrow(CatalogueError);
  });

  it('is accepted with a rule whose parent has a fitting type', () => {
    const derivedBy = (rule: string, type: string, parent: object) =>
      problemsOf(
        completeCatalogue({
          claims: [
            { ...CLAIM, ...parent },
            { ...CLAIM, path: 'loyalty.derived', type, derived: { parent: 'loyalty.points', rule } },
          ],
        }),
      );
    expect(derivedBy('full_years', 'integer', { type: 'date' })).toEqual([]);
    expect(derivedBy('full_years', 'integer', { type: 'datetime' })).toEqual([]);
    expect(derivedBy('region', 'string', { type: 'string' })).toEqual([]);
    expect(derivedBy('region', 'string', { type: 'enum', values: ['PT', 'DE'] })).toEqual([]);
  });

  it.each([
    ['full_years', { type: 'date' }, 'boolean', '`integer` or `number`'],
    ['region', { type: 'string' }, 'integer', '`string` or `enum`'],
  ])(
    'is rejected with the rule `%s` if its own type does not fit the derived values',
    (rule, parent, type, allowed) => {
      const derived = {
        ...CLAIM,
        path: 'loyalty.derived',
        type,
        derived: { parent: 'loyalty.points', rule },
      };
      const file = completeCatalogue({ claims: [{ ...CLAIM, ...parent }, derived] });
      expect(() => parseCatalogue(file)).toThrow(
        `A claim that is derived by \`${rule}\` must be of type ${allowed}, not \`${type}\`.`,
      );
    },
  );

  it('names the type that a rule requires of the parent', () => {
    const claim = {
      ...CLAIM,
      path: 'loyalty.years',
      derived: { parent: 'loyalty.points', rule: 'full_years' },
    };
    expect(() => parseCatalogue(completeCatalogue({ claims: [CLAIM, claim] }))).toThrow(
      'The parent of `full_years` must be of type `date` or `datetime`, not `integer`.',
    );
  });
});

describe('an invalid catalogue', () => {
  it.each([
    ['an array', [], 'not_an_object', ''],
    ['an unknown base', { extends: 'other' }, 'value_unknown', '/extends'],
    ['scopes that are an object', completeCatalogue({ scopes: {} }), 'not_an_array', '/scopes'],
    ['an unknown member', completeCatalogue({ scope: [] }), 'member_unknown', '/scope'],
    [
      'a scope without a name',
      completeCatalogue({ scopes: [{ ...SCOPE, name: undefined }] }),
      'member_missing',
      '/scopes/0',
    ],
    [
      'a scope name with a blank',
      completeCatalogue({ scopes: [{ ...SCOPE, name: 'a b' }] }),
      'name_malformed',
      '/scopes/0/name',
    ],
    [
      'an unknown sensitivity',
      completeCatalogue({ scopes: [{ ...SCOPE, sensitivity: 'huge' }] }),
      'value_unknown',
      '/scopes/0/sensitivity',
    ],
    [
      'a malformed claim path',
      completeCatalogue({ claims: [{ ...CLAIM, path: 'points' }] }),
      'name_malformed',
      '/claims/0/path',
    ],
    [
      'an unknown type',
      completeCatalogue({ claims: [{ ...CLAIM, type: 'date-time' }] }),
      'value_unknown',
      '/claims/0/type',
    ],
    [
      'a claim with an unknown scope',
      completeCatalogue({ claims: [{ ...CLAIM, scope: 'x' }] }),
      'scope_unknown',
      '/claims/0/scope',
    ],
    ['a repeated claim', completeCatalogue({ claims: [CLAIM, CLAIM] }), 'name_repeated', '/claims/1/path'],
    [
      'a claim within another claim',
      completeCatalogue({ claims: [CLAIM, { ...CLAIM, path: 'loyalty.points.gold' }] }),
      'claim_nested',
      '/claims/1/path',
    ],
    [
      'a claim more sensitive than its scope',
      completeCatalogue({ claims: [{ ...CLAIM, sensitivity: 'high' }] }),
      'sensitivity_above_scope',
      '/claims/0/sensitivity',
    ],
    [
      'a preset of an unknown claim',
      completeCatalogue({ presets: [{ ...PRESET, claim: 'a.b' }] }),
      'preset_claim_unknown',
      '/presets/0/claim',
    ],
    [
      'a preset called batch',
      completeCatalogue({ presets: [{ ...PRESET, name: 'batch' }] }),
      'name_reserved',
      '/presets/0/name',
    ],
    [
      'an unknown implied scope',
      completeCatalogue({ scopes: [{ ...SCOPE, implied_scopes: ['x'] }] }),
      'implied_scope_unknown',
      '/scopes/0/implied_scopes/0',
    ],
    [
      'a covered claim that is not in the catalogue',
      completeCatalogue({ scopes: [{ ...SCOPE, also_covers: ['a.b'] }] }),
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
      'an extension that redefines a default scope as less sensitive than its claims',
      { extends: 'default', scopes: [{ ...SCOPE, name: 'kyc:read' }] },
      'sensitivity_above_scope',
      '',
    ],
  ])('is rejected with the pointer of the problem: %s', (_title, json, code, pointer) => {
    expect(problemsOf(json)).toContainEqual([code, pointer]);
  });

  it('is rejected for each scope that implies a more sensitive one', () => {
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

  it('is rejected for each scope of a cycle of implications', () => {
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
