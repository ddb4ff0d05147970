/** Each code of a problem of a catalogue, with the messages that the author of a catalogue reads. */
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_CATALOGUE,
  encodeCatalogue,
  parseCatalogue,
} from '../../../src/engine/catalogue/parse-catalogue.js';
import { CatalogueError, createEngine } from '../../../src/index.js';
import { CLAIM, PRESET, SCOPE } from '../../support/loyalty-catalogue.js';

const scope = (changes: object) => ({ scopes: [{ ...SCOPE, ...changes }] });
const claim = (changes: object) => ({ scopes: [SCOPE], claims: [{ ...CLAIM, ...changes }] });
const preset = (changes: object) => ({
  scopes: [SCOPE],
  claims: [CLAIM],
  presets: [{ ...PRESET, ...changes }],
});
const check = (derivation: object, type = 'integer') => ({
  scopes: [SCOPE],
  claims: [
    { ...CLAIM, type },
    {
      ...CLAIM,
      path: 'loyalty.gold',
      type: 'boolean',
      derived: { parent: 'loyalty.points', check: derivation },
    },
  ],
});

const CASES: readonly (readonly [
  title: string,
  json: unknown,
  problems: readonly (readonly [code: string, pointer: string, message: string])[],
])[] = [
  [
    'a file that is no object',
    5,
    [['not_an_object', '', 'The value must be an object with `extends`, `scopes`, `claims`, `presets`.']],
  ],
  [
    'an unknown member',
    { scope: [] },
    [
      [
        'member_unknown',
        '/scope',
        'Unknown member; the members are `extends`, `scopes`, `claims`, `presets`.',
      ],
    ],
  ],
  ['a list that is no array', { scopes: {} }, [['not_an_array', '/scopes', '`scopes` must be an array.']]],
  [
    'a member of an entry that must be an array and is not',
    claim({ reveals: 'x' }),
    [['not_an_array', '/claims/0/reveals', '`reveals` must be an array.']],
  ],
  [
    'an unknown base',
    { extends: 'none' },
    [['value_unknown', '/extends', '`extends` must be one of `default`.']],
  ],
  [
    'a scope that is no object',
    { scopes: [5] },
    [
      [
        'not_an_object',
        '/scopes/0',
        'The value must be an object with `name`, `category`, `sensitivity`, `display_name`, `description`, `example`, `texts`, `implied_scopes`, `also_covers`, `max_evidence`.',
      ],
    ],
  ],
  [
    'wrong members of a scope',
    scope({ name: 5, category: 'A b', sensitivity: 'huge', display_name: '', x: 1 }),
    [
      [
        'member_unknown',
        '/scopes/0/x',
        'Unknown member; the members are `name`, `category`, `sensitivity`, `display_name`, `description`, `example`, `texts`, `implied_scopes`, `also_covers`, `max_evidence`.',
      ],
      ['not_a_string', '/scopes/0/name', '`name` must be a non-empty string.'],
      [
        'name_malformed',
        '/scopes/0/category',
        '`category` must consist of lowercase letters, digits and `_`.',
      ],
      [
        'value_unknown',
        '/scopes/0/sensitivity',
        '`sensitivity` must be one of `low`, `medium`, `high`, `critical`.',
      ],
      ['not_a_string', '/scopes/0/display_name', '`display_name` must be a non-empty string.'],
    ],
  ],
  [
    'a scope name with a blank',
    scope({ name: 'a b' }),
    [['name_malformed', '/scopes/0/name', '`name` must consist of letters, digits and `.`, `_`, `:`, `-`.']],
  ],
  [
    'wrong names of implied scopes',
    scope({ implied_scopes: ['', 5, 'loyalty:write'] }),
    [
      [
        'not_a_string',
        '/scopes/0/implied_scopes/0',
        '`implied_scopes` must be an array of non-empty strings.',
      ],
      [
        'not_a_string',
        '/scopes/0/implied_scopes/1',
        '`implied_scopes` must be an array of non-empty strings.',
      ],
      [
        'implied_scope_unknown',
        '/scopes/0/implied_scopes/0',
        'The implied scope `loyalty:write` is not in the catalogue.',
      ],
    ],
  ],
  [
    'an unknown level of evidence',
    scope({ max_evidence: 'all' }),
    [['value_unknown', '/scopes/0/max_evidence', '`max_evidence` must be one of `full`, `checks`, `none`.']],
  ],
  [
    'wrong texts of a scope',
    scope({ texts: { de: { display_name: 'Punkte', x: 1 }, fr: 5 } }),
    [
      [
        'member_unknown',
        '/scopes/0/texts/de/x',
        'Unknown member; the members are `display_name`, `description`, `example`.',
      ],
      ['member_missing', '/scopes/0/texts/de', '`description` is required.'],
      [
        'not_an_object',
        '/scopes/0/texts/fr',
        'The value must be an object with `display_name`, `description`, `example`.',
      ],
    ],
  ],
  [
    'texts that are no object',
    scope({ texts: [] }),
    [['not_an_object', '/scopes/0/texts', 'The value must be an object.']],
  ],
  [
    'a repeated scope',
    { scopes: [SCOPE, SCOPE] },
    [['name_repeated', '/scopes/1/name', '`loyalty:read` must not be defined twice.']],
  ],
  [
    'a scope that implies itself',
    scope({ implied_scopes: ['loyalty:read'] }),
    [
      [
        'implied_scope_cycle',
        '/scopes/0/implied_scopes/0',
        'A scope must not imply itself: loyalty:read → loyalty:read.',
      ],
    ],
  ],
  [
    'scopes that imply each other, and a third that implies one of them',
    { scopes: ['a', 'b', 'c'].map((name, i) => ({ ...SCOPE, name, implied_scopes: [['b', 'c', 'b'][i]] })) },
    [
      ['implied_scope_cycle', '/scopes/1/implied_scopes/0', 'A scope must not imply itself: b → c → b.'],
      ['implied_scope_cycle', '/scopes/2/implied_scopes/0', 'A scope must not imply itself: c → b → c.'],
    ],
  ],
  [
    'an implied scope that is more sensitive',
    {
      scopes: [
        { ...SCOPE, implied_scopes: ['high:read'] },
        { ...SCOPE, name: 'high:read', sensitivity: 'high' },
      ],
    },
    [
      [
        'implied_scope_more_sensitive',
        '/scopes/0/implied_scopes/0',
        'A scope must be at least as sensitive as every scope that it implies: `loyalty:read` is low, `high:read` is high.',
      ],
    ],
  ],
  [
    'a covered claim that does not exist',
    scope({ also_covers: ['a.b'] }),
    [
      [
        'covered_claim_unknown',
        '/scopes/0/also_covers/0',
        'The covered claim `a.b` is not in the catalogue.',
      ],
    ],
  ],
  [
    'a covered claim that is more sensitive',
    { extends: 'default', scopes: [{ ...SCOPE, also_covers: ['identity.email'] }] },
    [
      [
        'sensitivity_above_scope',
        '/scopes/0/also_covers/0',
        'A scope must be at least as sensitive as every claim that it covers: `loyalty:read` is low, `identity.email` is medium.',
      ],
    ],
  ],
  [
    'a malformed claim path',
    claim({ path: 'points' }),
    [
      [
        'name_malformed',
        '/claims/0/path',
        'A claim path must be two or more names joined by dots, such as `identity.age`.',
      ],
    ],
  ],
  [
    'an unknown type, and missing members',
    claim({ type: 'date-time', sensitivity: undefined, description: undefined }),
    [
      [
        'value_unknown',
        '/claims/0/type',
        '`type` must be one of `boolean`, `string`, `number`, `integer`, `date`, `datetime`, `array`, `object`, `enum`.',
      ],
      ['member_missing', '/claims/0', '`sensitivity` is required.'],
      ['member_missing', '/claims/0', '`description` is required.'],
    ],
  ],
  [
    'an enum without values',
    claim({ type: 'enum' }),
    [['member_missing', '/claims/0', '`values` is required for a claim of type `enum`.']],
  ],
  [
    'values of an integer',
    claim({ values: ['a'] }),
    [
      [
        'values_malformed',
        '/claims/0/values',
        '`values` must be one or more different strings, for a claim of type `enum` or `array`.',
      ],
    ],
  ],
  [
    'an unknown format',
    claim({ format: 'Euro' }),
    [
      [
        'name_malformed',
        '/claims/0/format',
        '`format` must be `country`, or three capital letters (ISO 4217).',
      ],
    ],
  ],
  [
    'texts for a value that the claim does not have',
    claim({
      type: 'enum',
      values: ['red', 'blue'],
      texts: { de: { label: 'x', values: { blu: 'blau', red: '' } } },
    }),
    [
      [
        'value_unknown',
        '/claims/0/texts/de/values/blu',
        'The claim has no value `blu`. Did you mean `blue`?',
      ],
      ['not_a_string', '/claims/0/texts/de/values/red', '`red` must be a non-empty string.'],
    ],
  ],
  [
    'texts of a claim without a label',
    claim({ texts: { de: { values: 5 } } }),
    [
      ['member_missing', '/claims/0/texts/de', '`label` is required.'],
      ['not_an_object', '/claims/0/texts/de/values', 'The value must be an object.'],
    ],
  ],
  [
    'a claim with an unknown scope',
    claim({ scope: 'x' }),
    [['scope_unknown', '/claims/0/scope', 'The scope `x` is not in the catalogue.']],
  ],
  [
    'a claim that is more sensitive than its scope',
    claim({ sensitivity: 'high' }),
    [
      [
        'sensitivity_above_scope',
        '/claims/0/sensitivity',
        'A claim must not be more sensitive than its scope: `loyalty.points` is high, `loyalty:read` is low.',
      ],
    ],
  ],
  [
    'a claim within another claim',
    { scopes: [SCOPE], claims: [CLAIM, { ...CLAIM, path: 'loyalty.points.gold' }] },
    [
      [
        'claim_nested',
        '/claims/1/path',
        'A claim must not be nested in another claim: `loyalty.points` is a claim.',
      ],
    ],
  ],
  [
    'a revealed claim that does not exist',
    claim({ reveals: ['a.b'] }),
    [['revealed_claim_unknown', '/claims/0/reveals/0', 'The revealed claim `a.b` is not in the catalogue.']],
  ],
  [
    'an inference bound without a range',
    claim({ inference_bound: { width: 0 } }),
    [
      [
        'bound_malformed',
        '/claims/0/inference_bound',
        'The bound must be `width` with `from` and `to` (numbers), `years` with `from` (dates), or `values` of 2 or more (an enum, a boolean or a country). A derived claim must not have one: the bound of its parent applies.',
      ],
    ],
  ],
  [
    'an unknown member of an inference bound',
    claim({ inference_bound: { size: 5 } }),
    [
      [
        'member_unknown',
        '/claims/0/inference_bound/size',
        'Unknown member; the members are `width`, `years`, `values`, `from`, `to`.',
      ],
      [
        'bound_malformed',
        '/claims/0/inference_bound',
        'The bound must be `width` with `from` and `to` (numbers), `years` with `from` (dates), or `values` of 2 or more (an enum, a boolean or a country). A derived claim must not have one: the bound of its parent applies.',
      ],
    ],
  ],
  [
    'a derived claim without an existing parent',
    claim({
      path: 'loyalty.gold',
      type: 'boolean',
      derived: { parent: 'a.b', check: { operator: '==', value: 1 } },
    }),
    [
      [
        'parent_unknown',
        '/claims/0/derived/parent',
        'The parent must be a claim that issuers attest: `a.b` is not in the catalogue or is derived.',
      ],
    ],
  ],
  [
    'a derivation without members',
    claim({ derived: {} }),
    [['member_missing', '/claims/0/derived', '`parent` is required.']],
  ],
  [
    'a derivation with neither a check nor a rule',
    claim({ derived: { parent: 'a.b' } }),
    [['member_missing', '/claims/0/derived', 'A derivation must have exactly one of `check` and `rule`.']],
  ],
  [
    'an unknown rule',
    claim({ derived: { parent: 'a.b', rule: 'x' } }),
    [['value_unknown', '/claims/0/derived/rule', '`rule` must be one of `full_years`, `region`.']],
  ],
  [
    'a check without members',
    check({}),
    [['member_missing', '/claims/1/derived/check', '`operator` is required.']],
  ],
  [
    'a check without an operand',
    check({ operator: '==' }),
    [
      [
        'member_missing',
        '/claims/1/derived/check',
        'A check must have exactly one of `value` and `years_before_now`.',
      ],
    ],
  ],
  [
    'a check with two operands',
    check({ operator: '==', value: 1, years_before_now: 1 }),
    [
      [
        'member_missing',
        '/claims/1/derived/check',
        'A check must have exactly one of `value` and `years_before_now`.',
      ],
    ],
  ],
  [
    'too many years',
    check({ operator: '<=', years_before_now: 1_001 }, 'date'),
    [
      [
        'derivation_malformed',
        '/claims/1/derived/check/years_before_now',
        '`years_before_now` must be an integer from 0 to 1000.',
      ],
    ],
  ],
  [
    'a negative number of years',
    check({ operator: '<=', years_before_now: -1 }, 'date'),
    [
      [
        'derivation_malformed',
        '/claims/1/derived/check/years_before_now',
        '`years_before_now` must be an integer from 0 to 1000.',
      ],
    ],
  ],
  [
    'years that are no number',
    check({ operator: '<=', years_before_now: '1' }, 'date'),
    [
      [
        'derivation_malformed',
        '/claims/1/derived/check/years_before_now',
        '`years_before_now` must be an integer from 0 to 1000.',
      ],
    ],
  ],
  [
    'an operand that does not fit the parent',
    check({ operator: '==', value: 'x' }),
    [
      [
        'derivation_malformed',
        '/claims/1/derived/check',
        'The `value` of `==` on `loyalty.points` must be of type integer, not the string `x`.',
      ],
    ],
  ],
  [
    'two operands that do not fit the parent',
    check({ operator: 'in', value: ['x', 'y'] }),
    [
      [
        'derivation_malformed',
        '/claims/1/derived/check',
        'The `value` of `in` on `loyalty.points` must be of type integer, not the string `x`. The `value` of `in` on `loyalty.points` must be of type integer, not the string `y`.',
      ],
    ],
  ],
  [
    'a check as the derivation of an integer',
    {
      scopes: [SCOPE],
      claims: [
        CLAIM,
        {
          ...CLAIM,
          path: 'loyalty.gold',
          derived: { parent: 'loyalty.points', check: { operator: '>', value: 1 } },
        },
      ],
    },
    [
      [
        'derivation_malformed',
        '/claims/1/derived/check',
        'A claim that is derived by a check must be of type `boolean`.',
      ],
    ],
  ],
  [
    'a rule as the derivation of a date',
    {
      scopes: [SCOPE],
      claims: [
        CLAIM,
        {
          ...CLAIM,
          path: 'loyalty.gold',
          type: 'date',
          derived: { parent: 'loyalty.points', rule: 'full_years' },
        },
      ],
    },
    [
      [
        'derivation_malformed',
        '/claims/1/derived/rule',
        'A claim that is derived by `full_years` must be of type `integer` or `number`, not `date`.',
      ],
    ],
  ],
  [
    'a rule that does not fit the parent',
    {
      scopes: [SCOPE],
      claims: [
        CLAIM,
        { ...CLAIM, path: 'loyalty.gold', derived: { parent: 'loyalty.points', rule: 'full_years' } },
      ],
    },
    [
      [
        'derivation_malformed',
        '/claims/1/derived/rule',
        'The parent of `full_years` must be of type `date` or `datetime`, not `integer`.',
      ],
    ],
  ],
  [
    'wrong members of a preset',
    preset({ name: 'A', claim: undefined, consent_text: 5 }),
    [
      ['name_malformed', '/presets/0/name', '`name` must consist of lowercase letters, digits and `_`.'],
      ['member_missing', '/presets/0', '`claim` is required.'],
      ['not_a_string', '/presets/0/consent_text', '`consent_text` must be a non-empty string.'],
    ],
  ],
  [
    'a preset with the name of a path',
    preset({ name: 'batch' }),
    [
      [
        'name_reserved',
        '/presets/0/name',
        'A preset must not be named `batch`: that is the path of an endpoint.',
      ],
    ],
  ],
  [
    'a preset of a claim that does not exist',
    preset({ claim: 'a.b' }),
    [['preset_claim_unknown', '/presets/0/claim', 'The claim `a.b` is not in the catalogue.']],
  ],
  [
    'a repeated preset',
    { scopes: [SCOPE], claims: [CLAIM], presets: [PRESET, PRESET] },
    [['name_repeated', '/presets/1/name', '`points` must not be defined twice.']],
  ],
  [
    'a change of the default catalogue that makes a claim more sensitive than its scope',
    { extends: 'default', scopes: [{ ...SCOPE, name: 'kyc:tax_id' }] },
    [
      [
        'sensitivity_above_scope',
        '',
        'In the default catalogue, as changed by this file: A claim must not be more sensitive than its scope: `kyc.tax_id` is critical, `kyc:tax_id` is low.',
      ],
    ],
  ],
  [
    'a malformed claim, without further problems of the entries that refer to it',
    {
      scopes: [{ ...SCOPE, also_covers: ['loyalty.points'] }],
      claims: [
        { ...CLAIM, type: 5 },
        {
          ...CLAIM,
          path: 'loyalty.gold',
          reveals: ['loyalty.points'],
          type: 'boolean',
          derived: { parent: 'loyalty.points', check: { operator: '>', value: 1 } },
        },
      ],
      presets: [PRESET],
    },
    [['not_a_string', '/claims/0/type', '`type` must be a non-empty string.']],
  ],
  [
    'an implied scope that implies one that does not exist',
    {
      scopes: [
        { ...SCOPE, implied_scopes: ['b'] },
        { ...SCOPE, name: 'b', implied_scopes: ['x'] },
      ],
    },
    [
      [
        'implied_scope_unknown',
        '/scopes/1/implied_scopes/0',
        'The implied scope `x` is not in the catalogue.',
      ],
    ],
  ],
  [
    'a malformed claim and preset, with the unknown scope of another claim',
    {
      scopes: [SCOPE],
      claims: [
        { ...CLAIM, type: 5 },
        { ...CLAIM, path: 'loyalty.gold', scope: 'x' },
      ],
      presets: [{ ...PRESET, name: 5 }],
    },
    [
      ['not_a_string', '/claims/0/type', '`type` must be a non-empty string.'],
      ['not_a_string', '/presets/0/name', '`name` must be a non-empty string.'],
      ['scope_unknown', '/claims/1/scope', 'The scope `x` is not in the catalogue.'],
    ],
  ],
  [
    'a malformed scope, with the other problems',
    { scopes: [SCOPE, SCOPE, { ...SCOPE, name: '' }] },
    [
      ['not_a_string', '/scopes/2/name', '`name` must be a non-empty string.'],
      ['name_repeated', '/scopes/1/name', '`loyalty:read` must not be defined twice.'],
    ],
  ],
  [
    'a malformed scope, without further problems of the entries that refer to it',
    { scopes: [{ ...SCOPE, name: '' }], claims: [CLAIM], presets: [PRESET] },
    [['not_a_string', '/scopes/0/name', '`name` must be a non-empty string.']],
  ],
];

