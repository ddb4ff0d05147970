/** Checks that converted policies have the verdicts of JSON-Logic, CASL and json-rules-engine, and that other constructs are rejected. */
import { createMongoAbility } from '@casl/ability';
import * as fc from 'fast-check';
import { LogicEngine } from 'json-logic-engine';
import { Engine } from 'json-rules-engine';
import { describe, expect, it } from 'vitest';
import {
  type Conversion,
  fromCasl,
  fromJsonLogic,
  fromJsonRulesEngine,
  toJsonLogic,
} from '../../../src/convert/index.js';
import { ClaimSet, compile, DEFAULT_CLAIMS, type JsonObject } from '../../../src/index.js';

const CLAIMS = {
  age: { claim: 'identity.age', type: 'number' },
  score: { claim: 'x.score', type: 'number' },
  country: { claim: 'identity.country', type: 'string' },
  member: { claim: 'x.member', type: 'boolean' },
  roles: { claim: 'x.roles', type: 'array' },
  since: { claim: 'x.since', type: 'date' },
} as const;
const OPTIONS = { claims: CLAIMS };
type Name = keyof typeof CLAIMS;
const NAMES = Object.keys(CLAIMS) as Name[];

const number = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 17.5, 18),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const string = fc.constantFrom('', 'DE', 'FR', '18', 'null');
const element = fc.oneof(fc.constantFrom('admin', 'DE', ''), number, fc.boolean());
const date = fc.constantFrom('2025-12-31', '2026-01-01', '2026-01-02', '0999-02-28', '9999-12-31');
const values = {
  number,
  string,
  boolean: fc.boolean(),
  array: fc.array(element, { maxLength: 3 }),
  date,
};
const name = fc.constantFrom(...NAMES.filter((one) => one !== 'roles'));
const literal = fc.oneof(number, string, fc.boolean());
/** A name with an operand that mostly has its type. */
const typed = (of: fc.Arbitrary<Name> = name) =>
  of.chain((one) => {
    const fitting: fc.Arbitrary<unknown> = values[CLAIMS[one].type];
    return fc.tuple(
      fc.constant(one),
      fc.oneof({ weight: 20, arbitrary: fitting }, { weight: 1, arbitrary: literal }),
    );
  });
const listed = name.chain((one) => {
  const fitting: fc.Arbitrary<unknown> = values[CLAIMS[one].type];
  return fc.tuple(fc.constant(one), fc.array(fitting, { maxLength: 3 }));
});
const ordered = typed(fc.constantFrom<Name>('age', 'score', 'since'));
const numeric = typed(fc.constantFrom<Name>('age', 'score'));
const some = (item: fc.Arbitrary<unknown>) => fc.array(item, { minLength: 1, maxLength: 3 });

