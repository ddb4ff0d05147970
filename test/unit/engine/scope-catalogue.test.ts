/** Implied scopes, covered claims and invalid scope catalogues (L20, S167). */
import { describe, expect, it } from 'vitest';
import {
  createScopeCatalogue,
  DEFAULT_CLAIMS,
  DEFAULT_SCOPES,
  defaultScopeCatalogue,
  toScopeDefinitions,
} from '../../../src/engine/index.js';

describe('a scope catalogue', () => {
  const catalogue = createScopeCatalogue([
    { name: 'all', implies: ['staff:read', 'pay:read'] },
    { name: 'staff:read', covers: ['staff'] },
    { name: 'pay:read', covers: ['staff.pay'] },
  ]);

  // L20
  it('covers a claim by the longest listed path at or above it', () => {
    expect(catalogue.coveringScopes('staff.name')).toEqual(['staff:read']);
    expect(catalogue.coveringScopes('staff.pay.gross')).toEqual(['pay:read']);
    expect(catalogue.coveringScopes('staffing.pay')).toEqual([]);
  });

  // S167
  it('expands granted scopes by implied ones, and omits unknown scopes', () => {
    expect([...catalogue.expand(['all', 'nope'])]).toEqual(['all', 'staff:read', 'pay:read']);
  });

  it('accepts a scope that is implied by two others', () => {
    const diamond = createScopeCatalogue([
      { name: 'top', implies: ['left', 'right'] },
      { name: 'left', implies: ['bottom'] },
      { name: 'right', implies: ['bottom'] },
      { name: 'bottom', covers: ['a'] },
    ]);
    expect(diamond.scopes).toEqual(['top', 'left', 'right', 'bottom']);
    expect([...diamond.expand(['top'])].sort()).toEqual(['bottom', 'left', 'right', 'top']);
    expect([diamond.coveringScopes('a.b'), diamond.coveringScopes('b.a')]).toEqual([['bottom'], []]);
  });

  it('lists a scope once even if it covers a path twice', () => {
    expect(createScopeCatalogue([{ name: 's', covers: ['a.b', 'a.b'] }]).coveringScopes('a.b')).toEqual([
      's',
    ]);
  });

  it('cannot be changed through the values that it returns', () => {
    const shared = createScopeCatalogue([{ name: 's', covers: ['x.a'] }, { name: 't' }]);
    const change = (scopes: readonly string[]) => (scopes as string[]).push('t');
    expect(() => change(shared.coveringScopes('x.a'))).toThrow(TypeError);
    expect(() => change(shared.scopes)).toThrow(TypeError);
    expect(() => change(shared.covered ?? [])).toThrow(TypeError);
    (shared.expand(['s']) as Set<string>).add('t');
    expect([...shared.expand(['s'])]).toEqual(['s']);
  });

  it('reads iterators of implied scopes and covered claims once', () => {
    const once = (...values: string[]) => values.values() as unknown as readonly string[];
    const read = createScopeCatalogue([
      { name: 'all', implies: once('staff:read') },
      { name: 'staff:read', covers: once('staff') },
    ]);
    expect(read.coveringScopes('staff.name')).toEqual(['staff:read']);
    expect([...read.expand(['all'])]).toEqual(['all', 'staff:read']);
  });

  it('rejects a scope without a name', () => {
    for (const name of ['', undefined])
      expect(() => createScopeCatalogue([{ name: name as string, covers: ['staff'] }])).toThrow(
        '`name` of a scope must be a string that is not empty',
      );
  });

  it('names the scopes of a cycle, and scopes that are repeated or not defined', () => {
    const cycle = [
      { name: 'a', implies: ['b'] },
      { name: 'b', implies: ['c'] },
      { name: 'c', implies: ['b'] },
    ];
    expect(() => createScopeCatalogue(cycle)).toThrow('a scope must not imply itself: a → b → c → b');
    expect(() => createScopeCatalogue([{ name: 'a' }, { name: 'a' }])).toThrow(
      'a scope must not be defined twice (got `a` twice)',
    );
    expect(() => createScopeCatalogue([{ name: 'a', implies: ['b'] }])).toThrow(
      'an implied scope must be defined (got `b`)',
    );
  });

  it('expands a scope that implies others along 2^40 paths', () => {
    const layers = Array.from({ length: 41 }, (_, layer) => [`${layer}a`, `${layer}b`]);
    const definitions = layers.flatMap((names, layer) =>
      names.map((name) => ({ name, implies: layers[layer + 1] ?? [] })),
    );
    expect(createScopeCatalogue(definitions).expand(['0a']).size).toBe(81);
  });

  // S167
  it.each([
    ['a scope that is defined twice', [{ name: 'a' }, { name: 'a' }]],
    ['an implied scope that is not defined', [{ name: 'a', implies: ['b'] }]],
    [
      'a cycle',
      [
        { name: 'a', implies: ['b'] },
        { name: 'b', implies: ['a'] },
      ],
    ],
  ])('rejects %s', (_title, definitions) => {
    expect(() => createScopeCatalogue(definitions)).toThrow(RangeError);
  });
});

