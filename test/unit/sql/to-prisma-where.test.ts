/** Filters for Prisma, and the rejection of checks that have no exact filter. */
import { expect, it } from 'vitest';
import { type ClaimType, type JsonValue, re2js } from '../../../src/index.js';
import { SqlTranslationError, toPrismaWhere } from '../../../src/sql/index.js';

const FIELDS = {
  'x.age': { field: 'age', type: 'integer' },
  'x.level': { field: 'level', type: 'integer', isRequired: true },
  'x.score': { field: 'score', type: 'number' },
  'x.country': { field: 'country', type: 'text' },
  'x.member': { field: 'member', type: 'boolean' },
} as const;
const ALL = { AND: [] };
const NONE = { OR: [] };

const whereOf = (policy: JsonValue, provider: 'postgresql' | 'sqlite' = 'postgresql') =>
  toPrismaWhere(
    { policy: { allOf: [policy] } },
    { provider, fields: FIELDS, undefinedClaims: ['x.age', 'x.other'], regex: re2js },
  );
const check = (claim: string, operator: string, value?: JsonValue) => ({
  claim,
  operator,
  ...(value === undefined ? {} : { value }),
});

// L14–L19
it.each<[string, JsonValue, unknown]>([
  ['an order', check('x.age', '>=', 18), { age: { gte: 18 } }],
  ['an order with a fraction', check('x.age', '<', 17.5), { age: { lt: 18 } }],
  ['an order beyond all integers', check('x.age', '<', 1e12), { age: { not: null } }],
  ['an order beyond all integers of a required field', check('x.level', '<', 1e12), ALL],
  ['equality', check('x.country', '==', 'DE'), { country: { equals: 'DE' } }],
  ['inequality', check('x.country', '!=', 'DE'), { country: { not: 'DE' } }],
  ['membership', check('x.country', 'in', ['DE', 'FR']), { country: { in: ['DE', 'FR'] } }],
  ['membership of nothing', check('x.age', 'in', []), NONE],
  ['both booleans', check('x.member', 'in', [true, false]), { member: { not: null } }],
  ['a prefix', check('x.country', 'startsWith', 'D'), { country: { startsWith: 'D' } }],
  ['a claim that nobody has', check('x.other', 'isDefined'), NONE],
  ['a member of a scalar', check('x.age.deep', 'isDefined'), NONE],
])('a filter expresses %s', (_, policy, expected) => {
  expect(whereOf(policy)).toEqual(expected);
});

// L19
it.each<[string, JsonValue, unknown]>([
  ['an order', check('x.age', '>=', 18), { OR: [{ age: null }, { age: { lt: 18 } }] }],
  ['inequality', check('x.score', '!=', 1), { OR: [{ score: null }, { score: { equals: 1 } }] }],
  ['a value that is not listed', check('x.age', 'notIn', [1]), { OR: [{ age: null }, { age: { in: [1] } }] }],
  ['a claim that nobody has', check('x.other', '==', 1), ALL],
  ['a definition', check('x.age', 'isDefined'), { age: null }],
])('a negated filter of %s is true where the claim is undefined', (_, policy, expected) => {
  expect(whereOf({ not: policy })).toEqual(expected);
});

it('a negated filter of an order of a required field has no branch for `null`', () => {
  expect(whereOf({ not: check('x.level', '>=', 18) })).toEqual({ level: { lt: 18 } });
});

// L14
it('policies become AND and OR, without constant parts', () => {
  const [age, country] = [check('x.age', '>', 1), check('x.country', '==', 'DE')];
  const filters = [{ age: { gt: 1 } }, { country: { equals: 'DE' } }];
  expect(whereOf({ allOf: [age, country] })).toEqual({ AND: filters });
  expect(whereOf({ anyOf: [age, country, check('x.other', '==', 1)] })).toEqual({ OR: filters });
  expect(whereOf({ allOf: [age, check('x.other', '==', 1)] })).toEqual(NONE);
});

// V14
it.each<[string, JsonValue, string, 'postgresql' | 'sqlite']>([
  ['a pattern', check('x.country', 'matchRegex', '^D'), 'filter', 'postgresql'],
  ['an instant', check('x.country', '>', '2026-01-01'), 'filter', 'postgresql'],
  ['a prefix on SQLite, where case is ignored', check('x.country', 'startsWith', 'D'), 'filter', 'sqlite'],
  ['a prefix with a wildcard', check('x.country', 'startsWith', 'D_'), 'filter', 'postgresql'],
  ['a number that Prisma rounds', check('x.score', '==', 7.297217944625634), 'operand', 'postgresql'],
  ['a string that PostgreSQL does not store', check('x.country', '==', 'a\0'), 'operand', 'postgresql'],
])('the translation to a filter rejects %s', (_, policy, code, provider) => {
  const rejected = () => whereOf({ anyOf: [check('x.age', '==', 1), policy] }, provider);
  expect(rejected).toThrow(SqlTranslationError);
  try {
    rejected();
  } catch (error) {
    expect((error as SqlTranslationError).problems).toMatchObject([
      { code, pointer: '/policy/allOf/0/policy/anyOf/1/check' },
    ]);
  }
});