describe('a catalogue file', () => {
  it.each(CASES)('is rejected for %s', (_title, json, problems) => {
    const error = errorOf(() => parseCatalogue(json));
    expect(error.problems.map(({ code, pointer, message }) => [code, pointer, message])).toEqual(problems);
    expect(error).toMatchObject({ name: 'CatalogueError', code: 'invalid_catalogue' });
  });

  it('as text is rejected with advice', () => {
    expect(errorOf(() => parseCatalogue('{}')).problems).toEqual([
      {
        code: 'not_an_object',
        pointer: '',
        message: 'The catalogue must be an object, not a string. Parse the text with `JSON.parse`.',
      },
    ]);
  });

  it('may have the smallest and the largest allowed values', () => {
    const files = [
      check({ operator: '<=', years_before_now: 0 }, 'date'),
      check({ operator: '<=', years_before_now: 1_000 }, 'date'),
      claim({ inference_bound: { width: 9, from: 0, to: 9 } }),
    ];
    for (const file of files) expect(() => parseCatalogue(file)).not.toThrow();
  });

  it.each<[title: string, type: string, bound: object, more?: object]>([
    ['`width` without `from`', 'integer', { width: 1, to: 9 }],
    ['`width` with a string as `from`', 'integer', { width: 1, from: '0', to: 9 }],
    ['`width` without `to`', 'integer', { width: 1, from: 0 }],
    ['`years` for an integer', 'integer', { years: 1, from: 0, to: 9 }],
    ['a string as `width`', 'integer', { width: '1', from: 0, to: 9 }],
    ['`width` for a date', 'date', { width: 1, from: '2000-01-01' }],
    ['ten thousand years', 'date', { years: 10_000, from: '2000-01-01' }],
    ['an empty range of dates', 'date', { years: 1, from: '2000-01-01', to: '2000-01-01' }],
    ['a date-time as `from`', 'date', { years: 1, from: '2000-01-01T00:00:00Z' }],
    ['a day that does not exist as `from`', 'date', { years: 1, from: '2001-02-29' }],
    ['`years` with a number as `from`', 'date', { years: 1, from: 2_000_000_000 }],
    ['`values` for a string without a format', 'string', { values: 2 }],
    ['fewer than two `values`', 'boolean', { values: 1 }],
    ['`years` for a boolean', 'boolean', { years: 2 }],
    ['`values` with `to`', 'boolean', { values: 2, to: 2 }],
    ['`values` for an object with the format `country`', 'object', { values: 2 }, { format: 'country' }],
  ])('must not have an inference bound with %s', (_title, type, inference_bound, more = {}) => {
    const { problems } = errorOf(() => parseCatalogue(claim({ type, inference_bound, ...more })));
    expect(problems.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['bound_malformed', '/claims/0/inference_bound'],
    ]);
  });

  it('keeps the texts of a scope by language', () => {
    const texts = { de: { display_name: 'Punkte', description: 'Wie viele Punkte.', example: '120' } };
    const parsed = parseCatalogue(scope({ texts }));
    expect(parsed.scopes[0]?.texts).toEqual({
      de: { displayName: 'Punkte', description: 'Wie viele Punkte.', example: '120' },
    });
    expect(encodeCatalogue(parsed)).toMatchObject({ scopes: [{ texts }] });
  });

  it('that extends the default catalogue replaces claims and presets by name', () => {
    const { claims, presets } = parseCatalogue({
      extends: 'default',
      claims: [{ ...CLAIM, path: 'kyc.level', type: 'string', scope: 'kyc:read' }],
      presets: [{ ...PRESET, name: 'is_human', claim: 'kyc.level' }],
    });
    const { claims: before, presets: presetsBefore } = DEFAULT_CATALOGUE;
    expect([claims.length, presets.length]).toEqual([before.length, presetsBefore.length]);
    expect(claims.filter(({ path }) => path === 'kyc.level')).toMatchObject([{ type: 'string' }]);
    expect(presets.filter(({ name }) => name === 'is_human')).toMatchObject([{ claim: 'kyc.level' }]);
  });
});

