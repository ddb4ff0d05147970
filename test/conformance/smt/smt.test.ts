/** An SMT solver agrees with the analysis, and contradicts wrong ones (L12–L19). Without a solver, only the last test runs. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PolicyItemInput } from '../../../src/index.js';
import { policyPair } from './arbitraries.js';
import { type Analysis, contradicts, OWN_ANALYSIS, QUESTIONS, writeScript } from './questions.js';
import { SOLVER_NAMES, Solver, type SolverAnswer } from './solver.js';

const SEED = 20_261_123;
const RUNS = 40;
const TIMEOUT_MS = 5_000;
/** Number of answers that a solver must find, of four for each of the {@link RUNS} pairs; the others may be `unknown`. */
const MIN_DECIDED = 120;

const name = SOLVER_NAMES.find((candidate) => spawnSync(candidate, ['--version']).status === 0);

/** Rewrites of a check that forget a rule: the analysis of the rewritten policies is wrong for the original ones. */
const FORGOTTEN_RULES: readonly { readonly rule: string; readonly rewrite: Rewrite }[] = [
  {
    rule: '`!=` fails on an undefined claim (L14)',
    rewrite: ({ claim, operator, value }) =>
      operator === '!=' ? { not: { claim, operator: '==', value } } : undefined,
  },
  {
    rule: '`>` is not `<` (L17)',
    rewrite: ({ claim, operator, value }) => (operator === '>' ? { claim, operator: '<', value } : undefined),
  },
  {
    rule: 'a pattern is no prefix (L18)',
    rewrite: ({ claim, operator, value }) =>
      operator === 'matchRegex' ? { claim, operator: 'startsWith', value } : undefined,
  },
  {
    rule: 'a claim can be a member of another (L13)',
    rewrite: ({ claim, ...check }) =>
      claim.split('.').length > 2
        ? { claim: claim.replaceAll('.', '_').replace('_', '.'), ...check }
        : undefined,
  },
];

interface CheckInput {
  readonly claim: string;
  readonly operator: string;
  readonly value?: unknown;
}

/** Returns the replacement of a check; `undefined` to keep the check. */
type Rewrite = (check: CheckInput) => unknown;

describe.skipIf(name === undefined)('an SMT solver', () => {
  const solver = new Solver(name ?? 'z3', TIMEOUT_MS);
  // Few patterns of one character: to translate one, it is tested on all code points once, which is slow.
  const pairs = fc.sample(policyPair(['a', 'b', '\\n', '[^a]', '\\w']), { numRuns: RUNS, seed: SEED });

  afterAll(() => solver.close());

  async function compare(
    analysis: Analysis,
  ): Promise<{ readonly decided: number; readonly contradictions: number }> {
    const scripts = pairs.map((pair) => writeScript(pair, analysis));
    const answers = await Promise.all(
      scripts.map(({ text, comparisons }) => solver.ask(text, comparisons.length)),
    );
    return {
      decided: answers.flat().filter((answer) => answer !== 'unknown').length,
      contradictions: scripts.filter(({ comparisons }, run) =>
        comparisons.some((comparison, index) =>
          contradicts(comparison, answers[run]?.[index] as SolverAnswer),
        ),
      ).length,
    };
  }

  it('agrees with the analysis of random policies', async () => {
    const { decided, contradictions } = await compare(OWN_ANALYSIS);
    expect(contradictions).toBe(0);
    expect(decided).toBeGreaterThanOrEqual(MIN_DECIDED);
  });

  it.each(FORGOTTEN_RULES)('contradicts an analysis that forgets that $rule', async ({ rewrite }) => {
    const wrong = Object.fromEntries(
      QUESTIONS.map((question) => [
        question,
        (...queries: readonly unknown[]) => {
          const [first, second] = queries.map((query) => rewritten(query, rewrite));
          return OWN_ANALYSIS[question](first, second);
        },
      ]),
    ) as unknown as Analysis;
    expect((await compare(wrong)).contradictions).toBeGreaterThan(0);
  });
});

it('a solver that cannot be started rejects each script', async () => {
  vi.stubEnv('PATH', '/nonexistent');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const solver = new Solver('z3', TIMEOUT_MS);
  onTestFinished(() => solver.close());
  const outcomes = await Promise.allSettled([solver.ask('', 1), solver.ask('', 1)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

function rewritten(query: unknown, rewrite: Rewrite): PolicyItemInput {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const members = value as Record<string, unknown>;
    if (typeof members['claim'] === 'string') return rewrite(members as unknown as CheckInput) ?? value;
    if ('check' in members) {
      const replacement = walk(members['check']);
      return replacement === members['check'] ? value : replacement;
    }
    return Object.fromEntries(Object.entries(members).map(([member, inner]) => [member, walk(inner)]));
  };
  return walk(query) as PolicyItemInput;
}
