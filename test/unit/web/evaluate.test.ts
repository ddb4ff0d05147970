/** What the playground makes of a text and a person: the engine's own answer, or every problem with its place. */
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/index.js';
import { re2js } from '../../../src/regex/re2js.js';
import {
  createEvaluateText,
  type EvaluateText,
  type Evaluation,
} from '../../../src/web/playground/model/evaluate.js';
import { gallery, toReadableJson } from '../../../src/web/playground/model/gallery.js';
import {
  credentialStatusAt,
  credentialsText,
  playgroundPeople,
  readCredentials,
} from '../../../src/web/playground/model/people.js';
import { countOutcomes } from '../../../src/web/playground/model/policy-tree.js';

const NOW = Date.UTC(2026, 5, 1, 12);
const ask = createEvaluateText(re2js);
const people = playgroundPeople(NOW);

function credentialsOf(name: string) {
  return people.find((person) => person.name === name)?.credentials ?? [];
}

function askAbout(name: string, query: unknown): Evaluation {
  return ask(typeof query === 'string' ? query : JSON.stringify(query), credentialsOf(name), NOW);
}

/** The stretches that notes are about. */
function noted(text: string): readonly string[] {
  return askAbout('ada', text).notes.map(({ span }) => text.slice(span.from, span.to));
}

describe('asking', () => {
  // L24
  it('answers as the engine does, byte for byte', () => {
    const query = { policy: { anyOf: [{ claim: 'kyc.level', operator: '==', value: 'enhanced' }] } };
    const asked = askAbout('ada', query);
    const options = { now: NOW, scopes: ['kyc:read'] };
    expect(asked.kind === 'predicate' && JSON.stringify(asked.result)).toBe(
      JSON.stringify(evaluate(query, credentialsOf('ada'), options)),
    );
  });

  // V1
  it('works out derived claims as the service does', () => {
    const asked = askAbout('bruno', { check: { claim: 'identity.age', operator: '==', value: 17 } });
    expect(asked.kind === 'predicate' && asked.result.passed).toBe(true);
    expect(asked.kind === 'predicate' && asked.scopes.derived).toEqual(['identity.age']);
  });

  it('answers as if it were asked for the first time, whatever was asked before', () => {
    const ages = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
    const level = { check: { claim: 'kyc.level', operator: 'isDefined' } };
    const inTwoYears = NOW + 2 * 366 * 86_400_000;
    const asks = [ages, ages, level, ages].flatMap((query) =>
      ['ada', 'bruno', 'bruno'].flatMap((name) =>
        [NOW, inTwoYears, NOW].map((now) => [JSON.stringify(query), credentialsOf(name), now] as const),
      ),
    );
    const results = (one: EvaluateText) =>
      asks.map((about) => {
        const asked = one(...about);
        return asked.kind === 'predicate' ? JSON.stringify(asked.result) : asked.kind;
      });
    const firstTimes = results((...about) => createEvaluateText(re2js)(...about));
    expect(results(ask)).toEqual(firstTimes);
    // Bruno comes of age in between, so that an answer that stayed would be told.
    expect(new Set(firstTimes.map((text) => text.slice(0, 40))).size).toBe(2);
  });

  // L14
  it('tells apart what fails and what is not defined', () => {
    const asked = askAbout('grace', {
      policy: {
        allOf: [
          { claim: 'identity.is_human', operator: '==', value: true },
          { claim: 'identity.email', operator: '==', value: 'other@example.net' },
          { not: { claim: 'kyc.level', operator: '!=', value: 'none' } },
        ],
      },
    });
    if (asked.kind !== 'predicate') throw new Error('a policy is a predicate');
    expect(countOutcomes(asked.tree)).toEqual({ passed: 1, failed: 1, undefined: 1 });
    expect(asked.tree).toMatchObject({
      kind: 'allOf',
      passed: false,
      items: [{}, {}, { kind: 'not', passed: true }],
    });
  });

  // L8
  it('names every problem at its spot', () => {
    expect(noted('{"check": {"claim": "age", "operator": ">>", "value": 1}}')).toEqual(['"age"', '">>"']);
    expect(noted('{"check": {"claim": "a.b", "operator": "isDefined", "extra": 1}}')).toEqual(['"extra"']);
    expect(noted('{"policy": {"allOf": []}}')).toEqual(['[]']);
    expect(noted('{"check": {"claim": "a.b", "operator": "matchRegex", "value": "("}}')).toEqual(['"("']);
    expect(noted('{"check": {"claim": "kyc.level" "operator"')).toEqual(['"']);
  });

  // L20
  it('warns at a claim that no scope covers, and answers all the same', () => {
    const text = '{"check": {"claim": "shoe.size", "operator": "isDefined"}}';
    const asked = askAbout('ada', text);
    expect([asked.kind, noted(text), asked.notes[0]?.severity]).toEqual([
      'predicate',
      ['"shoe.size"'],
      'warning',
    ]);
    expect(asked.kind === 'predicate' && asked.scopes.uncovered).toEqual(['shoe.size']);
  });

  // L20
  it('names the grant that reaches least first', () => {
    const asked = askAbout('ada', { check: { claim: 'kyc.level', operator: 'isDefined' } });
    expect(asked.kind === 'predicate' && asked.scopes.sets).toEqual([['kyc:read'], ['profile.full']]);
  });
});

describe('the gallery', () => {
  it.each(gallery(NOW).map((policy) => [policy.title, policy] as const))(
    '%s is a query, reads only what the catalogue has, and tells somebody from somebody else',
    (_title, { text }) => {
      const outcomes = people.map(({ credentials }) => ask(text, credentials, NOW));
      expect(outcomes.flatMap(({ notes }) => notes)).toEqual([]);
      const told = outcomes.map((asked) => {
        if (asked.kind === 'predicate') return asked.result.passed;
        return asked.kind === 'projection' ? JSON.stringify(asked.result.data) : '';
      });
      expect(new Set(told).size).toBeGreaterThan(1);
    },
  );

  it('is set so that it reads back as it was', () => {
    const value = { a: [], b: {}, c: [{ d: [1, 'x'] }], e: null };
    expect(JSON.parse(toReadableJson(value))).toEqual(value);
  });
});

describe('people', () => {
  // L10
  it('are those of the sandbox, and their credentials survive being written and pasted', () => {
    for (const { credentials } of people)
      expect(readCredentials(credentialsText(credentials))).toEqual({ credentials, notes: [] });
  });

  // L10
  it('that are pasted wrong are told at the spot', () => {
    const text = '[{"id": "1", "source": "x", "issuedAt": "soon", "claims": {"age": 1}}]';
    const { credentials, notes } = readCredentials(text);
    expect([credentials, notes.map(({ span }) => text.slice(span.from, span.to))]).toEqual([
      [],
      ['"soon"', '"age"'],
    ]);
  });

  it('have credentials that are active, expired and revoked', () => {
    const standings = people.flatMap(({ credentials }) =>
      credentials.map((one) => credentialStatusAt(one, NOW)),
    );
    expect(new Set(standings)).toEqual(new Set(['active', 'expired', 'revoked']));
  });
});