it('a repeated name is reported although another entry of the list is malformed', () => {
  const claims = [CLAIM, { ...CLAIM, type: 'text' }, CLAIM];
  const { problems } = errorOf(() => parseCatalogue({ scopes: [SCOPE], claims }));
  expect(problems.map(({ code, pointer }) => [code, pointer])).toEqual([
    ['value_unknown', '/claims/1/type'],
    ['name_repeated', '/claims/2/path'],
  ]);
});

it('a catalogue in code is rejected with pointers that have the names of its members in code', () => {
  const { display_name: displayName, ...rest } = SCOPE;
  const scopes = [{ ...rest, displayName, implies: ['x'] }];
  const rejected = (catalogue: unknown) => errorOf(() => createEngine({ catalogue } as never)).problems;
  expect(rejected({ scopes, claims: [{ ...CLAIM, inferenceBound: { width: 0 } }] })).toMatchObject([
    { code: 'implied_scope_unknown', pointer: '/scopes/0/implies/0' },
    { code: 'bound_malformed', pointer: '/claims/0/inferenceBound' },
  ]);
  expect(rejected({ scopes, claims: [{ ...CLAIM, inference_bound: {} }] })).toMatchObject([
    { code: 'member_unknown', pointer: '/claims/0/inference_bound' },
  ]);
});

function errorOf(call: () => unknown): CatalogueError {
  try {
    call();
  } catch (error) {
    if (error instanceof CatalogueError) return error;
    throw error;
  }
  throw new Error('the catalogue must be invalid');
}
