/** The questions about a pair of policies, our verdicts, and whether a solver contradicts them. */
import { equivalent, implies, satisfiable, tautology, type Verdict } from '../../../src/analysis/index.js';
import type { PolicyItem } from '../../../src/index.js';
import { parse, re2js } from '../../../src/index.js';
import { cachePatterns } from '../../../src/testing/cache-patterns.js';
import type { PolicyPair } from './arbitraries.js';
import type { SolverAnswer } from './solver.js';
import { type Claims, translate } from './translate.js';

export const QUESTIONS = ['satisfiable', 'tautology', 'implies', 'equivalent'] as const;

export type Question = (typeof QUESTIONS)[number];

/** The analysis under test. */
export type Analysis = Readonly<Record<Question, (first: unknown, second: unknown) => Verdict>>;

/** A question, as a solver decides it: whether claims satisfy the formula of the question. */
export interface Comparison {
  readonly question: Question;
  /** `sat` if such claims exist according to our verdict, `unsat` if not, `unknown` if it is open. */
  readonly ours: SolverAnswer;
  /** Whether a solver’s `sat` proves nothing. */
  readonly isApproximate: boolean;
}

/** The script of a pair, with one `(check-sat)` for each comparison. */
export interface Script {
  readonly text: string;
  readonly comparisons: readonly Comparison[];
}

const options = {
  regex: cachePatterns(re2js),
  // The negations that are added to a policy can exceed the default depth.
  limits: { matchCost: Number.MAX_SAFE_INTEGER, depth: 64 },
};

/** The analysis of `proviso/analysis`. */
export const OWN_ANALYSIS: Analysis = {
  satisfiable: (first) => satisfiable(first, options),
  tautology: (first) => tautology(first, options),
  implies: (first, second) => implies(first, second, options),
  equivalent: (first, second) => equivalent(first, second, options),
};

/** The formula of each question, whose satisfiability a solver decides, in terms of the outcomes of both policies. */
const FORMULAS: Readonly<Record<Question, (first: string, second: string) => string>> = {
  satisfiable: (first) => first,
  tautology: (first) => `(not ${first})`,
  implies: (first, second) => `(and ${first} (not ${second}))`,
  equivalent: (first, second) => `(not (= ${first} ${second}))`,
};

/**
 * Asks the analysis, and writes the script for a solver. Where we have a witness, the solver evaluates the policies on it; otherwise it
 * searches for claims.
 */
export function writeScript({ first, second, trees }: PolicyPair, analysis: Analysis): Script {
  const queries = [first, second].map((item) => ({ policy: { allOf: [item] } }));
  const items = queries.map((query) => parse(query, options) as PolicyItem);
  const translation = translate(items, trees);
  const asked = QUESTIONS.map((question) => {
    const verdict = analysis[question](queries[0], queries[1]);
    return { question, ours: existenceOf(question, verdict), claims: witnessOf(verdict) };
  });
  const found = asked.filter(({ claims }) => claims !== undefined);
  const open = asked.filter(({ claims }) => claims === undefined);
  const check = (question: Question, values: readonly string[]): string => {
    const [one, other] = [0, 1].map((index) => `(p${index} ${values.join(' ')})`) as [string, string];
    return `(push 1) (assert ${FORMULAS[question](one, other)}) (check-sat) (pop 1)`;
  };
  const lines = [
    ...translation.policies,
    ...found.map(({ question, claims = {} }) => check(question, translation.valuesOf(claims))),
    ...(open.length === 0 ? [] : translation.anyClaims),
    ...open.map(({ question }) => check(question, translation.variables)),
  ];
  return {
    text: lines.join('\n'),
    comparisons: [
      ...found.map(({ question, ours }) => ({ question, ours, isApproximate: false })),
      ...open.map(({ question, ours }) => ({ question, ours, isApproximate: translation.isApproximate })),
    ],
  };
}

/** Returns whether a solver’s answer contradicts ours. */
export function contradicts({ ours, isApproximate }: Comparison, theirs: SolverAnswer): boolean {
  if (ours === 'unknown' || theirs === 'unknown' || ours === theirs) return false;
  return theirs === 'unsat' || !isApproximate;
}

/** Returns whether claims satisfy the formula of the question, according to a verdict. */
function existenceOf(question: Question, { answer }: Verdict): SolverAnswer {
  if (answer === 'unknown') return 'unknown';
  return (answer === 'yes') === (question === 'satisfiable') ? 'sat' : 'unsat';
}

function witnessOf(verdict: Verdict): Claims | undefined {
  return verdict.answer === 'unknown' ? undefined : verdict.witness?.[0].claims;
}
