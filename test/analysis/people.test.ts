/** Analyses of a person or a grant: residuals, explanations and required scopes (L10, L13, L14, L20). */
import { describe, expect, it } from 'vitest';
import {
  explain,
  inferKnowledge,
  requiredScopes,
  residual,
  satisfiable,
  toKnownQuery,
} from '../../src/analysis/index.js';
import {
  type Catalogue,
  ClaimError,
  ClaimSet,
  type Credential,
  CredentialError,
  compile,
  createEngine,
  createScopeCatalogue,
  DEFAULT_CATALOGUE,
  DEFAULT_CLAIMS,
  type JsonValue,
  QueryError,
  type RegexEngine,
  re2js,
} from '../../src/index.js';

const NOW = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;

const adult = { claim: 'identity.age', operator: '>=', value: 18 } as const;
const level = { claim: 'kyc.level', operator: 'in', value: ['basic', 'enhanced'] } as const;
const passed = { claim: 'kyc.passed', operator: '==', value: true } as const;
const residesElsewhere = {
  not: { claim: 'identity.country_of_residence', operator: '==', value: 'KP' },
} as const;
const policy = { policy: { allOf: [adult, { anyOf: [level, passed] }, residesElsewhere] } };

const catalogue = createScopeCatalogue([
  { name: 'identity', covers: ['identity'] },
  { name: 'age', covers: ['identity.age'] },
  { name: 'kyc', covers: ['kyc'] },
  { name: 'all', implies: ['identity', 'kyc', 'age'] },
]);

function person(
  claims: Record<string, JsonValue>,
  overrides: Partial<Credential> = {},
): readonly Credential[] {
  return [{ id: 'c', source: 's', issuedAt: 0, claims, ...overrides }];
}

function explainPolicy(credentials: readonly Credential[]) {
  return explain(policy, credentials, { now: NOW, scopes: ['all'], catalogue });
}

describe('the required scopes of a query', () => {
  // L20
  it('are listed as minimal sets, the smallest first', () => {
    expect(requiredScopes(policy, catalogue)).toEqual({
      sets: [['all'], ['age', 'kyc', 'identity']],
      uncovered: [],
    });
  });

  // L20
  it('include the scopes of projected claims', () => {
    const query = { projections: [{ claim: 'identity.email', lens: 'pluck' }] };
    expect(requiredScopes(query).sets).toEqual([['profile.full'], ['identity:read'], ['email']]);
  });

  // L20
  it('are found even if many combinations of scopes have a scope that the others make redundant', () => {
    const narrow = Array.from({ length: 10 }, (_, index) =>
      ['x', 'y', 'z'].map((name) => ({ name: `${name}${index}`, covers: [`narrow.claim${index}`] })),
    ).flat();
    const scopes = createScopeCatalogue([
      { name: 'first', covers: ['wide.one'] },
      { name: 'both', covers: ['wide.one', 'wide.two'] },
      { name: 'second', covers: ['wide.two'] },
      { name: 'third', covers: ['wide.two'] },
      ...narrow,
    ]);
    const claims = [
      'wide.one',
      'wide.two',
      ...Array.from({ length: 10 }, (_, index) => `narrow.claim${index}`),
    ];
    const allOf = claims.map((claim) => ({ check: { claim, operator: 'isDefined' } }));
    const { sets } = requiredScopes({ policy: { allOf } }, scopes);
    expect(sets).toHaveLength(32);
    expect(sets[0]).toEqual(['both', ...Array.from({ length: 10 }, (_, index) => `x${index}`)]);
  });

  // L20
  it('are empty if no scope covers a claim, which is reported', () => {
    const query = { check: { claim: 'hobby.name', operator: 'isDefined' } };
    expect(requiredScopes(query, catalogue)).toEqual({ sets: [], uncovered: ['hobby.name'] });
  });
});