/** A person's claims as data of the other library: one member per defined claim. */
const data = fc.record(
  { age: number, score: number, country: string, member: fc.boolean(), roles: values.array, since: date },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

function tree(
  leaf: fc.Arbitrary<unknown>,
  branches: (inner: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>[],
) {
  return fc.letrec<{ item: unknown }>((tie) => ({
    item: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaf, ...branches(tie('item'))),
  })).item;
}

function verdictOf(query: unknown, person: JsonObject): boolean {
  const claims = Object.fromEntries(
    Object.entries(person).map(([one, value]) => [CLAIMS[one as Name].claim, value]),
  );
  return compile(query, { catalogue: 'none' }).test(ClaimSet.of(claims));
}

/** Compares verdicts wherever a document has an equivalent, which most of them must have. */
async function compare(
  documents: fc.Arbitrary<unknown>,
  convert: (document: unknown) => Conversion<unknown>,
  verdict: (document: unknown, person: JsonObject) => boolean | Promise<boolean>,
  numRuns = 300,
): Promise<void> {
  let converted = 0;
  const property = fc.asyncProperty(
    documents,
    fc.array(data, { minLength: 6, maxLength: 6 }),
    async (document, people) => {
      const result = convert(document);
      if (!result.ok) {
        expect(result.problems.length).toBeGreaterThan(0);
        return;
      }
      converted += 1;
      for (const person of [{}, ...people])
        expect([person, verdictOf(result.value, person)]).toEqual([person, await verdict(document, person)]);
    },
  );
  await fc.assert(property, { numRuns, seed: 7 });
  expect(converted).toBeGreaterThan(numRuns * 0.5);
}

const logicEngine = new LogicEngine();
const logicVerdict = (logic: unknown, person: JsonObject) => Boolean(logicEngine.run(logic as never, person));
const variable = (one: Name) => ({ var: one });

const jsonLogic = tree(
  fc.oneof(
    fc
      .tuple(fc.constantFrom('==', '===', '!=', '!=='), typed(), fc.boolean())
      .map(([operator, [one, value], isMirrored]) => ({
        [operator]: isMirrored ? [value, variable(one)] : [variable(one), value],
      })),
    fc
      .tuple(fc.constantFrom('<', '<=', '>', '>='), ordered, fc.boolean())
      .map(([operator, [one, value], isMirrored]) => ({
        [operator]: isMirrored ? [value, variable(one)] : [variable(one), value],
      })),
    fc
      .tuple(fc.constantFrom('<', '<='), number, numeric)
      .map(([operator, low, [one, high]]) => ({ [operator]: [low, variable(one), high] })),
    listed.map(([one, list]) => ({ in: [variable(one), list] })),
    element.map((one) => ({ in: [one, variable('roles')] })),
    fc
      .tuple(fc.constantFrom('===', '!=='), name)
      .map(([operator, one]) => ({ [operator]: [variable(one), null] })),
    fc.constant({ '!!': [{ var: 'member' }] }),
  ),
  (inner) => [
    some(inner).map((and) => ({ and })),
    some(inner).map((or) => ({ or })),
    inner.map((one) => ({ '!': [one] })),
    inner.map((one) => ({ '!!': one })),
  ],
);

describe('JSON-Logic', () => {
  it('converted rules have the same verdict, whether claims are defined or not', async () => {
    await compare(jsonLogic, (logic) => fromJsonLogic(logic, OPTIONS), logicVerdict);
  });

  it('a query converted to JSON-Logic has the same verdict, and so has its conversion back', async () => {
    const back = (logic: unknown): Conversion<unknown> => {
      const query = fromJsonLogic(logic, OPTIONS);
      if (!query.ok) return query;
      const rewritten = toJsonLogic(query.value, OPTIONS);
      expect(rewritten.ok).toBe(true);
      return rewritten.ok ? fromJsonLogic(rewritten.value, OPTIONS) : rewritten;
    };
    await compare(jsonLogic, back, logicVerdict);
    const forth = (logic: unknown, person: JsonObject) => {
      const query = fromJsonLogic(logic, OPTIONS);
      const rewritten = query.ok ? toJsonLogic(query.value, OPTIONS) : query;
      return rewritten.ok && logicVerdict(rewritten.value, person);
    };
    await compare(jsonLogic, (logic) => fromJsonLogic(logic, OPTIONS), forth);
  });

  it.each([
    ['a loose comparison with 0', { '==': [{ var: 'age' }, 0] }, 'not_supported', '/==/1'],
    ['a loose comparison with null', { '!=': [{ var: 'age' }, null] }, 'not_supported', '/!=/1'],
    ['a comparison with type coercion', { '>=': [{ var: 'age' }, '18'] }, 'type', '/>=/1'],
    ['an order of strings', { '<': [{ var: 'country' }, 'F'] }, 'type', '/</1'],
    ['a number as a condition', { and: [{ var: 'age' }] }, 'type', '/and/0/var'],
    ['a default', { '===': [{ var: ['age', 1] }, 1] }, 'not_supported', '/===/0/var'],
    ['an unknown variable', { '===': [{ var: 'height' }, 1] }, 'unknown_claim', '/===/0/var'],
    ['two variables', { '===': [{ var: 'age' }, { var: 'score' }] }, 'not_supported', '/==='],
    ['arithmetic', { '>': [{ '+': [{ var: 'age' }, 1] }, 18] }, 'not_supported', '/>'],
    ['a substring', { in: ['D', { var: 'country' }] }, 'not_supported', '/in'],
    ['a mixed list', { in: [{ var: 'age' }, [18, '18']] }, 'type', '/in/1/1'],
    ['a choice', { if: [{ var: 'member' }, true, false] }, 'not_supported', '/if'],
    ['an empty conjunction', { and: [] }, 'not_supported', '/and'],
    ['a literal', true, 'not_supported', ''],
    ['two variables in `in`', { in: [{ var: 'country' }, { var: 'roles' }] }, 'not_supported', '/in'],
    ['an object as an element', { in: [{ a: 1, b: 2 }, { var: 'roles' }] }, 'type', '/in/0'],
    ['an element of a number', { in: [1, { var: 'age' }] }, 'type', '/in/0'],
    ['an array that is compared', { '===': [{ var: 'roles' }, 'admin'] }, 'type', '/===/1'],
    ['an array in an array', { in: [{ var: 'roles' }, ['admin']] }, 'type', '/in/1'],
  ])('%s has no equivalent', (_, logic, code, pointer) => {
    const result = fromJsonLogic(logic, OPTIONS);
    expect(result).toMatchObject({ ok: false, problems: [{ code, pointer }] });
  });

  it.each([
    [
      { '>': [{ '+': [{ var: 'age' }, 1] }, 18] },
      'A comparison must have one variable and one literal (got the result of `+`). Compute the value beforehand, and pass it as a claim.',
    ],
    [
      { '===': [{ var: 'heigth' }, 1] },
      'The option `claims` has no `heigth`. Add it, with the path and the type of its claim.',
    ],
    [{ '===': [{ var: 'contry' }, 'DE'] }, 'The option `claims` has no `contry`. Did you mean `country`?'],
    [
      { '>=': [{ var: 'age' }, '18'] },
      'The claim `identity.age` of type `number` must be compared with literals of its type (got a string).',
    ],
    [
      { if: [{ var: 'member' }, true, false] },
      '`if` has no equivalent. Rewrite it with `and`, `or` and `!`.',
    ],
    [{ andd: [] }, '`andd` has no equivalent. Did you mean `and`?'],
    [
      { in: ['D', { var: 'country' }] },
      'A search for a substring has no equivalent. If the values are arrays, the type of the variable must be `array`; otherwise use `matchRegex` in the query.',
    ],
    [
      { '===': [{ var: 'country' }, 'DE'], '>=': [{ var: 'age' }, 18] },
      'A condition must be an object with one operator (got 2: `===` and `>=`). Join them with `and`, as one condition each.',
    ],
    [{}, 'A condition must be an object with one operator (got an empty object).'],
    [
      '{"===":[{"var":"age"},18]}',
      'A condition must be an object with one operator (got a string). Parse the text with `JSON.parse`.',
    ],
    [
      { '>=': [{ var: 'since' }, 'new'] },
      'The claim `x.since` of type `date` must be compared with literals of its type, such as `2026-01-31` (got `new`).',
    ],
    [
      { '>=': [{ var: 'country' }, '2026-01-01'] },
      'The claim `identity.country` of type `string` has no order: queries order numbers and dates only. If all values are dates such as `2026-01-31`, the type must be `date`; if they have times, `datetime`.',
    ],
  ])('%j is rejected with a message that says how to rewrite it', (logic, message) => {
    expect(fromJsonLogic(logic, OPTIONS)).toMatchObject({ ok: false, problems: [{ message }] });
  });

  it('rejects an ordering of date-times, which have another order as strings, with a message that contains the check to write', () => {
    const claims = { at: { claim: 'x.at', type: 'datetime' } } as const;
    const [early, late] = ['2026-01-31T00:00:00+02:00', '2026-01-30T23:00:00Z'];
    expect(fromJsonLogic({ '>=': [{ var: 'at' }, late] }, { claims })).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'type',
          message:
            'The claim `x.at` of type `datetime` has no order: queries order numbers and dates only. Date-times are ordered as strings here, and as instants in queries, in which offsets and fractions count. To compare instants, remove this condition, and add `{"claim":"x.at","operator":">=","value":"2026-01-30T23:00:00Z"}` to the query.',
        },
      ],
    });
    const verdict = logicVerdict({ '>=': [{ var: 'at' }, late] }, { at: early });
    const check = { claim: 'x.at', operator: '>=', value: late };
    expect([verdict, compile({ check }, { catalogue: 'none' }).test(ClaimSet.of({ 'x.at': early }))]).toEqual(
      [true, false],
    );
  });

  // S433
  it.each([
    ['day', '2026-13-45', 'such as `2026-01-31` (got `2026-13-45`).'],
    ['day', '2026-02-31', 'such as `2026-01-31` (got `2026-02-31`).'],
    ['day', '2026-01-31T09:30:00Z', 'such as `2026-01-31` (got `2026-01-31T09:30:00Z`).'],
    ['at', '2026-01-31', 'such as `2026-01-31T09:30:00Z` (got `2026-01-31`).'],
    ['visits', 1.5, 'of type `integer` must be compared with literals of its type (got 1.5).'],
  ] as const)(
    'a comparison of `%s` with %j, which no value equals, is rejected: its negation would always pass',
    (name, value, message) => {
      const claims = {
        day: { claim: 'x.day', type: 'date' },
        at: { claim: 'x.at', type: 'datetime' },
        visits: { claim: 'x.visits', type: 'integer' },
      } as const;
      const problems = [{ code: 'type', message: expect.stringContaining(message) }];
      for (const logic of [
        { '!==': [{ var: name }, value] },
        { '===': [value, { var: name }] },
        { '!': { in: [{ var: name }, [value]] } },
      ])
        expect(fromJsonLogic(logic, { claims })).toMatchObject({ ok: false, problems });
      const rule = { fact: name, operator: 'notEqual', value };
      expect(fromJsonRulesEngine(rule, { claims })).toMatchObject({ ok: false, problems });
      const rules = [{ action: 'read', subject: 'Person', conditions: { [name]: { $ne: value } } }];
      const target = { action: 'read', subject: 'Person' };
      expect(fromCasl(rules, target, { claims })).toMatchObject({ ok: false, problems });
      const check = { claim: claims[name].claim, operator: '!=', value };
      expect(toJsonLogic({ check }, { claims })).toMatchObject({ ok: false, problems });
    },
  );

  // S433
  it.each([
    { and: [{ '===': [{ var: 'age' }, 1] }], comment: 'x' },
    { '!==': [{ var: 'age', comment: 'x' }, 1] },
    { '!': [{ '===': [{ var: 'age' }, 1] }], comment: 'x' },
  ])('a rule with an unknown member is rejected: %j', (logic) => {
    const claims = { age: { claim: 'x.age', type: 'integer' } } as const;
    expect(fromJsonLogic(logic, { claims })).toMatchObject({ ok: false });
  });

  it('accepts every claim type of a catalogue, so that the option `claims` can be built from one', () => {
    const claims = Object.fromEntries(
      DEFAULT_CLAIMS.map(({ path, type }) => [path, { claim: path, type }] as const),
    );
    expect(new Set(DEFAULT_CLAIMS.map(({ type }) => type)).size).toBeGreaterThan(6);
    for (const { path } of DEFAULT_CLAIMS)
      expect(fromJsonLogic({ '!==': [{ var: path }, null] }, { claims })).toMatchObject({ ok: true });
    const object = { '===': [{ var: 'identity.address_full' }, 'x'] };
    const message = 'A claim of type `object` can only be tested for being defined.';
    expect(fromJsonLogic(object, { claims })).toMatchObject({ ok: false, problems: [{ message }] });
  });

  it.each([
    [
      { path: 'identity.age', type: 'number' },
      'the claim of `age` must have the members `claim`, a claim path, and `type` (got `path` and `type`)',
    ],
    [{}, 'the claim of `age` must have the members `claim`, a claim path, and `type` (got an empty object)'],
    [
      { claim: 'age', type: 'number' },
      '`claim` of `age` must be a claim path, such as `identity.age` (got `age`)',
    ],
    [{ claim: 5, type: 'number' }, '`claim` of `age` must be a claim path (got 5)'],
    [{ claim: 'identity.age', type: 'nubmer' }, 'Did you mean `number`?'],
    [
      { claim: 'identity.age', type: 'number', format: 'EUR' },
      'the claim of `age` must have the members `claim` and `type` only (got `format`)',
    ],
  ])('the claim %j is rejected with a message that names the required form', (age, message) => {
    const convert = () => fromJsonLogic({ '===': [{ var: 'age' }, 1] }, { claims: { age } as never });
    expect(convert).toThrow(message);
  });

  it('a query with other operators, or on other claims, is not converted to JSON-Logic', () => {
    const checks = [
      { claim: 'identity.country', operator: 'startsWith', value: 'D' },
      { claim: 'identity.age', operator: '>', value: '2026-01-01' },
      { claim: 'identity.age', operator: '==', value: 'D' },
      { claim: 'identity.name', operator: '==', value: 'D' },
    ];
    const result = toJsonLogic({ policy: { allOf: checks } }, OPTIONS);
    expect(result.ok ? [] : result.problems.map(({ code }) => code)).toEqual([
      'not_supported',
      'type',
      'type',
      'unknown_claim',
    ]);
  });
});

