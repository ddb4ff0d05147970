/** Evaluation in the playground: the result of the engine, or every problem with its position in the text. */
import { describe, expect, it } from 'vitest';
import { re2js } from '../../../src/regex/re2js.js';
import {
  createEvaluateText,
  type EvaluateText,
  type Evaluation,
} from '../../../src/web/playground/model/evaluate.js';
import { toReadableJson } from '../../../src/web/playground/model/format-json.js';
import { gallery } from '../../../src/web/playground/model/gallery.js';
import {
  credentialStatusAt,
  credentialsText,
  playgroundPeople,
  readCredentials,
} from '../../../src/web/playground/model/people.js';
import { countOutcomes } from '../../../src/web/playground/model/policy-tree.js';
import { evaluate } from '../../support/with-re2js.js';

const NOW = Date.UTC(2026, 5, 1, 12);
const evaluateText = createEvaluateText(re2js);
const people = playgroundPeople(NOW);

function credentialsOf(name: string) {
  return people.find((person) => person.name === name)?.credentials ?? [];
}

function evaluateFor(name: string, query: unknown): Evaluation {
  return evaluateText(typeof query === 'string' ? query : JSON.stringify(query), credentialsOf(name), NOW);
}

/** The parts of the text to which notes refer. */
function notedParts(text: string): readonly string[] {
  return evaluateFor('ada', text).notes.map(({ span }) => text.slice(span.from, span.to));
}

describe('the explanation of a result', () => {
  // L12
  it('proposes values of the types that the catalogue declares, and accepts claims that it does not list', () => {
    const proposed = (check: object) => {
      const outcome = evaluateText(JSON.stringify({ check }), [], NOW);
      const explained = outcome.kind === 'predicate' ? outcome.explain() : undefined;
      return explained?.passes === false ? explained.changes.flat().map(({ to }) => to) : undefined;
    };
    expect(proposed({ claim: 'kyc.passed', operator: '!=', value: false })).toEqual([true]);
    expect(proposed({ claim: 'kyc.level', operator: '!=', value: 'none' })).toEqual(['basic']);
    expect(proposed({ claim: 'identity.date_of_birth', operator: '<', value: '2008-06-01' })).toEqual([
      '2008-05-31',
    ]);
    expect(proposed({ claim: 'gym.visits', operator: '>=', value: 8 })).toEqual([8]);
  });
});

