/** Queries of the builder are canonical and list the scopes that they require (L1–L5, L20). */
import { describe, expect, it } from 'vitest';
import { createQueryBuilder, p } from '../../../src/builder/index.js';
import { ClaimSet, DEFAULT_CLAIMS } from '../../../src/index.js';
import { compile, parse } from '../../support/with-re2js.js';

const policy = p.allOf(
  p.claim('identity.age').gte(18),
  p.anyOf(p.claim('kyc.level').in(['basic', 'enhanced']), p.claim('kyc.passed').equals(true)),
  p.not(p.claim('identity.country_of_residence').equals('KP')),
);

describe('a query written with the builder', () => {
  // L4, L25
  it('is canonical and valid', () => {
    expect(policy.query).toEqual(parse(policy.query));
    expect(JSON.parse(JSON.stringify(policy))).toEqual(policy.query);
    const claims = { 'identity.age': 20, 'kyc.level': 'basic' };
    const person = ClaimSet.at([{ id: 'c', source: 's', issuedAt: 0, claims }], 0);
    expect(compile(policy.query).test(person)).toBe(true);
  });

  // L25
  it('is a copy with sorted members, independent of its source', () => {
    const list: [string, ...string[]] = ['PT', 'ES'];
    const listed = p.claim('identity.nationality').in(list);
    list.push('KP');
    expect(JSON.stringify(listed)).toBe(
      '{"check":{"claim":"identity.nationality","operator":"in","value":["PT","ES"]}}',
    );
    const address = p.claim('identity.address_full').equals({ b: 1, a: 2 });
    expect(JSON.stringify(address)).toBe(
      '{"check":{"claim":"identity.address_full","operator":"==","value":{"a":2,"b":1}}}',
    );
  });

  it('rejects an operand that is not JSON', () => {
    expect(() => p.claim('identity.age').gte(Number.NaN)).toThrow('operand');
  });

  // L20
  it('has its required scopes without duplicates', () => {
    expect(policy.scopes).toEqual(['identity:date_of_birth', 'kyc:read', 'identity:read']);
    expect(p.withScopes(policy, ['identity:date_of_birth', 'kyc:read', 'identity:read'])).toHaveLength(3);
  });

  // L14–L18
  it('can use each operator and each lens', () => {
    const [age, email, wallets, address] = [
      p.claim('identity.age'),
      p.claim('identity.email'),
      p.claim('identity.wallet_addresses'),
      p.claim('identity.address_full'),
    ];
    const checks = [
      age.equals(1),
      age.differsFrom(1),
      age.gt(1),
      age.gte(1),
      age.lt(1),
      age.lte(1),
      age.in([1]),
      age.notIn([1]),
      wallets.contains('0x'),
      email.startsWith('a'),
      email.matches('a'),
      email.isDefined(),
    ];
    const operators = checks.map(({ query }) => ('check' in query ? query.check.operator : undefined));
    expect(operators).toEqual([
      '==',
      '!=',
      '>',
      '>=',
      '<',
      '<=',
      'in',
      'notIn',
      'contains',
      'startsWith',
      'matchRegex',
      'isDefined',
    ]);
    const projection = p.project(email.pluck(), address.pick(['country']), wallets.at());
    expect(projection.query).toEqual(parse(projection.query));
    expect(projection.scopes).toEqual(['identity:read', 'identity:address_full']);
  });

  // L5
  it('rejects a projection that is written as in a query', () => {
    const call = () => p.project({ claim: 'identity.email', lens: 'pluck' } as never);
    expect(call).toThrow(new TypeError('a projection must be one that the builder created (got an object)'));
  });

  // L5
  it('rejects an unknown claim, and a claim that is projected twice', () => {
    expect(() => p.claim('identity.agee' as never)).toThrow(RangeError);
    expect(() => p.claim('identity.agee' as never)).toThrow(
      'the catalogue has no claim `identity.agee`. Did you mean `identity.age`?',
    );
    const email = p.claim('identity.email').pluck();
    expect(() => p.project(email, email)).toThrow('duplicate projection of claim `identity.email`');
  });

  it('can be built with any catalogue', () => {
    const customBuilder = createQueryBuilder([
      { path: 'club.tier', type: 'enum', scope: 'club', values: ['gold'] },
    ]);
    expect(customBuilder.claim('club.tier').equals('gold').scopes).toEqual(['club']);
    expect(DEFAULT_CLAIMS.every(({ path }) => p.claim(path as never) !== undefined)).toBe(true);
  });

  // S431
  it('rejects, at run time, granted scopes that do not cover it', () => {
    const adult = p.claim('identity.age').gte(18);
    const withScopes = p.withScopes as (query: unknown, granted: unknown) => unknown;
    const granted = ['openid', 'identity:date_of_birth'];
    expect(withScopes(adult, granted)).toBe(granted);
    for (const others of [[], ['openid']])
      expect(() => withScopes(adult, others)).toThrow(
        new RangeError('`granted` must have the scope `identity:date_of_birth`, which the query requires'),
      );
    expect(() => withScopes(adult, 'identity:date_of_birth')).toThrow('`granted` must be an array');
    for (const query of [undefined, null, {}, adult.query])
      expect(() => withScopes(query, granted)).toThrow('`scopes` of the query must be an array');
  });

  // L5
  it('rejects fields that are not a list, such as the name of one field', () => {
    const pick = p.claim('identity.address_full').pick as (fields?: unknown) => unknown;
    for (const fields of ['country', undefined, [1]]) expect(() => pick(fields)).toThrow(/`fields` must be /);
  });

  // L9
  it('rejects a catalogue with an invalid path or a duplicate claim', () => {
    const claim = (path: string) => ({ path, type: 'string', scope: 'club' }) as const;
    expect(() => createQueryBuilder([claim('club tier')])).toThrow('`club tier` is not a valid claim path');
    expect(() => createQueryBuilder([claim('tier')])).toThrow('`tier` is not a valid claim path');
    expect(() => createQueryBuilder([claim('club.tier'), claim('club.tier')])).toThrow(
      'duplicate claim in the catalogue: `club.tier`',
    );
  });
});