describe('an analysis with a wrong argument', () => {
  // S427
  it.each([[null], [{ scopes: [], claims: [] }], [DEFAULT_CATALOGUE], ['none']])(
    'names the catalogue of `requiredScopes` in the error: case %#',
    (wrong) => {
      const call = () => requiredScopes(policy, wrong as never);
      expect(call).toThrow(TypeError);
      expect(call).toThrow('`catalogue` must be a scope catalogue: that of `createScopeCatalogue(');
    },
  );

  // S427
  it('names `steps`, `answers`, `at` or `type` in the error', () => {
    for (const steps of ['3', 0, 1.5, Number.NaN])
      expect(() => satisfiable(policy, { steps: steps as number })).toThrow(
        '`steps` must be a whole number of 1 or more (got',
      );
    expect(() => inferKnowledge([], { answers: 'x' as never })).toThrow(
      '`answers` must be a whole number of 1 or more (got a string)',
    );
    expect(() => inferKnowledge([{ query: { check: adult }, passed: true, at: Number.NaN }])).toThrow(
      '`at` of an answer must be epoch milliseconds (got NaN)',
    );
    const [known] = inferKnowledge([{ query: { check: adult }, passed: true, at: 0 }]);
    expect(() => known && toKnownQuery(known, { type: 'intger' as never })).toThrow(
      '`type.type` must be one of',
    );
  });
});

describe('the residual of a policy', () => {
  // S428
  it('is rejected for claims and values that do not fit the given catalogue', () => {
    const options = { catalogue: { claims: DEFAULT_CLAIMS } };
    expect(residual(policy, { 'identity.age': 17 }, options)).toEqual({ kind: 'decided', passes: false });
    const unknown = () => residual(policy, { 'identity.agee': 17 }, options);
    expect(unknown).toThrow(ClaimError);
    expect(unknown).toThrow('the catalogue has no claim `identity.agee`. Did you mean `identity.age`?');
    expect(() => residual(policy, { 'identity.age': '17' }, options)).toThrow(
      'claim `identity.age` must be of type integer',
    );
    const clash = { policy: { not: { claim: 'kyc.passed', operator: '==', value: 'true' } } };
    expect(() => residual(clash, {}, options)).toThrow(QueryError);
    expect(residual(clash, {}).kind).toBe('open');
  });

  // S428
  it('is rejected if `known` is not an object of claims by path', () => {
    expect(() => residual(policy, { age: 17 })).toThrow(
      'a claim path must be two or more names joined by dots',
    );
    expect(() => residual(policy, ClaimSet.of({ 'identity.age': 17 }) as never)).toThrow(
      '`known` must be an object of claims by path (got a claim set)',
    );
  });

  it('does not contain known claims', () => {
    expect(residual(policy, { 'identity.age': 30, 'kyc.level': undefined })).toEqual({
      kind: 'open',
      query: { policy: { allOf: [{ check: passed }, { policy: { not: { check: residesElsewhere.not } } }] } },
    });
  });

  // L14
  it('is a decision once enough claims are known', () => {
    expect(residual(policy, { 'identity.age': 17 })).toEqual({ kind: 'decided', passes: false });
    const all = { 'identity.age': 18, 'kyc.passed': true, 'identity.country_of_residence': undefined };
    expect(residual(policy, all)).toEqual({ kind: 'decided', passes: true });
  });

  // L13
  it('does not resolve a longer path in a shorter known claim, since a credential may attest the longer path', () => {
    const query = { check: { claim: 'a.b.c', operator: '==', value: 1 } };
    expect(residual(query, { 'a.b': { c: 1 } })).toEqual({ kind: 'open', query });
  });

  // L12, L13
  it('contains a check on a claim whose known value is too deep, since the member of a shorter claim then applies', () => {
    const tooDeep = Array.from({ length: 17 }).reduce<JsonValue>((inner) => [inner], 1);
    const query = { check: { claim: 'x.a.b', operator: '==', value: 1 } };
    const claims = { 'x.a.b': tooDeep, 'x.a': { b: 1 } };
    expect(compile(query, { catalogue: 'none' }).test(ClaimSet.of(claims))).toBe(true);
    expect(residual(query, claims)).toEqual({ kind: 'open', query });
  });
});