describe('the evaluation of a query text', () => {
  // L24
  it('has the result of the engine, byte for byte', () => {
    const query = { policy: { anyOf: [{ claim: 'kyc.level', operator: '==', value: 'enhanced' }] } };
    const outcome = evaluateFor('ada', query);
    const options = { now: NOW, scopes: ['kyc:read'] };
    expect(outcome.kind === 'predicate' && JSON.stringify(outcome.result)).toBe(
      JSON.stringify(evaluate(query, credentialsOf('ada'), options)),
    );
  });

  // V1
  it('derives claims as the service does', () => {
    const outcome = evaluateFor('bruno', { check: { claim: 'identity.age', operator: '==', value: 17 } });
    expect(outcome.kind === 'predicate' && outcome.result.passed).toBe(true);
    expect(outcome.kind === 'predicate' && outcome.scopes.derived).toEqual(['identity.age']);
  });

  it('keeps the attested value of a derived claim if no active credential has the parent claim', () => {
    const text = JSON.stringify({ check: { claim: 'identity.age', operator: '>=', value: 18 } });
    const attested = { id: '1', source: 's', issuedAt: 0, claims: { 'identity.age': 34 } };
    const birth = { ...attested, id: '2', claims: { 'identity.date_of_birth': '2020-01-01' } };
    const outcomes = [[attested], [attested, birth], [attested, { ...birth, expiresAt: NOW }]].map((one) => {
      const outcome = evaluateText(text, one, NOW);
      return outcome.kind === 'predicate' ? [outcome.result.passed, outcome.passesFor(one)] : outcome.kind;
    });
    expect(outcomes).toEqual([
      [true, true],
      [false, false],
      [true, true],
    ]);
  });

  it('does not depend on earlier evaluations', () => {
    const ages = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
    const level = { check: { claim: 'kyc.level', operator: 'isDefined' } };
    const inTwoYears = NOW + 2 * 366 * 86_400_000;
    const inputs = [ages, ages, level, ages].flatMap((query) =>
      ['ada', 'bruno', 'bruno'].flatMap((name) =>
        [NOW, inTwoYears, NOW].map((now) => [JSON.stringify(query), credentialsOf(name), now] as const),
      ),
    );
    const results = (one: EvaluateText) =>
      inputs.map((input) => {
        const outcome = one(...input);
        return outcome.kind === 'predicate' ? JSON.stringify(outcome.result) : outcome.kind;
      });
    const independentResults = results((...input) => createEvaluateText(re2js)(...input));
    expect(results(evaluateText)).toEqual(independentResults);
    // Bruno comes of age in between, so that a stale result would be detected.
    expect(new Set(independentResults.map((text) => text.slice(0, 40))).size).toBe(2);
  });

  // L14
  it('distinguishes failed checks from undefined claims', () => {
    const outcome = evaluateFor('grace', {
      policy: {
        allOf: [
          { claim: 'identity.is_human', operator: '==', value: true },
          { claim: 'identity.email', operator: '==', value: 'other@example.net' },
          { not: { claim: 'kyc.level', operator: '!=', value: 'none' } },
        ],
      },
    });
    if (outcome.kind !== 'predicate') throw new Error('expected a predicate');
    expect(countOutcomes(outcome.tree)).toEqual({ passed: 1, failed: 1, undefined: 1 });
    expect(outcome.tree).toMatchObject({
      kind: 'allOf',
      passed: false,
      items: [{}, {}, { kind: 'not', passed: true }],
    });
  });

  // L8
  it('reports every problem at its position', () => {
    expect(notedParts('{"check": {"claim": "age", "operator": ">>", "value": 1}}')).toEqual([
      '"age"',
      '">>"',
    ]);
    expect(notedParts('{"check": {"claim": "a.b", "operator": "isDefined", "extra": 1}}')).toEqual([
      '"extra"',
    ]);
    expect(notedParts('{"policy": {"allOf": []}}')).toEqual(['[]']);
    expect(notedParts('{"check": {"claim": "a.b", "operator": "matchRegex", "value": "("}}')).toEqual([
      '"("',
    ]);
    expect(notedParts('{"check": {"claim": "kyc.level" "operator"')).toEqual(['"']);
  });

  // L20
  it('warns about a claim that no scope covers, but evaluates the query', () => {
    const text = '{"check": {"claim": "shoe.size", "operator": "isDefined"}}';
    const outcome = evaluateFor('ada', text);
    expect([outcome.kind, notedParts(text), outcome.notes[0]?.severity]).toEqual([
      'predicate',
      ['"shoe.size"'],
      'warning',
    ]);
    expect(outcome.kind === 'predicate' && outcome.scopes.uncovered).toEqual(['shoe.size']);
  });

  // L20
  it('lists the smallest set of scopes first', () => {
    const outcome = evaluateFor('ada', { check: { claim: 'kyc.level', operator: 'isDefined' } });
    expect(outcome.kind === 'predicate' && outcome.scopes.sets).toEqual([['kyc:read'], ['profile.full']]);
  });
});

describe('the gallery', () => {
  it.each(gallery(NOW).map((policy) => [policy.title, policy] as const))(
    '%s is a valid query on claims of the catalogue, with different results for different people',
    (_title, { text }) => {
      const outcomes = people.map(({ credentials }) => evaluateText(text, credentials, NOW));
      expect(outcomes.flatMap(({ notes }) => notes)).toEqual([]);
      const results = outcomes.map((outcome) => {
        if (outcome.kind === 'predicate') return outcome.result.passed;
        return outcome.kind === 'projection' ? JSON.stringify(outcome.result.data) : '';
      });
      expect(new Set(results).size).toBeGreaterThan(1);
    },
  );

  it('is formatted with `toReadableJson`, whose text parses to the same value', () => {
    const value = { a: [], b: {}, c: [{ d: [1, 'x'] }], e: null };
    expect(JSON.parse(toReadableJson(value))).toEqual(value);
  });
});

describe('the people of the playground', () => {
  // L10
  it('have credentials that are equal after formatting and parsing', () => {
    for (const { credentials } of people)
      expect(readCredentials(credentialsText(credentials))).toEqual({ credentials, notes: [] });
  });

  // L10
  it('can be replaced by pasted credentials, whose problems are reported at their position', () => {
    const text = '[{"id": "1", "source": "x", "issuedAt": "soon", "claims": {"age": 1}}]';
    const { credentials, notes } = readCredentials(text);
    expect([credentials, notes.map(({ span }) => text.slice(span.from, span.to))]).toEqual([
      [],
      ['"soon"', '"age"'],
    ]);
  });

  it('have credentials that are active, expired and revoked', () => {
    const statuses = people.flatMap(({ credentials }) =>
      credentials.map((one) => credentialStatusAt(one, NOW)),
    );
    expect(new Set(statuses)).toEqual(new Set(['active', 'expired', 'revoked']));
  });

  // L10
  it('have credentials with the status that the service returns: `revoked` takes precedence over `pending`', () => {
    const credential = { id: '1', source: 's', issuedAt: NOW + 1, claims: {} };
    expect(credentialStatusAt(credential, NOW)).toBe('pending');
    expect(credentialStatusAt({ ...credential, revokedAt: NOW }, NOW)).toBe('revoked');
  });
});
