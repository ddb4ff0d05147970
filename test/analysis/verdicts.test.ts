/** Verdicts on pairs of policies with a known relation, and on single policies (L12–L19). */
import { describe, expect, it, vi } from 'vitest';
import { equivalent, implies, residual, satisfiable, simplify, tautology } from '../../src/analysis/index.js';
import { ClaimSet, type PolicyItemInput, QueryError } from '../../src/index.js';
import { compile } from '../support/with-re2js.js';
import { PAIRS } from './pairs.js';

function query(item: PolicyItemInput) {
  return { policy: { allOf: [item] } };
}

describe('the relation of two policies', () => {
  it('has at least forty examples', () => {
    expect(PAIRS.length).toBeGreaterThanOrEqual(40);
  });

  it.each(PAIRS)('$title', ({ first, second, forwards, backwards }) => {
    const forwardVerdict = implies(query(first), query(second));
    const backwardVerdict = implies(query(second), query(first));
    expect([forwardVerdict.answer, backwardVerdict.answer]).toEqual([forwards, backwards]);
    const both = [forwards, backwards];
    const expected = both.includes('no') ? 'no' : both.includes('unknown') ? 'unknown' : 'yes';
    expect(equivalent(query(first), query(second)).answer).toBe(expected);
    for (const [verdict, one, other] of [
      [forwardVerdict, first, second],
      [backwardVerdict, second, first],
    ] as const) {
      if (verdict.answer !== 'no') continue;
      if (verdict.witness === undefined) throw new Error('the verdict must have a witness');
      const claims = ClaimSet.at(verdict.witness, 0);
      expect(compile(query(one)).test(claims)).toBe(true);
      expect(compile(query(other)).test(claims)).toBe(false);
    }
  });
});