describe('the explanation of a failing policy', () => {
  // S421
  it('is rejected for a check that no value of its claim passes', () => {
    const clash = { policy: { not: { claim: 'kyc.passed', operator: '==', value: 'true' } } };
    const call = () => explain(clash, {}, { catalogue: DEFAULT_CATALOGUE, scopes: ['kyc:read'] });
    expect(call).toThrow(QueryError);
    expect(call).toThrow(
      'The `value` of `==` on `kyc.passed` must be of type boolean, not the string `true`.',
    );
  });

  // L17
  it('has the smallest set of claims that must change, each with its nearest passing value', () => {
    expect(explainPolicy(person({ 'identity.age': 16, 'kyc.level': 'basic' }))).toMatchObject({
      passes: false,
      changes: [[{ claim: 'identity.age', from: 16, to: 18, checks: ['/policy/allOf/0'] }]],
    });
  });

  // L14
  it('lists several sets, with no current value for undefined claims', () => {
    const explained = explainPolicy(person({ 'identity.age': 18 }));
    expect(explained.passes ? [] : explained.changes).toEqual([
      [{ claim: 'kyc.level', from: undefined, to: 'basic', checks: ['/policy/allOf/1/policy/anyOf/0'] }],
      [{ claim: 'kyc.passed', from: undefined, to: true, checks: ['/policy/allOf/1/policy/anyOf/1'] }],
    ]);
  });

  // L17
  it('suggests the nearest whole number or day that passes', () => {
    const query = (operator: string, value: JsonValue) => ({
      check: { claim: 'identity.age', operator, value },
    });
    const nearest = (operator: string, value: JsonValue, current: JsonValue) => {
      const explained = explain(query(operator, value), person({ 'identity.age': current }), {
        now: NOW,
        scopes: ['all'],
        catalogue,
      });
      return explained.passes ? undefined : explained.changes[0]?.[0]?.to;
    };
    expect(nearest('>', 18, 3)).toBe(19);
    expect(nearest('<', 18, 40)).toBe(17);
    expect(nearest('>=', 18.5, 3)).toBe(19);
    expect(nearest('>', '2026-06-01', '2026-01-01')).toBe('2026-06-02');
    expect(nearest('<=', '2026-06-01', '2027-01-01')).toBe('2026-06-01');
  });

  // L10
  it('has the instant from which a future credential makes the policy pass', () => {
    const future = person({ 'identity.age': 20, 'kyc.passed': true }, { issuedAt: NOW + DAY });
    expect(explainPolicy(future)).toMatchObject({ passes: false, changesAt: NOW + DAY });
  });

  // L10
  it('has no instant of a change after the year 9999, such as that of a credential that never expires', () => {
    const [never, later] = [{ expiresAt: Number.MAX_SAFE_INTEGER }, { revokedAt: Date.UTC(10_000, 0, 1) }];
    for (const lifetime of [never, later])
      expect(explainPolicy(person({ 'identity.age': 20 }, lifetime)).changesAt).toBeUndefined();
  });
});

