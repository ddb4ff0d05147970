/** The playground: formatting, catalogues, comparison of policies. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClaimSet, compile } from '../../../src/index.js';
import { re2js } from '../../../src/regex/re2js.js';
import {
  addedClaims,
  DEFAULT,
  EXAMPLE_CATALOGUE,
  readCatalogue,
} from '../../../src/web/playground/model/catalogue.js';
import { comparePolicies } from '../../../src/web/playground/model/compare.js';
import { createEvaluateText } from '../../../src/web/playground/model/evaluate.js';
import { countExpectations } from '../../../src/web/playground/model/expected.js';
import { formatJson, toReadableJson } from '../../../src/web/playground/model/format-json.js';
import { gallery } from '../../../src/web/playground/model/gallery.js';
import { playgroundPeople, sampleValue } from '../../../src/web/playground/model/people.js';

const NOW = Date.UTC(2026, 5, 1);

const check = (value: number) => ({ check: { claim: 'identity.age', operator: '>=', value } });

it('formatting keeps every value, and is stable', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      const formatted = formatJson(text) ?? '';
      expect(JSON.parse(formatted)).toEqual(JSON.parse(text));
      expect(formatJson(formatted)).toBe(formatted);
    }),
    { seed: 20_261_126 },
  );
  for (const text of ['', '{', '1e999', '[-1e999]', '{"a": 1, "a": 2}'])
    expect(formatJson(text)).toBeUndefined();
});

it('formatting reads a value equally often in 100 and in 190 nested objects', () => {
  const readsIn = (objects: number) => {
    let reads = 0;
    const value = {
      get name() {
        reads += 1;
        return 'text';
      },
    };
    toReadableJson(Array.from({ length: objects }).reduce<object>((inner) => ({ inner }), value));
    return reads;
  };
  expect(readsIn(190)).toBe(readsIn(100));
});

it('counts the people whose results are as expected, also next to people without an expected result', () => {
  const results = new Map([
    ['ada', true],
    ['bruno', false],
    ['constructor', true],
  ]);
  expect(countExpectations(results, { ada: true, bruno: true, nobody: true })).toEqual({ met: 1, total: 2 });
});

describe('the comparison of two policies', () => {
  it('shows a person for whom they differ', () => {
    const comparison = comparePolicies(check(18), check(21), re2js);
    if (comparison.kind !== 'different' || comparison.onlyThis === undefined) throw new Error('must differ');
    expect(comparison.onlyOther).toBeUndefined();
    const claims = ClaimSet.at([comparison.onlyThis], NOW);
    expect([compile(check(18)).test(claims), compile(check(21)).test(claims)]).toEqual([true, false]);
    const reversed = comparePolicies(check(21), check(18), re2js);
    expect(reversed).toEqual({ kind: 'different', onlyOther: comparison.onlyThis });
  });

  it('recognizes equivalent policies that are written differently', () => {
    const twice = { policy: { not: { not: check(18) } } };
    expect(comparePolicies(check(18), twice, re2js)).toEqual({ kind: 'equivalent' });
    // A person without the claim passes a negation.
    const below = { policy: { not: { claim: 'identity.age', operator: '<', value: 18 } } };
    expect(comparePolicies(check(18), below, re2js)).toMatchObject({ onlyOther: { claims: {} } });
  });
});

describe('a catalogue', () => {
  it('gives sample people values for its claims, and the gallery a policy that some of them pass', () => {
    const { catalogue, notes } = readCatalogue(EXAMPLE_CATALOGUE, re2js);
    if (catalogue === undefined) throw new Error('the example must be valid');
    expect(notes).toEqual([]);
    const people = playgroundPeople(NOW, catalogue);
    const [own] = gallery(NOW, catalogue);
    const evaluateText = createEvaluateText(re2js, catalogue);
    const outcomes = people.map(({ credentials }) => evaluateText(own?.text ?? '', credentials, NOW));
    expect(outcomes.flatMap(({ notes: found }) => found)).toEqual([]);
    const passing = outcomes.filter((one) => one.kind === 'predicate' && one.result.passed);
    expect([passing.length > 0, passing.length < people.length]).toEqual([true, true]);
  });

  it('that does not extend the default catalogue gets generated people, with a value of each type', () => {
    const types = ['boolean', 'string', 'number', 'integer', 'date', 'datetime', 'array', 'object', 'enum'];
    const { catalogue, notes } = readCatalogue(
      JSON.stringify({
        $schema: 'https://example.org/catalogue.json',
        scopes: [{ name: 's:read', category: 's', sensitivity: 'low', display_name: 'S', description: 'S.' }],
        claims: types.map((type) => ({
          path: `s.${type}`,
          type,
          scope: 's:read',
          sensitivity: 'low',
          description: type,
          ...(type === 'enum' ? { values: ['a', 'b'] } : {}),
        })),
      }),
      re2js,
    );
    if (catalogue === undefined) throw new Error(JSON.stringify(notes));
    expect(addedClaims(catalogue)).toHaveLength(types.length);
    const people = playgroundPeople(NOW, catalogue);
    expect(people.map(({ name }) => name)).toEqual(['sample one', 'sample two', 'nobody']);
    for (const { credentials } of people.slice(0, 2))
      expect(Object.keys(credentials[0]?.claims ?? {})).toEqual(types.map((type) => `s.${type}`));
    expect(gallery(NOW, catalogue).map(({ id }) => id)).toEqual(['own']);
  });

  it('gives an array claim of a sample person elements from the `values` of the claim', () => {
    const claim = { type: 'array', values: ['a', 'b'] } as const;
    expect([true, false].map((isFirst) => sampleValue(claim, isFirst, NOW))).toEqual([['a'], []]);
    expect(sampleValue({ type: 'array' }, true, NOW)).toEqual(['example']);
  });

  it('reports every problem at its position', () => {
    const text = '{"extends": "default", "claims": [{"path": "x", "extra": 1}]}';
    const { catalogue, notes } = readCatalogue(text, re2js);
    expect(catalogue).toBeUndefined();
    expect(notes.map(({ span }) => text.slice(span.from, span.to))).toContain('"extra"');
    expect(readCatalogue('{', re2js).notes).toHaveLength(1);
  });

  it('reports an invalid pattern of a derived claim, such as one that is being typed', () => {
    const claim = { scope: 'email', sensitivity: 'medium', description: 'Work.' };
    const check = { operator: 'matchRegex', value: '@(example' };
    const text = JSON.stringify({
      extends: 'default',
      claims: [
        { ...claim, path: 'work.email', type: 'string' },
        { ...claim, path: 'work.is_ours', type: 'boolean', derived: { parent: 'work.email', check } },
      ],
    });
    const { catalogue, notes } = readCatalogue(text, re2js);
    expect(catalogue).toBeUndefined();
    expect(notes.map(({ span }) => text.slice(span.from, span.to))).toEqual([JSON.stringify(check)]);
  });

  it('adds no claims if it only extends the default catalogue', () => {
    const { catalogue } = readCatalogue('{ "extends": "default" }', re2js);
    expect(catalogue && addedClaims(catalogue)).toEqual([]);
    expect(catalogue && playgroundPeople(NOW, catalogue)).toEqual(playgroundPeople(NOW));
    expect(addedClaims(DEFAULT)).toEqual([]);
  });
});