describe('json-rules-engine', () => {
  const conditions = tree(
    fc.oneof(
      fc
        .tuple(fc.constantFrom('equal', 'notEqual'), typed())
        .map(([operator, [fact, value]]) => ({ fact, operator, value })),
      fc
        .tuple(fc.constantFrom('in', 'notIn'), listed)
        .map(([operator, [fact, value]]) => ({ fact, operator, value })),
      fc
        .tuple(fc.constantFrom('contains', 'doesNotContain'), element)
        .map(([operator, value]) => ({ fact: 'roles', operator, value })),
      fc
        .tuple(
          fc.constantFrom('lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'),
          ordered,
        )
        .map(([operator, [fact, value]]) => ({ fact, operator, value })),
    ),
    (inner) => [
      some(inner).map((all) => ({ all })),
      some(inner).map((any) => ({ any })),
      inner.map((not) => ({ not })),
    ],
  ).map((condition) => ({ all: [condition] }));

  it('converted rules succeed for the same people', async () => {
    const verdict = async (root: unknown, person: JsonObject) => {
      const rule = { conditions: root as never, event: { type: 'passed' } };
      const { events } = await new Engine([rule], { allowUndefinedFacts: true }).run(person);
      return events.length > 0;
    };
    await compare(conditions, (root) => fromJsonRulesEngine({ conditions: root }, OPTIONS), verdict, 150);
  });

  it.each([
    ['a path', { fact: 'age', operator: 'equal', value: 1, path: '$.a' }, '/all/0/path'],
    ['a fact as the value', { fact: 'age', operator: 'equal', value: { fact: 'score' } }, '/all/0/value'],
    ['an element of a string', { fact: 'country', operator: 'contains', value: 'D' }, '/all/0/value'],
    ['a shared condition', { condition: 'adult' }, '/all/0/condition'],
  ])('%s has no equivalent', (_, condition, pointer) => {
    const result = fromJsonRulesEngine({ all: [condition] }, OPTIONS);
    expect(result).toMatchObject({ ok: false, problems: [{ pointer }] });
  });
});