describe('the explanation of a failing policy on a claim and on a member of it', () => {
  const options = { catalogue: 'none' } as const;
  const street = { claim: 'home.address.street', operator: '==', value: 'X' } as const;
  const address = (value: JsonValue) => ({ claim: 'home.address', operator: '==', value }) as const;
  const claims = { 'home.address': { street: 'X' } };

  // L13
  it('includes the member in the changes if a change to the claim would remove it', () => {
    const query = { policy: { allOf: [address({ zip: 1 }), street] } };
    expect(explain(query, claims, options)).toMatchObject({
      passes: false,
      changes: [
        [
          { claim: 'home.address', to: { zip: 1 }, checks: ['/policy/allOf/0'] },
          { claim: 'home.address.street', from: 'X', to: 'X', checks: [] },
        ],
      ],
    });
  });

  // L13
  it('changes the claim alone if the member is attested itself, or if the new value contains it', () => {
    const query = { policy: { allOf: [address({ zip: 1 }), street] } };
    const attested = { ...claims, 'home.address.street': 'X' };
    expect(explain(query, attested, options)).toMatchObject({ changes: [[{ claim: 'home.address' }]] });
    const whole = { policy: { allOf: [address({ zip: 1, street: 'X' }), street] } };
    expect(explain(whole, claims, options)).toMatchObject({ changes: [[{ claim: 'home.address' }]] });
  });

  // L13
  it('changes the claim alone if the member only has to change with it, and names the checks on both', () => {
    const query = { policy: { allOf: [address('Main Street 1'), { policy: { not: street } }] } };
    expect(explain(query, claims, options)).toMatchObject({
      changes: [
        [
          {
            claim: 'home.address',
            to: 'Main Street 1',
            checks: ['/policy/allOf/0', '/policy/allOf/1/policy/not'],
          },
        ],
      ],
    });
  });

  // L13
  it('includes the member also if both are members of a claim that the policy does not read', () => {
    const [whole, part] = ['home.data.address', 'home.data.address.street'];
    const main = { claim: whole, operator: '==', value: 'Main Street 1' } as const;
    const query = { policy: { allOf: [main, { claim: part, operator: 'isDefined' }] } };
    const explained = explain(query, { 'home.data': { address: { street: 'X' } } }, options);
    expect(explained).toMatchObject({
      changes: [
        [
          { claim: whole, from: { street: 'X' }, to: 'Main Street 1' },
          { claim: part, from: 'X', to: 'X', checks: [] },
        ],
      ],
    });
  });

  // L13
  it('changes the claim alone if the member becomes defined with it', () => {
    const query = { policy: { allOf: [address({ street: 'X' }), street] } };
    const checks = ['/policy/allOf/0', '/policy/allOf/1'];
    expect(explain(query, {}, options)).toMatchObject({
      changes: [[{ claim: 'home.address', from: undefined, to: { street: 'X' }, checks }]],
    });
  });

  // L13
  it('may remove a member of a claim that the policy does not read', () => {
    const query = { policy: { not: { claim: 'home.address.street', operator: 'isDefined' } } };
    expect(explain(query, claims, options)).toMatchObject({
      changes: [[{ claim: 'home.address.street', from: 'X', to: undefined }]],
    });
  });
});

describe('the explanation of a passing policy', () => {
  const credentials = person(
    { 'identity.age': 20, 'kyc.level': 'basic', 'kyc.passed': true },
    { expiresAt: NOW + DAY },
  );

  // L10
  it('has a smallest set of sufficient claims, and the instant until which they suffice', () => {
    expect(explainPolicy(credentials)).toMatchObject({
      passes: true,
      sufficient: ['identity.age', 'kyc.level', 'identity.country_of_residence'],
      changesAt: NOW + DAY,
    });
  });

  // L10
  it('requires that `now` is the instant of the claim set, if both are given', () => {
    const claimSet = ClaimSet.at(credentials, NOW);
    const explainAt = (now: number) => explain(policy, claimSet, { now, scopes: ['all'], catalogue });
    expect(explainAt(NOW).passes).toBe(
      explain(policy, credentials, { now: NOW, scopes: ['all'], catalogue }).passes,
    );
    expect(() => explainAt(NOW + 1)).toThrow(
      new RangeError(`\`now\` must be the instant of the claim set, ${NOW} (got ${NOW + 1})`),
    );
    expect(
      explain({ check: adult }, ClaimSet.of({ 'identity.age': 20 }), { now: 1, catalogue: 'none' }).passes,
    ).toBe(true);
  });

  // L20
  it('requires scopes before any claim is read', () => {
    const explainWithoutScopes = () => explain(policy, credentials, { now: NOW, scopes: ['kyc'], catalogue });
    expect(explainWithoutScopes).toThrow(QueryError);
    expect(() => explain(policy, null as never, { now: NOW, scopes: [], catalogue })).toThrow(QueryError);
  });
});