describe('the verdict on a policy', () => {
  const adult = { check: { claim: 'identity.age', operator: '>=', value: 18 } };

  // L17
  it('of `satisfiable` is yes, with a witness, if the policy can pass', () => {
    const verdict = satisfiable(adult);
    expect(verdict).toMatchObject({ answer: 'yes', witness: [{ claims: { 'identity.age': 18 } }] });
  });

  it('of `satisfiable` is no if the policy cannot pass', () => {
    const never = { policy: { allOf: [adult, { claim: 'identity.age', operator: '<', value: 18 }] } };
    expect(satisfiable(never)).toEqual({ answer: 'no' });
    expect(tautology({ policy: { not: never } })).toEqual({ answer: 'yes' });
  });

  // L14
  it('of `tautology` is no, with a witness, if the policy can fail', () => {
    expect(tautology(adult)).toMatchObject({ answer: 'no', witness: [{ claims: {} }] });
  });

  it('is unknown if the search exceeds the step limit', () => {
    const claims = Array.from({ length: 20 }, (_, index) => `kyc.n${index}`);
    const pigeons = claims.slice(0, 12).map((claim) => ({ claim, operator: 'in', value: [1, 2, 3] }));
    const apart = claims.slice(0, 12).flatMap((one, index) =>
      claims.slice(0, index).map((other) => ({
        anyOf: [1, 2, 3].map((hole) => ({
          allOf: [
            { claim: one, operator: '==', value: hole },
            { not: { claim: other, operator: '==', value: hole } },
          ],
        })),
      })),
    );
    const verdict = satisfiable({ policy: { allOf: [...pigeons, ...apart.slice(0, 30)] } }, { steps: 3 });
    expect(verdict).toEqual({ answer: 'unknown', reason: 'no answer within 3 steps' });
  });

  // L13
  it('is unknown if too many combinations of values of overlapping claims contain no witness', () => {
    const contradiction = [
      { claim: 'kyc.a', operator: '==', value: { x: 1 } },
      { not: { claim: 'kyc.a.x', operator: 'isDefined' } },
    ];
    const others = Array.from({ length: 11 }, (_, index) => [`kyc.n${index}`, `kyc.n${index}.x`]).flat();
    const query = (claims: readonly string[]) => ({
      policy: {
        allOf: [...contradiction, ...claims.map((claim) => ({ not: { claim, operator: '==', value: 1 } }))],
      },
    });
    expect(satisfiable(query(others.slice(0, 2)))).toEqual({ answer: 'no' });
    const reason = 'no witness among the first 2000 combinations of values of overlapping claims';
    expect(satisfiable(query(others))).toEqual({ answer: 'unknown', reason });
  });

  // L16, L18
  it('is found if the shortest strings that a pattern matches are named', () => {
    const codes = Array.from({ length: 249 }, (_, index) =>
      String.fromCharCode(65 + Math.trunc(index / 26), 65 + (index % 26)),
    );
    const examples: readonly (readonly [string, readonly string[]])[] = [
      ['^[0-9]{5}$', ['00000']],
      ['^[a-z]$', ['a']],
      ['^[A-Z]{2}$', codes],
      ['^[01]{2}$', ['00', '01', '11']],
      ['^[😀-😂]$', ['😀', '😂']],
    ];
    for (const [pattern, named] of examples) {
      const policy = {
        allOf: [
          { claim: 'a.b', operator: 'matchRegex', value: pattern },
          { claim: 'a.b', operator: 'notIn', value: named },
        ],
      } as const;
      expect(satisfiable({ policy }).answer).toBe('yes');
      expect(simplify({ policy })).toEqual({ policy: { allOf: policy.allOf.map((check) => ({ check })) } });
      expect(residual({ policy }, {}).kind).toBe('open');
    }
    const binary = { claim: 'a.b', operator: 'matchRegex', value: '^[01]$' } as const;
    const all = { claim: 'a.b', operator: 'notIn', value: ['0', '1'] } as const;
    expect(satisfiable({ policy: { allOf: [binary, all] } }).answer).toBe('no');
  });

  it('is unknown if the characters of named strings would take too long', () => {
    const named = String.fromCharCode(...Array.from({ length: 1_000 }, (_, index) => 0x100 + index));
    const policy = {
      allOf: [
        { claim: 'a.b', operator: '!=', value: named },
        { claim: 'a.b', operator: 'matchRegex', value: '^a.....b.....' },
        { claim: 'a.b', operator: '==', value: 'a' },
      ],
    } as const;
    const reason = 'the patterns and prefixes on one claim are too many or too large together';
    expect(satisfiable({ policy }, { steps: 100 })).toEqual({ answer: 'unknown', reason });
    expect(satisfiable({ policy })).toEqual({ answer: 'no' });
  });

  it('is unknown if the prefixes on one claim would take too long', () => {
    const prefixes = Array.from({ length: 40 }, (_, index) =>
      String.fromCharCode(...Array.from({ length: 25 }, (_unused, offset) => 0x100 + 25 * index + offset)),
    );
    const startsWith = (value: string) => ({ claim: 'identity.email', operator: 'startsWith', value });
    const policy = { policy: { anyOf: prefixes.map(startsWith) } };
    const reversed = { policy: { anyOf: prefixes.toReversed().map(startsWith) } };
    const reason = 'the patterns and prefixes on one claim are too many or too large together';
    expect(implies(policy, reversed, { steps: 500 })).toEqual({ answer: 'unknown', reason });
    expect(implies(policy, reversed)).toEqual({ answer: 'unknown', reason });
    expect(satisfiable(policy, { steps: 500 }).answer).toBe('yes');
    const few = (all: typeof policy) => ({ policy: { anyOf: all.policy.anyOf.slice(18, 22) } });
    expect(implies(few(policy), few(reversed), { steps: 500 })).toEqual({ answer: 'yes' });
  });

  it('is found within the step limit for fifty checks', () => {
    const groups = Array.from({ length: 10 }, (_, group) => ({
      anyOf: Array.from({ length: 5 }, (_unused, index) => ({
        claim: `kyc.n${(group * 3 + index) % 17}`,
        operator: ['==', '>=', 'in', 'startsWith', '!='][index] as string,
        value: [group, group, [group, 'x'], `${group}`, group][index],
      })),
    }));
    const policy = { policy: { allOf: groups } };
    expect(satisfiable(policy).answer).toBe('yes');
    expect(implies(policy, { policy: { allOf: groups.slice(1) } }).answer).toBe('yes');
    expect(implies({ policy: { allOf: groups.slice(1) } }, policy).answer).toBe('no');
  });

  // L5, L8
  it('is an error for an invalid query and for projections', () => {
    expect(() => satisfiable({ check: {} })).toThrow(QueryError);
    expect(() => satisfiable({ projections: [{ claim: 'a.b', lens: 'pluck' }] })).toThrow(TypeError);
  });
});

describe('`simplify`', () => {
  it('writes each check a few times, and maps at most five times as many elements for twice as many claims', () => {
    const stepsOf = (claims: number) => {
      const allOf = Array.from({ length: claims }, (_, index) => ({
        claim: `member.claim${index}`,
        operator: '>=',
        value: index,
      }));
      const write = vi.spyOn(JSON, 'stringify');
      const map = vi.spyOn(Array.prototype, 'map');
      simplify({ policy: { allOf } });
      const texts = write.mock.calls.length;
      const mapped = map.mock.contexts.reduce<number>(
        (sum, array) => sum + (Array.isArray(array) ? array.length : 0),
        0,
      );
      write.mockRestore();
      map.mockRestore();
      return { texts, mapped };
    };
    const few = stepsOf(32);
    const many = stepsOf(64);
    expect(many.texts).toBeLessThan(3 * few.texts);
    expect(many.mapped).toBeLessThan(5 * few.mapped);
  });
});