// S423, S425
it.each<[string, JsonValue, string]>([
  [
    'x.member',
    check('x.member', '==', 'true'),
    '`==` on `x.member` must be of type boolean, not the string `true`. The field `member` is of type boolean.',
  ],
  ['x.member', check('x.member', '!=', 1), '`!=` on `x.member` must be of type boolean, not 1.'],
  ['x.member', check('x.member', '==', null), 'must be of type boolean, not null.'],
  [
    'x.member',
    check('x.member', 'notIn', [true, 'no']),
    '`notIn` on `x.member` must be of type boolean, not the string `no`.',
  ],
  ['x.member', check('x.member', '>', 0), '`>` passes on no value of `x.member`, which is of type boolean.'],
  ['x.age', check('x.age', 'in', ['18']), '`in` on `x.age` must be of type integer, not the string `18`.'],
  ['x.age', check('x.age', '==', 17.5), 'must be of type integer, not 17.5.'],
  [
    'x.age',
    check('x.age', '<', '2026-01-31'),
    '`<` on `x.age` must be of type integer, not the string `2026-01-31`.',
  ],
  ['x.age', check('x.age', 'contains', 1), '`contains` passes on no value of `x.age`'],
  [
    'x.age',
    check('x.age', '==', 2 ** 31),
    '`==` on `x.age` is out of range. The field `age` is of type integer, with values from -2147483648 to 2147483647.',
  ],
  ['x.age', check('x.age', '>', 2 ** 31 - 1), '`>` on `x.age` is out of range.'],
  ['x.age', check('x.age', '<', -(2 ** 31)), '`<` on `x.age` is out of range.'],
  ['x.score', check('x.score', 'startsWith', '1'), '`startsWith` passes on no value of `x.score`'],
  [
    'x.country',
    check('x.country', '==', 1),
    '`==` on `x.country` must be of type string, not 1. The field `country` is of type text.',
  ],
  ['x.country', check('x.country', '>', 5), '`>` on `x.country` must be of type string, not 5.'],
])(
  'the translation to a filter rejects a check that does not fit the type or range of the field %s: %j',
  (_, policy, message) => {
    for (const each of [policy, { not: policy }])
      for (const provider of ['postgresql', 'sqlite'] as const) {
        const translate = () => whereOf(each, provider);
        expect(translate).toThrow(SqlTranslationError);
        expect(translate).toThrow(message);
      }
  },
);

// S424
it('the translation to a filter rejects a field whose type contradicts the claim, and names both', () => {
  const typed = (type: ClaimType) => () =>
    toPrismaWhere(
      { check: check('x.member', 'isDefined') },
      { provider: 'sqlite', fields: FIELDS, claims: [{ path: 'x.member', type }] },
    );
  expect(typed('string')).toThrow(
    "The field `member` of `x.member` is of type boolean, which has no value of type string, the claim's type in `claims`. (at /check)",
  );
  expect(typed('boolean')()).toEqual({ member: { not: null } });
});

// S422
it('a filter rejects a check that does not fit the type of its claim', () => {
  const claims = [{ path: 'x.country', type: 'date' }] as const;
  const query = { policy: { not: check('x.country', '==', '31.01.2026') } };
  const translate = () => toPrismaWhere(query, { provider: 'sqlite', fields: FIELDS, claims });
  expect(translate).toThrow(
    '`==` on `x.country` must be of type date, such as `2026-01-31`, not the string `31.01.2026`.',
  );
});

// L14
it('a filter rejects a claim without a field, which would be undefined for every person', () => {
  const negated = { policy: { not: check('x.contry', '==', 'DE') } };
  const translate = () => toPrismaWhere(negated, { provider: 'postgresql', fields: FIELDS });
  expect(translate).toThrow(
    'There is no field for `x.contry`. Did you mean `x.country`? (at /policy/not/check)',
  );
});

it('a filter rejects an unknown provider and an unknown type of a field by name', () => {
  const query = { check: { claim: 'x.a', operator: 'isDefined' } };
  expect(() => toPrismaWhere(query, { provider: 'postgres', fields: {} } as never)).toThrow(
    '`provider` must be one of `postgresql` or `sqlite` (got `postgres`). Did you mean `postgresql`?',
  );
  const fields = { 'x.a': { field: 'a', type: 'bool' } };
  expect(() => toPrismaWhere(query, { provider: 'sqlite', fields } as never)).toThrow(
    '`type` of `x.a` must be one of `integer`, `number`, `text` or `boolean` (got `bool`).',
  );
});

// S459
it('a filter rejects an unknown member of a field', () => {
  const fields = { 'x.age': { field: 'age', type: 'integer', required: true } } as never;
  expect(() => toPrismaWhere({ check: check('x.age', '==', 1) }, { provider: 'postgresql', fields })).toThrow(
    new TypeError('the field of `x.age` has no member `required`. Did you mean `isRequired`?'),
  );
});
