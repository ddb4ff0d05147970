/** The property that a description is complete: read back, it gives an equivalent query. */
import fc from 'fast-check';
import { equivalent } from '../../../src/analysis/index.js';
import { describeQuery, renderDescription } from '../../../src/describe/index.js';
import {
  type CatalogueClaim,
  type Check,
  canonicalText,
  DEFAULT_CLAIMS,
  type JsonValue,
  OPERATOR_NAMES,
  type PolicyItemInput,
  parse,
  type Query,
} from '../../../src/index.js';
import { instantText } from '../../../src/testing/arbitraries/instant.js';
import {
  check as anyCheck,
  query as anyQuery,
  unicodePattern,
} from '../../../src/testing/arbitraries/query.js';
import { normalize } from './normalize.js';
import { readDescription } from './read-description.js';

/** How a described query and the query that was read back were found to be equal. */
export type Comparison = 'equivalent' | 'same canonical text' | 'same projections';

/**
 * Describes a query in English, and reads the text.
 *
 * @throws {Error} If the text cannot be read, or describes another query.
 */
export function compareRoundTrip(input: unknown): Comparison {
  const query = parse(input);
  const text = renderDescription({ ...describeQuery(query), notLearnedText: '' });
  const read = parse(readDescription(text, pathsOf(query)));
  const fail = (reason: string): never => {
    throw new Error(`${reason}\n${canonicalText(query)}\n${canonicalText(read)}\n${text}`);
  };
  if ('projections' in query || 'projections' in read)
    return canonicalText(query) === canonicalText(read) ? 'same projections' : fail('differs');
  const verdict = equivalent(query, read);
  if (verdict.answer === 'no') fail('not equivalent');
  if (verdict.answer === 'yes') return 'equivalent';
  return canonicalText(normalize(query)) === canonicalText(normalize(read))
    ? 'same canonical text'
    : fail(`unknown: ${verdict.answer === 'unknown' ? verdict.reason : ''}`);
}

function pathsOf(query: Query): readonly string[] {
  return [...canonicalText(query).matchAll(/"claim":"([\w.]+)"/g)].map(([, path = '']) => path);
}

/** Queries on claims that no catalogue has, and on those of the default catalogue. */
export function describedQuery(): fc.Arbitrary<unknown> {
  const check = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...DEFAULT_CLAIMS).chain(checkOf) },
    { weight: 1, arbitrary: anyCheck() },
  );
  const { item } = fc.letrec<{ item: PolicyItemInput; group: PolicyItemInput }>((tie) => ({
    item: fc.oneof({ maxDepth: 3, depthSize: 'small' }, check, tie('group')),
    group: fc.oneof(
      list(tie('item')).map((allOf) => ({ allOf })),
      list(tie('item')).map((anyOf) => ({ anyOf })),
      tie('item').map((not) => ({ not })),
    ),
  }));
  const policy = fc.oneof(
    list(item).map((allOf) => ({ policy: { allOf } })),
    list(item).map((anyOf) => ({ policy: { anyOf } })),
    item.map((not) => ({ policy: { not } })),
  );
  const path = fc.constantFrom(
    ...DEFAULT_CLAIMS.map((claim) => claim.path),
    'identity.address_full.country',
    'club.age',
  );
  const projection = fc.oneof(
    fc.record({ claim: path, lens: fc.constant('pluck' as const) }),
    fc.record({ claim: path, lens: fc.constant('at' as const), index: fc.integer({ min: -30, max: 30 }) }),
    fc.record({
      claim: path,
      lens: fc.constant('pick' as const),
      fields: fc.uniqueArray(fc.string(), { minLength: 1 }),
    }),
  );
  return fc.oneof<fc.WeightedArbitrary<unknown>[]>(
    { weight: 2, arbitrary: check.map((drawn) => ({ check: drawn })) },
    { weight: 5, arbitrary: policy },
    {
      weight: 1,
      arbitrary: fc
        .uniqueArray(projection, { minLength: 1, maxLength: 4, selector: ({ claim }) => claim })
        .map((projections) => ({ projections })),
    },
    { weight: 3, arbitrary: anyQuery() },
  );
}

function list(item: fc.Arbitrary<PolicyItemInput>): fc.Arbitrary<PolicyItemInput[]> {
  return fc.array(item, { minLength: 1, maxLength: 4 });
}

/** Checks of a claim, mostly with operands of its type; texts that look like values of other types are frequent. */
function checkOf(claim: CatalogueClaim): fc.Arbitrary<Check> {
  const value = fc.oneof({ weight: 5, arbitrary: typedValue(claim) }, { weight: 1, arbitrary: lookAlike() });
  const bound = fc.oneof(
    fc.integer({ min: -2, max: 200_000 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    date(),
    instantText(),
  );
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), lookAlike().map(String));
  const path =
    claim.type === 'object' ? fc.constantFrom(claim.path, `${claim.path}.country`) : fc.constant(claim.path);
  const operand = (operator: Check['operator']): fc.Arbitrary<JsonValue | undefined> => {
    switch (operator) {
      case '==':
      case '!=':
      case 'contains':
        return value;
      case '>':
      case '>=':
      case '<':
      case '<=':
        return bound;
      case 'in':
      case 'notIn':
        return fc.array(value, { maxLength: 4 });
      case 'startsWith':
        return text;
      case 'matchRegex':
        return unicodePattern();
      case 'isDefined':
        return fc.constant(undefined);
    }
  };
  return fc
    .tuple(path, fc.constantFrom(...OPERATOR_NAMES))
    .chain(([drawnPath, operator]) =>
      operand(operator).map((drawn) =>
        drawn === undefined ? { claim: drawnPath, operator } : { claim: drawnPath, operator, value: drawn },
      ),
    );
}

function typedValue({ type, values = [], format }: CatalogueClaim): fc.Arbitrary<JsonValue> {
  if (format === 'country')
    return fc.constantFrom('PT', 'ES', 'FR', 'NL', 'US', 'GB', 'UK', 'SU', 'XK', 'QQ', 'TC', 'AX');
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'number':
    case 'integer':
      return fc.oneof(
        fc.integer({ min: -3, max: 100_001 }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      );
    case 'date':
      return date();
    case 'datetime':
      return instantText();
    case 'enum':
      return fc.constantFrom(...values);
    case 'array':
    case 'object':
      return fc.jsonValue({ maxDepth: 2 }).map((value) => value as JsonValue);
    case 'string':
      return fc.string();
  }
}

function date(): fc.Arbitrary<string> {
  return fc
    .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((drawn) => drawn.toISOString().slice(0, 10));
}

/** Texts and values that resemble others, and parts of sentences. */
function lookAlike(): fc.Arbitrary<JsonValue> {
  return fc.constantFrom<JsonValue>(
    18,
    '18',
    true,
    'true',
    'yes',
    'no',
    null,
    'null',
    'empty',
    '',
    ' ',
    'Portugal',
    'PT',
    'pt',
    '2026-01-31',
    '2026-02-31',
    '0099-01-31',
    '31 January 2026',
    '2026-01-31T00:00:00Z',
    'a” or “b',
    '“a”',
    '"a"',
    '1 or 2',
    'a, and your age is 3',
    ' (or this is unknown)',
    'one of an empty list of values',
    '18 or older',
    'above 10,000 USD',
    'a\nb',
    '- a',
    'a\u202eb',
    'a\u00a0b',
    '\ud800',
    'سلام',
    'שלום “”',
    [],
    [1, '1'],
    ['a” or “b'],
    {},
    { a: 1, b: ['”'] },
    10_000,
    1e21,
    1e-7,
    -0,
  );
}
