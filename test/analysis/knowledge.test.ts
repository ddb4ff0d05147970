/** `inferKnowledge`: the values that answers leave possible, also after a change (L12–L19). */
import { describe, expect, it } from 'vitest';
import { type Answer, type ClaimKnowledge, inferKnowledge } from '../../src/analysis/knowledge.js';
import type { JsonValue, OperatorName, PolicyItemInput } from '../../src/index.js';

const AGE = 'identity.age';
const COUNTRY = 'identity.country';

function answer(
  claim: string,
  operator: OperatorName,
  value: JsonValue | undefined,
  passed: boolean,
  at = 0,
): Answer {
  return {
    query: { check: value === undefined ? { claim, operator } : { claim, operator, value } },
    passed,
    at,
  };
}

function answerTo(item: PolicyItemInput, passed: boolean, at = 0): Answer {
  return { query: { policy: { allOf: [item] } }, passed, at };
}

function knowledgeOf(claim: string, answers: readonly Answer[]): ClaimKnowledge {
  const found = inferKnowledge(answers).find((one) => one.claim === claim);
  if (found === undefined) throw new Error(`nothing is known about ${claim}`);
  return found;
}

describe('the knowledge from answers', () => {
  it('is the interval between a bound that the value reaches and one that it does not', () => {
    const { values } = knowledgeOf(AGE, [answer(AGE, '>=', 30, true), answer(AGE, '>=', 35, false)]);
    expect(values.numbers).toEqual([{ low: 30, includesLow: true, high: 35, includesHigh: false }]);
    expect([values.undefined, values.strings.others, values.arrays.others]).toEqual([false, false, false]);
  });

  it('admits undefined claims and other types if only a negative answer is known', () => {
    const { values } = knowledgeOf(AGE, [answer(AGE, '>=', 35, false)]);
    expect(values.numbers).toEqual([
      { low: Number.NEGATIVE_INFINITY, includesLow: false, high: 35, includesHigh: false },
    ]);
    expect([values.undefined, values.strings.others]).toEqual([true, true]);
  });

  it('is a set of strings, or all strings except some', () => {
    const oneOf = knowledgeOf(COUNTRY, [
      answer(COUNTRY, 'in', ['PT', 'ES', 'FR'], true),
      answer(COUNTRY, '==', 'ES', false),
    ]);
    expect(oneOf.values.strings).toMatchObject({ named: ['PT', 'FR'], excluded: ['ES'], others: false });
    const noneOf = knowledgeOf(COUNTRY, [answer(COUNTRY, 'notIn', ['PT', 'ES'], true)]);
    expect(noneOf.values.strings).toMatchObject({ named: [], excluded: ['PT', 'ES'], others: true });
  });

  it('is an interval of days, a prefix, elements, or a pattern', () => {
    const born = 'identity.date_of_birth';
    const { values } = knowledgeOf(born, [
      answer(born, '>', '1990-01-01', true),
      answer(born, '<=', '1995-06-30', true),
    ]);
    expect(values.strings.instants).toEqual([
      { low: Date.UTC(1990, 0, 1) + 1, includesLow: true, high: Date.UTC(1995, 5, 30), includesHigh: true },
    ]);
    const phone = knowledgeOf('identity.phone', [answer('identity.phone', 'startsWith', '+351', true)]);
    expect(phone.values.strings).toMatchObject({ others: true, prefixes: ['+351'] });
    const degrees = knowledgeOf('education.degrees', [
      answer('education.degrees', 'contains', 'MSc', true),
      answer('education.degrees', 'contains', 'PhD', false),
    ]);
    expect(degrees.values.arrays).toMatchObject({ contains: ['MSc'], lacks: ['PhD'], others: true });
    const email = knowledgeOf('identity.email', [answer('identity.email', 'matchRegex', '^a', true)]);
    expect(email.values).toMatchObject({ undefined: false, strings: { matches: ['^a'] } });
    expect(email.incomplete).toBe('patterns are not analyzed');
  });

  it('combines answers to policies that read several claims', () => {
    const adult = { claim: AGE, operator: '>=', value: 18 } as const;
    const resident = { claim: COUNTRY, operator: '==', value: 'PT' } as const;
    const answers = [
      answerTo({ anyOf: [adult, resident] }, true),
      answerTo({ anyOf: [adult, { not: resident }] }, true),
    ];
    expect(knowledgeOf(AGE, answers).values.numbers).toMatchObject([{ low: 18, includesLow: true }]);
    expect(knowledgeOf(COUNTRY, answers).values.undefined).toBe(true);
  });

  it('ignores the latest answer that contradicts later ones, and all answers before it', () => {
    const known = inferKnowledge([
      answer(AGE, '<', 20, true, 1),
      answer(AGE, '>=', 18, true, 2),
      answer(AGE, '>=', 21, true, 3),
      answer(COUNTRY, '==', 'PT', true, 1),
    ]);
    expect(known[0]).toMatchObject({ claim: AGE, since: 2, until: 3, hasChanged: true });
    expect(known[0]?.values.numbers).toMatchObject([{ low: 21, includesLow: true }]);
    // The knowledge of another claim is not affected.
    expect(known[1]).toMatchObject({ claim: COUNTRY, since: 1, until: 1, hasChanged: false });
  });

  it('states that older answers were ignored if there are too many', () => {
    const answers = [10, 20, 30].map((age, at) => answer(AGE, '>=', age, true, at));
    const [known] = inferKnowledge(answers, { answers: 2 });
    expect(known).toMatchObject({ since: 1, incomplete: 'only the latest 2 of 3 answers were considered' });
  });

  // In quadratic time, this would take longer than the test timeout.
  it('is inferred in linear time from many answers about one claim', () => {
    const answers = Array.from({ length: 80_000 }, (_, at) => answer(AGE, '>=', 30, true, at));
    expect(inferKnowledge(answers)).toMatchObject([{ claim: AGE, since: 79_800, until: 79_999 }]);
  });

  it('combines answers about claims that a later or an earlier answer connects', () => {
    const [first, second, third] = ['a.a', 'b.b', 'c.c'];
    const either = (one: string, other: string): PolicyItemInput => ({
      anyOf: [one, other].map((claim) => ({ check: { claim, operator: '==', value: true } })),
    });
    const answers = [
      answer(first, '==', true, false, 1),
      answer(third, '==', true, false, 2),
      answerTo(either(second, third), true, 3),
      answerTo(either(first, second), true, 4),
    ];
    for (const order of [answers, answers.toReversed()])
      expect(inferKnowledge(order).map(({ claim, since, until }) => [claim, since, until])).toEqual(
        [first, second, third].map((claim) => [claim, 1, 4]),
      );
  });

  it('states that older answers were ignored if they have too many different checks together', () => {
    const answers = Array.from({ length: 3 }, (_, batch): Answer => {
      const checks = Array.from({ length: 100 }, (_unused, index) => ({
        claim: AGE,
        operator: '==',
        value: 100 * batch + index,
      }));
      return { query: { policy: { anyOf: checks } }, passed: false, at: batch };
    });
    const [known] = inferKnowledge(answers);
    expect(known).toMatchObject({ since: 1, incomplete: 'only the latest 2 of 3 answers were considered' });
    const repeated = [...answers.slice(1), ...answers.slice(1), ...answers.slice(1)];
    expect(inferKnowledge(repeated)[0]).not.toHaveProperty('incomplete');
  });

  it('states that older answers were ignored if their lists have too many values together', () => {
    const listAt = (at: number): Answer => {
      const value = Array.from({ length: 1_000 }, (_, index) => 1_000 * at + index);
      return { query: { check: { claim: AGE, operator: 'in', value } }, passed: false, at };
    };
    const [known] = inferKnowledge(Array.from({ length: 6 }, (_, at) => listAt(at)));
    expect(known).toMatchObject({ since: 2, incomplete: 'only the latest 4 of 6 answers were considered' });
    const repeated = Array.from({ length: 6 }, () => listAt(0));
    expect(inferKnowledge(repeated)[0]).not.toHaveProperty('incomplete');
  });
});