describe('an explanation with a custom catalogue', () => {
  const shown = { scope: 'gym:member', sensitivity: 'low', description: 'A claim.' } as const;
  const catalogue: Pick<Catalogue, 'scopes' | 'claims'> = {
    scopes: [
      { name: 'gym:member', category: 'gym', sensitivity: 'low', displayName: 'Gym', description: 'Gym.' },
    ],
    claims: [
      { path: 'gym.waiver_signed_at', type: 'datetime', ...shown },
      { path: 'gym.birthday', type: 'date', ...shown },
      { path: 'gym.visits', type: 'integer', ...shown },
      { path: 'gym.tier', type: 'enum', values: ['basic', 'plus'], ...shown },
      { path: 'gym.banned', type: 'boolean', ...shown },
    ],
  };
  const options = { catalogue, scopes: ['gym:member'] };

  it('takes the catalogue as `createEngine` does, and requires its scopes', () => {
    const banned = { not: { claim: 'gym.banned', operator: '==', value: true } };
    expect(explain({ policy: banned }, { 'gym.banned': true }, options)).toMatchObject({ passes: false });
    expect(() => explain({ policy: banned }, {}, { ...options, scopes: [] })).toThrow('do not cover');
  });

  it('rejects claims that the catalogue does not list, and values of other types, as an engine does', () => {
    const baned = { check: { claim: 'gym.baned', operator: '==', value: true } };
    expect(() => explain(baned, {}, options)).toThrow('Did you mean `gym.banned`?');
    const banned = { check: { claim: 'gym.banned', operator: '==', value: true } };
    expect(() => explain(banned, { 'gym.baned': true }, options)).toThrow('Did you mean `gym.banned`?');
    expect(() => explain(banned, { 'gym.banned': 'true' }, options)).toThrow('must be of type boolean');
    const credential = { id: 'c1', source: 'desk', issuedAt: 0, claims: { 'gym.banned': 'true' } };
    expect(() => explain(banned, [credential], { ...options, now: 1 })).toThrow(CredentialError);
  });

  it('proposes values of the claims’ types, which `engine.claims` accepts and on which the query passes', () => {
    const engine = createEngine({ catalogue });
    const checks = [
      { claim: 'gym.waiver_signed_at', operator: '>=', value: '2026-01-01' },
      { claim: 'gym.waiver_signed_at', operator: '<', value: '2026-01-01' },
      { claim: 'gym.birthday', operator: '<', value: '2008-01-31T10:00:00Z' },
      { claim: 'gym.birthday', operator: '>', value: '2008-01-31T10:00:00Z' },
      { claim: 'gym.visits', operator: '>', value: 7.5 },
      { claim: 'gym.tier', operator: '!=', value: 'basic' },
      { claim: 'gym.banned', operator: '!=', value: true },
    ];
    for (const check of checks) {
      const explained = explain({ check }, {}, options);
      const [[change] = []] = explained.passes ? [] : explained.changes;
      const claims = engine.claims.of({ [check.claim]: change?.to });
      expect([check, engine.compilePredicate({ check }).test(claims)]).toEqual([check, true]);
    }
    const [waiver] = checks;
    expect(explain({ check: waiver }, {}, options)).toMatchObject({
      changes: [[{ claim: 'gym.waiver_signed_at', to: '2026-01-01T00:00:00Z' }]],
    });
  });
});

