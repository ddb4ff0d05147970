/** Games against inference bounds: an adversary asks, the rules decide, and the game counts the values that are consistent with all answers. */
import { inferKnowledge } from '../../../../src/analysis/knowledge.js';
import {
  type CatalogueClaim,
  ClaimSet,
  compile,
  type InferenceBound,
  type JsonValue,
  type PolicyItem,
  type PredicateResult,
} from '../../../../src/engine/index.js';
import { checksOf } from '../../../../src/engine/query/query.js';
import { re2js } from '../../../../src/regex/re2js.js';
import { createDerivedClaims } from '../../../../src/service/claims/derived-claims.js';
import { createServiceCatalogue } from '../../../../src/service/index.js';
import { createInferenceRules } from '../../../../src/service/inference/inference-rules.js';

export type Level = 'checks' | 'none';

/** An answered question, as the adversary knows it. */
export interface AnsweredQuestion {
  readonly item: PolicyItem;
  readonly level: Level;
  readonly result: PredicateResult;
}

/** Chooses the next question; `undefined` to give up. */
export type Adversary = (
  answered: readonly AnsweredQuestion[],
  refused: readonly PolicyItem[],
) => PolicyItem | undefined;

export const AGES = 64;
export const RANKS = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

/** One possible assignment of values. */
export interface World {
  readonly age: number;
  readonly rank: string;
  readonly member: boolean;
}

const SCOPE = {
  name: 'club:read',
  category: 'club',
  sensitivity: 'high',
  displayName: 'Your club',
  description: 'What the club knows.',
} as const;

/** Creates the claims of the club, of which age and rank are bounded. */
function clubCatalogue(ageBound: InferenceBound, rankBound: InferenceBound) {
  const claim = (
    name: string,
    more: Partial<CatalogueClaim> & Pick<CatalogueClaim, 'type'>,
  ): CatalogueClaim => ({
    path: `club.${name}`,
    scope: SCOPE.name,
    sensitivity: 'high',
    description: name,
    ...more,
  });
  return {
    scopes: [SCOPE],
    claims: [
      claim('age', { type: 'integer', inferenceBound: ageBound }),
      claim('senior', {
        type: 'boolean',
        derived: { parent: 'club.age', check: { operator: '>=', value: 40 } },
      }),
      claim('rank', { type: 'enum', values: RANKS, inferenceBound: rankBound }),
      claim('member', { type: 'boolean' }),
    ],
    presets: [],
  };
}

/**
 * Creates rules for bounds on age and rank, with a cache of compiled queries, since games repeat their questions.
 *
 * @param minAges - The least number of ages that must stay consistent with the answers.
 * @param minRanks - The same for ranks.
 */
export function createClub(minAges: number, minRanks: number) {
  const catalogue = createServiceCatalogue(
    clubCatalogue({ width: minAges, from: 0, to: AGES - 1 }, { values: minRanks }),
  );
  const known = new Map<string, ReturnType<typeof compileItem>>();
  const compileItem = (item: PolicyItem) => compile(item, { regex: re2js, catalogue: 'none' });
  const byObject = new WeakMap<object, ReturnType<typeof compileItem>>();
  const compileOnce = (item: PolicyItem) => {
    const key = 'check' in item ? item.check : item.policy;
    const found = byObject.get(key) ?? compileText(item);
    byObject.set(key, found);
    return found;
  };
  const compileText = (item: PolicyItem) => {
    const text = JSON.stringify(item);
    const compiled = known.get(text) ?? compileItem(item);
    if (known.size > 5_000) known.clear();
    known.set(text, compiled);
    return compiled;
  };
  const rules = createInferenceRules(catalogue, createDerivedClaims(catalogue, re2js), compileOnce);
  return { rules, compile: compileOnce, minAges, minRanks };
}

export type Club = ReturnType<typeof createClub>;

const CLAIMS = new Map<string, ClaimSet>();

/** Returns the claims of a world. */
function claimsOf({ age, rank, member }: World): ClaimSet {
  const key = `${age} ${rank} ${member}`;
  const claims: Readonly<Record<string, JsonValue>> = {
    'club.age': age,
    'club.senior': age >= 40,
    'club.rank': rank,
    'club.member': member,
  };
  const known = CLAIMS.get(key) ?? ClaimSet.of(claims);
  CLAIMS.set(key, known);
  return known;
}

/** The part of a result that an answer discloses, as text. */
function disclosed(club: Club, item: PolicyItem, level: Level, world: World): string {
  const claims = claimsOf(world);
  if (level === 'none') return String(club.compile(item).test(claims));
  return checksOf(item)
    .map((check) => club.compile({ check }).test(claims))
    .join();
}

/** The outcome of a game. */
export interface Outcome {
  readonly questions: number;
  readonly refusals: number;
  /** The fewest ages, and ranks, that were ever consistent with the answers and with the true values of all other claims. */
  readonly ages: number;
  readonly ranks: number;
}