describe('the default scope catalogue', () => {
  // S167, S240
  it('covers each claim by the scope that it names, and two claims also by a narrower scope', () => {
    const narrower = new Map([
      ['identity.email', ['email']],
      ['identity.phone', ['phone']],
    ]);
    for (const { path, scope } of DEFAULT_CLAIMS) {
      const expected = [scope, ...(narrower.get(path) ?? [])];
      expect(defaultScopeCatalogue.coveringScopes(path), path).toEqual(expected);
    }
  });

  // L20
  it('equals the catalogue that is created from the definitions of scopes and claims', () => {
    const derived = createScopeCatalogue(toScopeDefinitions(DEFAULT_SCOPES, DEFAULT_CLAIMS));
    expect(derived.scopes).toEqual(defaultScopeCatalogue.scopes);
    for (const scope of derived.scopes) {
      expect([...derived.expand([scope])], scope).toEqual([...defaultScopeCatalogue.expand([scope])]);
    }
    for (const { path } of DEFAULT_CLAIMS) {
      expect(derived.coveringScopes(path), path).toEqual(defaultScopeCatalogue.coveringScopes(path));
    }
  });

  // S167
  it('implies no scope of high sensitivity by `profile.full`', () => {
    const high = new Set(
      DEFAULT_SCOPES.filter(({ sensitivity }) => sensitivity === 'high' || sensitivity === 'critical').map(
        ({ name }) => name,
      ),
    );
    const expanded = defaultScopeCatalogue.expand(['profile.full']);
    expect([...expanded].filter((scope) => high.has(scope))).toEqual([]);
  });

  // S160
  it('has no scope for a claim that it does not list', () => {
    expect(defaultScopeCatalogue.coveringScopes('identity.constructor')).toEqual([]);
  });
});

it('wrong arguments of scope definitions and catalogues are named', () => {
  const scope = { name: 's' } as never;
  const claim = { path: 'a.b', scope: 's' } as never;
  expect(() => toScopeDefinitions({} as never, [])).toThrow(/^`scopes` must be an array/);
  expect(() => toScopeDefinitions([], {} as never)).toThrow(/^`claims` must be an array/);
  expect(() => toScopeDefinitions([5] as never, [])).toThrow(/^an entry of a catalogue must be an object/);
  expect(() => toScopeDefinitions([], [5] as never)).toThrow(/^an entry of a catalogue must be an object/);
  expect(toScopeDefinitions([scope], [claim])).toEqual([{ name: 's', implies: [], covers: ['a.b'] }]);
  const catalogue = createScopeCatalogue([]);
  expect(() => catalogue.coveringScopes(5 as never)).toThrow(/^`path` must be a string/);
});

it('wrong scope definitions and granted scopes are named', () => {
  const create = (definition: unknown) => () => createScopeCatalogue([definition] as never);
  expect(() => createScopeCatalogue({} as never)).toThrow(/^`definitions` must be an array/);
  expect(create(5)).toThrow(/^a scope definition must be an object/);
  expect(create({ name: 's', implies: 'x' })).toThrow(/^`implies` must be an array/);
  expect(create({ name: 's', covers: [5] })).toThrow(/^each of `covers` must be a string/);
  const catalogue = createScopeCatalogue([{ name: 's' }, { name: 't', covers: ['a', 'b.c'] }]);
  expect(catalogue.covered).toEqual(['a', 'b.c']);
  expect(() => catalogue.expand('s' as never)).toThrow(/^`granted` must be an array/);
});