describe('an explanation of checks that exclude the empty array or the empty object', () => {
  it('proposes an array or an object that is not empty, with an element that the catalogue lists', () => {
    const shared = { scope: 'gym:read', sensitivity: 'low', description: 'Courses.' } as const;
    const catalogue = {
      scopes: [
        {
          name: 'gym:read',
          category: 'gym',
          sensitivity: 'low',
          displayName: 'Gym',
          description: 'Courses.',
        },
      ],
      claims: [
        { path: 'gym.courses', type: 'array', values: ['yoga', 'boxing'], ...shared },
        { path: 'gym.guests', type: 'array', ...shared },
        { path: 'gym.address', type: 'object', ...shared },
      ],
    } as const;
    const proposed = (claim: string, value: JsonValue) => {
      const check = { claim, operator: '!=', value };
      const explained = explain({ check }, { [claim]: value }, { scopes: ['gym:read'], catalogue });
      return explained.passes ? [] : explained.changes.flat().map(({ to }) => to);
    };
    expect(proposed('gym.courses', [])).toEqual([['yoga']]);
    expect(proposed('gym.guests', [])).toEqual([['other']]);
    expect(proposed('gym.address', {})).toEqual([{ other: true }]);
  });
});

describe('an explanation where no value of a claim’s type passes', () => {
  it('proposes a change to another claim, and no value of another type, which the catalogue would reject', () => {
    const options = {
      catalogue: { claims: DEFAULT_CLAIMS, scopes: DEFAULT_CATALOGUE.scopes },
      scopes: ['kyc:read'],
    };
    const vague = { claim: 'kyc.level', operator: 'matchRegex', value: '^other' };
    const explained = explain({ check: vague }, {}, options);
    expect(explained).toMatchObject({ passes: false, changes: [] });
    expect(explained.incomplete).toBe('no value of the type of `kyc.level` was found that suffices');
    expect(explain({ policy: { anyOf: [vague, passed] } }, {}, options)).toMatchObject({
      changes: [[{ claim: 'kyc.passed', to: true }]],
    });
  });

  it('compiles no check again for each value that is tried', () => {
    const compilationsWith = (values: readonly string[]) => {
      let compilations = 0;
      const regex: RegexEngine = {
        ...re2js,
        compile: (pattern) => {
          compilations += 1;
          return re2js.compile(pattern);
        },
      };
      const claims = DEFAULT_CLAIMS.map((one) => (one.path === 'kyc.level' ? { ...one, values } : one));
      const catalogue = { claims, scopes: DEFAULT_CATALOGUE.scopes };
      const check = { claim: 'kyc.level', operator: 'matchRegex', value: '^other' };
      const explained = explain({ check }, {}, { catalogue, scopes: ['kyc:read'], regex });
      expect(explained).toMatchObject({ passes: false, changes: [] });
      return compilations;
    };
    const manyValues = Array.from({ length: 20 }, (_, index) => `level ${index}`);
    expect(compilationsWith(manyValues)).toBe(compilationsWith(['level']));
  });
});

describe('an explanation of plain claims', () => {
  const options = { catalogue: 'none' } as const;
  const claims = { 'identity.age': 17, 'kyc.passed': true };

  // L14
  it('needs neither an instant nor scopes, and equals that of a claim set', () => {
    const explained = explain(policy, claims, options);
    expect(explained).toMatchObject({
      passes: false,
      changes: [[{ claim: 'identity.age', from: 17, to: 18 }]],
    });
    expect(explained.inactive).toEqual([]);
    expect(explain(policy, ClaimSet.of(claims), options)).toEqual(explained);
    expect(explain(policy, person(claims), { ...options, now: NOW })).toEqual(explained);
  });

  it('requires an object of claims, an instant for credentials, and scopes for a catalogue', () => {
    expect(() => explain(policy, 'claims' as never, options)).toThrow('`person` must be an object');
    expect(() => explain(policy, person(claims), options)).toThrow('`now`');
    expect(() => explain(policy, claims, {} as never)).toThrow('`scopes`');
  });
});
