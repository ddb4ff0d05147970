/** Types of claims: the values that have a type, and the checks that no value of a type passes (L9, L14). */
import { describe, expect, it } from 'vitest';
import {
  fitsClaimType,
  operandFaults,
  requiredValue,
  withOperandChecks,
} from '../../../src/engine/claims/claim-type.js';
import type { ClaimType } from '../../../src/engine/scopes/catalogue.js';
import type { JsonValue, OperatorName } from '../../../src/index.js';
import { queryErrorOf } from '../../support/query-error.js';

const VALUES: readonly JsonValue[] = [
  true,
  'a',
  '',
  1,
  1.5,
  '2026-01-31',
  '2026-02-30',
  '2026-01-31T09:30:00Z',
  '2026-02-30T09:30:00Z',
  'T2026-01-31',
  ['a'],
  ['a', 1],
  [],
  {},
  null,
];

const TYPES: readonly (readonly [
  type: ClaimType,
  values: readonly string[] | undefined,
  fitting: JsonValue[],
])[] = [
  ['boolean', undefined, [true]],
  ['string', undefined, VALUES.filter((value) => typeof value === 'string')],
  ['number', undefined, [1, 1.5]],
  ['integer', undefined, [1]],
  ['date', undefined, ['2026-01-31']],
  ['datetime', undefined, ['2026-01-31T09:30:00Z']],
  ['array', undefined, [['a'], ['a', 1], []]],
  ['array', ['a', 'b'], [['a'], []]],
  ['object', undefined, [{}]],
  ['enum', undefined, VALUES.filter((value) => typeof value === 'string')],
  ['enum', ['a', '1'], ['a']],
];

it.each(TYPES)('only values of the type %s with the values %j fit it', (type, values, fitting) => {
  const claim = { type, ...(values && { values }) };
  expect(VALUES.filter((value) => fitsClaimType(value, claim))).toEqual(fitting);
});

it('an array that contains a date is not a date', () => {
  expect(fitsClaimType(['2026-01-31'], { type: 'date' })).toBe(false);
  expect(fitsClaimType(['2026-01-31T09:30:00Z'], { type: 'datetime' })).toBe(false);
});

it('a message lists up to twenty values of a claim', () => {
  const values = Array.from({ length: 21 }, (_, index) => `v${index}`);
  const listed = values.slice(0, 20);
  expect(requiredValue({ type: 'enum', values: listed })).toBe(
    `one of ${listed.map((value) => `\`${value}\``).join(', ')}`,
  );
  expect(requiredValue({ type: 'enum', values })).toBe('one of the 21 values of the catalogue');
  expect(requiredValue({ type: 'array', values })).toBe('an array of the 21 values of the catalogue');
});

describe('an operand', () => {
  const faultsOf = (
    type: ClaimType,
    operator: OperatorName,
    value: JsonValue | undefined,
    values?: readonly string[],
  ) =>
    operandFaults(
      { operator, ...(value !== undefined && { value }) } as Parameters<typeof operandFaults>[0],
      { path: 'a.b', type, ...(values && { values }) },
    ).map(({ message }) => message);

  it('is not examined if the check has none', () => {
    expect(faultsOf('boolean', 'isDefined', undefined)).toEqual([]);
    expect(faultsOf('boolean', 'startsWith', undefined)).toEqual([]);
  });

  it('of an operator that passes on no value of the type is reported with the operators that fit', () => {
    expect(faultsOf('string', 'contains', 'x')).toEqual([
      '`contains` passes on no value of `a.b`, which is of type string. Use `startsWith` or `matchRegex`.',
    ]);
    expect(faultsOf('enum', '<', 'x')).toEqual([
      '`<` passes on no value of `a.b`, which is of type enum. Use `startsWith`, `matchRegex`, `==`, `!=`, `in`, `notIn` or `isDefined`.',
    ]);
    expect(faultsOf('integer', 'contains', 1)).toEqual([
      '`contains` passes on no value of `a.b`, which is of type integer. Use `>`, `>=`, `<`, `<=`, `==`, `!=`, `in`, `notIn` or `isDefined`.',
    ]);
  });

  // S421
  it('of an ordering operator may be a string if a listed value of the claim is a date', () => {
    const values = ['never', '2020-01-01', '2021-01-01'];
    expect(faultsOf('enum', '>', '2020-06-01', values)).toEqual([]);
    expect(faultsOf('enum', '>', 5, values)).toEqual([
      'The `value` of `>` on `a.b` must be one of `never`, `2020-01-01`, `2021-01-01`, not 5.',
    ]);
    expect(faultsOf('enum', '>', '2020-06-01', ['never'])).toHaveLength(1);
  });

  it('that does not equal any listed value is reported with the values and the most similar one', () => {
    expect(faultsOf('enum', '==', 'blu', ['red', 'blue'])).toEqual([
      'The `value` of `==` on `a.b` must be one of `red`, `blue`, not the string `blu`. Did you mean `blue`?',
    ]);
    expect(faultsOf('array', 'contains', 'blu', ['red', 'blue'])).toEqual([
      'The `value` of `contains` on `a.b` must be one of `red`, `blue`, not the string `blu`. Did you mean `blue`?',
    ]);
    expect(faultsOf('array', 'contains', 'blu')).toEqual([]);
    expect(faultsOf('boolean', '==', 'true')).toEqual([
      'The `value` of `==` on `a.b` must be of type boolean, not the string `true`.',
    ]);
    expect(faultsOf('integer', '==', true)).toEqual([
      'The `value` of `==` on `a.b` must be of type integer, not a boolean.',
    ]);
  });

  it.each<[ClaimType, string, boolean]>([
    ['date', '2026-01-3', true],
    ['date', '2026-01-31', true],
    ['date', '2026-02-3', false],
    ['date', '2026-01-31T', false],
    ['datetime', '2026-01-31T', true],
    ['datetime', '2026-02-30T', false],
    ['string', '2026-02-30', true],
    ['enum', '2026-02-30', true],
  ])('of `startsWith` on a claim of type %s may be %j: %s', (type, text, fits) => {
    expect(faultsOf(type, 'startsWith', text)).toHaveLength(fits ? 0 : 1);
  });

  it('that is a list is reported at the wrong entries, and another operand at `value`', () => {
    const claims = withOperandChecks([{ path: 'a.b', type: 'integer' }]);
    const pointersOf = (operator: string, value: unknown) =>
      queryErrorOf({ check: { claim: 'a.b', operator, value } }, { claims }).problems.map(
        ({ pointer }) => pointer,
      );
    expect(pointersOf('in', [1, 'x', 2, 'y'])).toEqual(['/check/value/1', '/check/value/3']);
    expect(pointersOf('==', 'x')).toEqual(['/check/value']);
  });
});