/** Plays a game. @param isBounded - Whether the rules may refuse a question; otherwise, every question is answered. */
export function play(
  club: Club,
  truth: World,
  adversary: Adversary,
  {
    questions,
    level,
    isBounded = true,
  }: { readonly questions: number; readonly level: (turn: number) => Level; readonly isBounded?: boolean },
): Outcome {
  let ages: readonly World[] = Array.from({ length: AGES }, (_, age) => ({ ...truth, age }));
  let ranks: readonly World[] = RANKS.map((rank) => ({ ...truth, rank }));
  let recorded: string | undefined;
  let [turn, refusals, fewestAges, fewestRanks] = [0, 0, AGES, RANKS.length as number];
  const answered: AnsweredQuestion[] = [];
  const refused: PolicyItem[] = [];
  for (; turn < questions; turn += 1) {
    const item = adversary(answered, refused);
    if (item === undefined) break;
    const asked = level(turn);
    const consideration = club.rules.consider({ query: club.compile(item), level: asked, now: 0 }, recorded);
    if (isBounded && consideration.refused.length > 0) {
      refusals += 1;
      refused.push(item);
      continue;
    }
    const result = answer(club, item, asked, truth);
    recorded = consideration.record(result, () => true) ?? recorded;
    answered.push({ item, level: asked, result });
    const seen = disclosed(club, item, asked, truth);
    const isConsistent = (world: World) => disclosed(club, item, asked, world) === seen;
    [ages, ranks] = [ages.filter(isConsistent), ranks.filter(isConsistent)];
    [fewestAges, fewestRanks] = [Math.min(fewestAges, ages.length), Math.min(fewestRanks, ranks.length)];
  }
  return { questions: turn, refusals, ages: fewestAges, ranks: fewestRanks };
}

function answer(club: Club, item: PolicyItem, level: Level, truth: World): PredicateResult {
  const claims = claimsOf(truth);
  const passes = (part: PolicyItem) => club.compile(part).test(claims);
  const checkResults = checksOf(item).map((check) => ({
    claim: check.claim,
    operator: check.operator,
    expectedValue: check.value ?? true,
    passed: passes({ check }),
  }));
  const evidence = { claimsUsed: [], checkResults: level === 'checks' ? checkResults : [] };
  return { type: 'predicate', passed: passes(item), evaluatedAt: '', evidence, expiresAt: '' };
}

function atLeast(value: number): PolicyItem {
  return { check: { claim: 'club.age', operator: '>=', value } };
}

/** Halves the ages that are still possible; after a refusal, tries the next threshold. */
export function binarySearch(): Adversary {
  return (answered, refused) => {
    let [low, high] = [0, AGES];
    for (const { item, result } of answered) {
      const [check] = checksOf(item);
      const threshold = Number(check?.value);
      if (result.passed) low = Math.max(low, threshold);
      else high = Math.min(high, threshold);
    }
    const middle = Math.ceil((low + high) / 2);
    const thresholds = Array.from({ length: high - low - 1 }, (_, index) => low + 1 + index);
    const tried = new Set(refused.map((item) => JSON.stringify(item)));
    return thresholds
      .sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))
      .map(atLeast)
      .find((item) => !tried.has(JSON.stringify(item)));
  };
}

/** Infers the possible ages by static analysis, and halves them. */
export function analyst(): Adversary {
  return (answered, refused) => {
    const answers = answered.map(({ item, result }, at) => ({ query: item, passed: result.passed, at }));
    const [known] = inferKnowledge(answers).filter(({ claim }) => claim === 'club.age');
    const intervals = known?.values.numbers ?? [];
    const low = Math.max(0, Math.ceil(intervals[0]?.low ?? 0));
    const high = Math.min(AGES, Math.ceil(intervals.at(-1)?.high ?? AGES));
    const tried = new Set(refused.map((item) => JSON.stringify(item)));
    const middle = Math.floor((low + high) / 2);
    return Array.from({ length: high - low }, (_, index) => low + index)
      .sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))
      .flatMap((value): PolicyItem[] => [
        atLeast(value),
        { check: { claim: 'club.age', operator: '==', value } },
        { policy: { not: { check: { claim: 'club.age', operator: 'in', value: [value, value + 1] } } } },
      ])
      .find((item) => !tried.has(JSON.stringify(item)));
  };
}

/**
 * Creates questions of any kind: checks on all claims, alone and in policies.
 *
 * @param random - Returns an integer from 0 up to, but not including, its argument.
 */
export function createQuestions(random: (below: number) => number): (depth: number) => PolicyItem {
  const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value;
  const number = () => pick([random(AGES), random(AGES) + 0.5, -1, AGES]);
  const ranks = () => RANKS.filter(() => random(2) === 0);
  const check = (): PolicyItem => {
    const ageCheck = (): PolicyItem => ({
      check: pick([
        { claim: 'club.age', operator: pick(['<', '<=', '>', '>=', '==', '!='] as const), value: number() },
        {
          claim: 'club.age',
          operator: pick(['in', 'notIn'] as const),
          value: Array.from({ length: 1 + random(12) }, () => random(AGES)),
        },
      ]),
    });
    return pick([
      ageCheck,
      ageCheck,
      (): PolicyItem => ({ check: { claim: 'club.senior', operator: '==', value: pick([true, false]) } }),
      (): PolicyItem => ({
        check: { claim: 'club.rank', operator: pick(['in', 'notIn'] as const), value: ranks() },
      }),
      (): PolicyItem => ({
        check: { claim: 'club.rank', operator: 'matchRegex', value: pick(['^[a-c]$', '[bdf]', 'a|f']) },
      }),
      (): PolicyItem => ({ check: { claim: 'club.member', operator: '==', value: true } }),
      (): PolicyItem => ({ check: { claim: pick(['club.age', 'club.rank']), operator: 'isDefined' } }),
    ])();
  };
  const item = (depth: number): PolicyItem => {
    if (depth === 0 || random(3) > 0) return check();
    const items = Array.from({ length: 1 + random(3) }, () => item(depth - 1));
    const policies = [{ allOf: items }, { anyOf: items }, { not: items[0] as PolicyItem }];
    return { policy: pick(policies) };
  };
  return item;
}