it.each([
  ['JSON-Logic', fromJsonLogic, '!', { var: 'member' }, '/!'],
  [
    'json-rules-engine',
    fromJsonRulesEngine,
    'not',
    { fact: 'member', operator: 'equal', value: true },
    '/not',
  ],
])('a rule of %s that nests deeper than any query is rejected', (_, convert, operator, condition, step) => {
  const nested = (depth: number) => {
    let rule: object = condition;
    for (let level = 1; level < depth; level += 1) rule = { [operator]: rule };
    return rule;
  };
  expect(convert(nested(256), OPTIONS).ok).toBe(true);
  const problem = {
    code: 'not_supported',
    pointer: step.repeat(256),
    message: 'Conditions must nest at most 256 deep.',
  };
  for (const depth of [257, 20_000])
    expect(convert(nested(depth), OPTIONS)).toEqual({ ok: false, problems: [problem] });
});

describe('CASL', () => {
  const operators = fc.oneof(
    fc
      .tuple(fc.constantFrom('$eq', '$ne'), typed())
      .map(([operator, [one, value]]) => ({ [one]: { [operator]: value } })),
    fc
      .tuple(fc.constantFrom('$in', '$nin'), listed)
      .map(([operator, [one, list]]) => ({ [one]: { [operator]: list } })),
    fc
      .tuple(fc.constantFrom('$lt', '$lte', '$gt', '$gte'), ordered)
      .map(([operator, [one, value]]) => ({ [one]: { [operator]: value } })),
    fc.tuple(name, fc.boolean()).map(([one, $exists]) => ({ [one]: { $exists } })),
    typed().map(([one, value]) => ({ [one]: value })),
    fc.tuple(number, number).map(([$gte, $lt]) => ({ age: { $gte, $lt } })),
  );
  const conditions = some(operators).map((all) => Object.assign({}, ...all) as unknown);
  const rules = fc.array(
    fc.record(
      {
        action: fc.constantFrom<unknown>('read', 'manage', ['read', 'update'], 'update'),
        subject: fc.constantFrom<unknown>('Person', 'all', ['Person'], 'Other'),
        conditions,
        inverted: fc.boolean(),
      },
      { requiredKeys: ['action', 'subject', 'conditions'] },
    ),
    { minLength: 1, maxLength: 4 },
  );
  const ability = { action: 'read', subject: 'Person' };

  it('converted rules allow the action on the same objects', async () => {
    const verdict = (raw: unknown, person: JsonObject) =>
      createMongoAbility(raw as never, { detectSubjectType: () => 'Person' as never }).can(
        'read' as never,
        { ...person } as never,
      );
    await compare(
      fc.oneof(
        rules,
        rules.map((all) => [{ action: 'read', subject: 'Person', conditions: { age: { $gt: 1 } } }, ...all]),
      ),
      (raw) => fromCasl(raw, ability, OPTIONS),
      verdict,
    );
  });

  it.each([false, true])(
    'converts many rules to one policy, within the depth limit: inverted: %s',
    (inverted) => {
      const allowed = { ...ability, conditions: { age: { $gte: 0 } } };
      const many = Array.from({ length: 40 }, (_, age) => ({ ...ability, conditions: { age }, inverted }));
      const result = fromCasl([allowed, ...many], ability, OPTIONS);
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      expect([-1, 39, 40].map((age) => verdictOf(result.value, { age }))).toEqual([false, !inverted, true]);
    },
  );

  it.each([
    ['no subject', {}],
    ['the subject `undefined`', { subject: undefined }],
    ['the subject `null`', { subject: null }],
    ['an empty subject', { subject: '' }],
    ['an empty list of subjects', { subject: [] }],
    ['a list with an empty subject', { subject: [''] }],
  ])('a rule with %s has the same verdict as in CASL', (_, subject) => {
    const adults = { ...ability, conditions: { age: { $gte: 18 } } };
    const verdict = (raw: unknown, person: JsonObject) =>
      createMongoAbility(raw as never, { detectSubjectType: () => 'Person' as never }).can(
        'read' as never,
        { ...person } as never,
      );
    for (const inverted of [true, false]) {
      const raw = [adults, { action: 'read', conditions: { score: { $gt: 1 } }, inverted, ...subject }];
      const result = fromCasl(raw, ability, OPTIONS);
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      for (const person of [{ age: 20, score: 2 }, { age: 20 }, { age: 17, score: 2 }, {}])
        expect([person, verdictOf(result.value, person)]).toEqual([person, verdict(raw, person)]);
    }
  });

  it.each([undefined, null, ''])('an inverted rule with the subject %j forbids every object', (subject) => {
    const raw = [
      { ...ability, conditions: { age: { $gte: 18 } } },
      { action: 'read', subject, inverted: true },
    ];
    const problems = [{ code: 'constant', pointer: '' }];
    expect(fromCasl(raw, ability, OPTIONS)).toMatchObject({ ok: false, problems });
  });

  it.each([[{}], [null], ['x'], [[]]])(
    'the conditions %j are rejected, and an object is required',
    (conditions) => {
      const message =
        'The conditions must be an object that is not empty. Remove `conditions` if the rule applies to every object.';
      const problems = [{ code: 'not_supported', pointer: '/0/conditions', message }];
      expect(fromCasl([{ ...ability, conditions }], ability, OPTIONS)).toEqual({ ok: false, problems });
    },
  );

  it('a field without operators is rejected, and an operator is required', () => {
    const message = 'The condition on a field must be a literal, or an object with at least one operator.';
    const problems = [{ code: 'not_supported', pointer: '/0/conditions/age', message }];
    expect(fromCasl([{ ...ability, conditions: { age: {} } }], ability, OPTIONS)).toEqual({
      ok: false,
      problems,
    });
  });

  it.each([
    ['$or', ' Repeat the rule for each alternative.'],
    ['$and', ' Merge its parts into one object of conditions.'],
    ['$nor', ''],
  ])('%s in place of a field is rejected, with the advice that fits it', (operator, advice) => {
    const message = `CASL supports no operator in place of a field (got \`${operator}\`).${advice}`;
    const problems = [{ code: 'not_supported', pointer: `/0/conditions/${operator}`, message }];
    expect(fromCasl([{ ...ability, conditions: { [operator]: [{ age: 1 }] } }], ability, OPTIONS)).toEqual({
      ok: false,
      problems,
    });
  });

  it.each([
    [
      'a rule on fields',
      [{ ...ability, fields: ['age'], conditions: { age: 1 } }],
      'not_supported',
      '/0/fields',
    ],
    [
      'a pattern',
      [{ ...ability, conditions: { country: { $regex: '^D' } } }],
      'not_supported',
      '/0/conditions/country/$regex',
    ],
    ['null', [{ ...ability, conditions: { country: null } }], 'type', '/0/conditions/country'],
    ['a rule without conditions', [ability], 'constant', ''],
    ['the absence of rules', [], 'constant', ''],
  ])('%s has no equivalent', (_, raw, code, pointer) => {
    expect(fromCasl(raw, ability, OPTIONS)).toMatchObject({ ok: false, problems: [{ code, pointer }] });
  });
});
