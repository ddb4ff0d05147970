/** Figures: the growth of cost with the number of checks, list entries, claims, credentials and people. */
import {
  ClaimColumns,
  ClaimSet,
  type Credential,
  compile,
  evaluateMany,
  type QueryLimits,
  re2js,
} from '../../src/index.js';
import { drawPeople, NOW } from '../scenarios/people.js';
import { createSeededNumbers } from '../scenarios/random.js';
import { WORKLOADS } from '../scenarios/workloads.js';
import { interleave, type TimingSettings } from '../timing/interleave.js';
import { keep } from '../timing/keep.js';
import { callRunner, type Runner } from '../timing/runner.js';
import type { Spread } from '../timing/statistics.js';
import { reportProgress } from './progress.js';
import { createBaseline } from './warm-up.js';

export type GrowthAxis = keyof typeof AXES;

export interface GrowthFigure {
  readonly axis: GrowthAxis;
  readonly title: string;
  readonly series: readonly GrowthSeries[];
}

export interface GrowthSeries {
  readonly name: string;
  /** Ratios to one evaluation of one check by the hand-written function. */
  readonly points: readonly { readonly x: number; readonly ratio: Spread }[];
}

/** The calls to measure at one point of the axis, by the name of the curve. */
type Calls = Readonly<Record<string, () => unknown>>;

const LIMITS: Partial<QueryLimits> = { checks: 1_000, listEntries: 100_000 };
const NUMERIC = ['cex_balance', 'trading_frequency_score'].map((name) => `financial.${name}`);
const SCOPES = ['financial:read', 'kyc:read'];

const AXES = {
  checks: {
    title: 'checks in a query, all of which pass',
    points: [1, 3, 10, 30, 100, 300, 1_000],
    at: byChecks,
  },
  list: { title: 'entries of one list', points: [1, 10, 100, 1_000, 10_000, 100_000], at: byList },
  claims: { title: 'claims in one credential', points: [1, 10, 100, 1_000, 10_000], at: byClaims },
  credentials: {
    title: 'credentials of ten claims each, all with the same claims',
    points: [1, 3, 10, 30, 100, 300, 1_000],
    at: byCredentials,
  },
  subjects: {
    title: 'subjects in columns',
    points: [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000],
    at: bySubjects,
  },
} as const;

/** Measures every curve of an axis, all points interleaved. */
export async function measureGrowth(axis: GrowthAxis, settings: TimingSettings): Promise<GrowthFigure> {
  const { title, points, at } = AXES[axis];
  reportProgress(`growth by ${axis}`);
  const baseline = await createBaseline('one');
  const measured = points.flatMap((x) =>
    Object.entries(at(x)).map(([name, call]) => ({ x, name, runner: callRunner(`${name} at ${x}`, [call]) })),
  );
  const runners: Runner[] = [baseline, ...measured.map(({ runner }) => runner)];
  const [, ...timings] = await interleave(runners, settings);
  const names = [...new Set(measured.map(({ name }) => name))];
  return {
    axis,
    title,
    series: names.map((name) => ({
      name,
      points: measured.flatMap(({ x, name: curve }, index) => {
        const ratio = timings[index]?.ratio;
        return curve === name && ratio !== undefined ? [{ x, ratio }] : [];
      }),
    })),
  };
}

function byChecks(count: number): Calls {
  const [person] = drawPeople(1, 'uniform', [], 5);
  const claims = ClaimSet.at(person?.credentials ?? [], NOW);
  const items = Array.from({ length: count }, (_, index) => ({
    claim: NUMERIC[index % NUMERIC.length],
    operator: '>=',
    value: -index,
  }));
  const query = { policy: { allOf: items } };
  const compiled = compile(query, { limits: LIMITS, regex: re2js });
  const options = { now: NOW, scopes: SCOPES };
  return {
    'test()': () => compiled.test(claims),
    'evaluate()': () => keep(compiled.evaluate(claims, options)),
    'compile()': () => keep(compile(query, { limits: LIMITS, regex: re2js })),
  };
}

function byList(length: number): Calls {
  const value = Array.from({ length }, (_, index) => `entry-${index}`);
  const query = { check: { claim: 'kyc.level', operator: 'in', value } };
  const compiled = compile(query, { limits: LIMITS, regex: re2js });
  const claims = ClaimSet.at([credential('one', 0, { 'kyc.level': `entry-${length - 1}` })], NOW);
  return {
    'test()': () => compiled.test(claims),
    'evaluate()': () => keep(compiled.evaluate(claims, { now: NOW, scopes: SCOPES })),
    'compile()': () => keep(compile(query, { limits: LIMITS, regex: re2js })),
  };
}

function byClaims(count: number): Calls {
  const others = Array.from({ length: count - 1 }, (_, index) => [`other.claim_${index}`, index]);
  const credentials = [credential('one', 0, { ...Object.fromEntries(others), 'kyc.passed': true })];
  return byPerson(credentials);
}

function byCredentials(count: number): Calls {
  const claims = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`other.claim_${index}`, index]));
  return byPerson(
    Array.from({ length: count }, (_, index) =>
      credential(`number-${index}`, index, { ...claims, 'kyc.passed': true }),
    ),
  );
}

/** Columns for the workload of six checks: three of numbers, two of a few distinct strings, one of booleans. */
function bySubjects(count: number): Calls {
  const numbers = createSeededNumbers(7);
  const below = (end: number): Float64Array => new Float64Array(count).map(() => numbers.below(end));
  const oneOf = (entries: readonly string[]) => ({
    codes: new Uint16Array(count).map(() => numbers.below(entries.length)),
    entries,
  });
  const columns = ClaimColumns.of({
    'identity.age': below(100),
    'kyc.level': oneOf(['none', 'basic', 'enhanced', 'full']),
    'kyc.passed': new Uint8Array(count).map(() => numbers.below(2)),
    'identity.service_score': below(101),
    'kyc.document_type': oneOf(['passport', 'identity_card', 'residence_permit', 'driving_licence']),
    'financial.total_liabilities': below(100_000),
  });
  const { one, six } = WORKLOADS;
  return {
    'many, one check': () => evaluateMany(one.query, columns, { regex: re2js }).count,
    'many, six checks': () => evaluateMany(six.query, columns, { regex: re2js }).count,
  };
}

function byPerson(credentials: readonly Credential[]): Calls {
  const compiled = compile({ check: { claim: 'kyc.passed', operator: '==', value: true } });
  const claims = ClaimSet.at(credentials, NOW);
  return {
    'test()': () => compiled.test(claims),
    'evaluate()': () => keep(compiled.evaluate(claims, { now: NOW, scopes: SCOPES })),
    'ClaimSet.at()': () => keep(ClaimSet.at(credentials, NOW)),
  };
}

function credential(id: string, issuedAt: number, claims: Credential['claims']): Credential {
  return { id, source: 'https://issuer.example', issuedAt, claims };
}
