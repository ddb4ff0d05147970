/** Searches for claims that satisfy a formula, by narrowing the candidates of each claim and branching over alternatives. */
import {
  type Check,
  ClaimSet,
  type CompileOptions,
  type Credential,
  findClaim,
  type JsonValue,
  toClaimReference,
} from '../engine/index.js';
import { type ClaimDomain, createDomain } from './domains/claim-domain.js';
import type { CurrentValue } from './domains/nearest.js';
import { type Formula, type Literal, negationOf } from './formula.js';
import type { Witness } from './options.js';

/** The result of a search. */
export type SearchOutcome =
  | { readonly kind: 'found'; readonly witness: Witness }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A subset of a claim's candidates, one bit each, the first one lowest. */
type CandidateSet = bigint;

/** The remaining candidates of each claim, by the claim's number. */
type State = readonly CandidateSet[];

/** The candidates that remain after narrowing, and the goals that narrowing did not decide: choices between two or more alternatives. */
interface Narrowed {
  /** A copy, which the caller may change. */
  readonly state: CandidateSet[];
  readonly choices: readonly (readonly Formula[])[];
}

/** The outcome of a formula for all remaining candidates. */
type Status = 'holds' | 'fails' | 'open';

/** Maximum number of combinations tried for overlapping claims in one state. */
const MAX_COMBINATIONS = 2_000;

/** A check, represented by the candidates that pass it and those that fail it. */
interface IndexedCheck {
  /** The claim's number. */
  readonly claim: number;
  readonly passing: CandidateSet;
  readonly failing: CandidateSet;
}

/** The search space of some checks, for any number of searches. */
export class Search {
  readonly #domains: readonly ClaimDomain[];
  /** By the check's number. */
  readonly #checks: readonly IndexedCheck[];
  readonly #everything: State;
  readonly #overlaps: readonly boolean[];
  readonly #incomplete: string | undefined;
  readonly #maxSteps: number;
  #steps = 0;
  /** Whether the search ended because {@link MAX_COMBINATIONS} combinations were tried. */
  #isOutOfCombinations = false;
  /** Whether a witness may have additional claims, which no check reads, to hide members of other claims (see {@link #asChosen}). */
  #hidesMembers = true;
  #accepts: (claims: Credential['claims']) => boolean = () => true;

  /**
   * @param checks - All checks of the formulas, by number.
   * @param current - The current values of claims, for {@link findWithFree}.
   */
  constructor(
    checks: readonly Check[],
    options: CompileOptions,
    maxSteps: number,
    current?: (claim: string) => CurrentValue,
  ) {
    const checksOn = new Map(checks.map((check): [string, Check[]] => [check.claim, []]));
    for (const check of checks) checksOn.get(check.claim)?.push(check);
    const paths = [...checksOn.keys()];
    const parents = new Set(paths.flatMap(parentsOf));
    this.#overlaps = paths.map(
      (path) => parents.has(path) || parentsOf(path).some((one) => checksOn.has(one)),
    );
    this.#domains = [...checksOn].map(([path, own], claim) =>
      createDomain(path, own, this.#overlaps[claim] === true, options, maxSteps, current?.(path)),
    );
    this.#everything = this.#domains.map(({ candidates }) => (1n << BigInt(candidates.length)) - 1n);
    this.#checks = checks.map((check) => {
      const claim = paths.indexOf(check.claim);
      const position = (checksOn.get(check.claim) as Check[]).indexOf(check);
      const { candidates } = this.#domains[claim] as ClaimDomain;
      const bits = candidates.map(({ passes }) => Number(passes[position])).reverse();
      const passing = BigInt(`0b${bits.join('')}`);
      return { claim, passing, failing: (this.#everything[claim] as CandidateSet) ^ passing };
    });
    this.#incomplete = this.#domains.find(({ incomplete }) => incomplete !== undefined)?.incomplete;
    this.#maxSteps = maxSteps;
  }

  /** The claims that the checks read. */
  get claims(): readonly string[] {
    return this.#domains.map(({ claim }) => claim);
  }

  /** Searches for claims that satisfy all formulas. */
  find(formulas: readonly Formula[]): SearchOutcome {
    this.#hidesMembers = true;
    this.#accepts = () => true;
    return this.#findFrom(this.#everything, formulas);
  }

  /**
   * Searches as {@link find} does, but keeps the current values of all claims that are not in `free`.
   *
   * @param accepts - Whether to accept claims that satisfy the formulas; otherwise the search continues.
   */
  findWithFree(
    formulas: readonly Formula[],
    free: ReadonlySet<string>,
    accepts: (claims: Credential['claims']) => boolean = () => true,
  ): SearchOutcome {
    this.#hidesMembers = false;
    this.#accepts = accepts;
    // The current value is the first candidate.
    const start = this.#domains.map(({ claim }, index) =>
      free.has(claim) ? (this.#everything[index] as CandidateSet) : 1n,
    );
    return this.#findFrom(start, formulas);
  }

  #findFrom(start: State, formulas: readonly Formula[]): SearchOutcome {
    this.#steps = 0;
    this.#isOutOfCombinations = false;
    const found = this.#solve(start, formulas);
    if (found !== undefined) return { kind: 'found', witness: found };
    if (this.#steps > this.#maxSteps) {
      const reason = this.#isOutOfCombinations
        ? `no witness among the first ${MAX_COMBINATIONS} combinations of values of overlapping claims`
        : `no answer within ${this.#maxSteps} steps`;
      return { kind: 'unknown', reason };
    }
    return this.#incomplete === undefined ? { kind: 'none' } : { kind: 'unknown', reason: this.#incomplete };
  }

  #solve(before: State, goals: readonly Formula[]): Witness | undefined {
    this.#steps += 1;
    if (this.#steps > this.#maxSteps) return undefined;
    const narrowed = this.#probe(before, goals);
    if (narrowed === undefined) return undefined;
    const { state } = narrowed;
    const [choice, ...others] = [...narrowed.choices].sort((a, b) => a.length - b.length);
    if (choice === undefined) return this.#witness(state);
    const rest = others.map((items): Formula => ({ kind: 'any', items }));
    for (const alternative of choice) {
      const found = this.#solve(state, [alternative, ...rest]);
      if (found !== undefined) return found;
      // An alternative that failed need not be tried again together with the next one.
      const otherwise = negationOf(alternative);
      if (otherwise.kind !== 'literal') continue;
      if (this.#statusOf(otherwise, state) === 'fails') return undefined;
      this.#take(state, otherwise);
    }
    return undefined;
  }

  /**
   * Narrows, and removes compound alternatives that contradict the other goals taken together. Branching would detect
   * late, for example, that "one of these fails" contradicts "all of them hold".
   */
  #probe(before: State, goals: readonly Formula[]): Narrowed | undefined {
    let narrowed = this.#narrow(before, goals);
    for (;;) {
      if (narrowed === undefined) return undefined;
      const { state, choices } = narrowed;
      const left = choices.map((choice, index) =>
        choice.filter((alternative) => {
          if (alternative.kind === 'literal') return true;
          this.#steps += 1;
          const others = choices.flatMap((items, other): Formula[] =>
            other === index ? [] : [{ kind: 'any', items }],
          );
          return this.#narrow(state, [alternative, ...others]) !== undefined;
        }),
      );
      if (left.every((choice, index) => choice.length === choices[index]?.length)) return narrowed;
      narrowed = this.#narrow(
        state,
        left.map((items): Formula => ({ kind: 'any', items })),
      );
    }
  }

  /**
   * Applies forced literals until nothing changes; returns the remaining choices. Returns `undefined` if a claim has no candidates left,
   * or a goal no alternative.
   */
  #narrow(before: State, goals: readonly Formula[]): Narrowed | undefined {
    const state = [...before];
    let open = [...goals];
    for (;;) {
      const choices: (readonly Formula[])[] = [];
      let hasChanged = false;
      for (let goal = open.pop(); goal !== undefined; goal = open.pop()) {
        if (goal.kind === 'literal') {
          const status = this.#statusOf(goal, state);
          if (status === 'fails') return undefined;
          if (status === 'holds') continue;
          this.#take(state, goal);
          hasChanged = true;
        } else if (goal.kind === 'all') {
          open.push(...goal.items);
        } else {
          const status = goal.items.map((item) => ({ item, status: this.#statusOf(item, state) }));
          if (status.some((one) => one.status === 'holds')) continue;
          const left = status.filter((one) => one.status === 'open').map(({ item }) => item);
          const [only] = left;
          if (only === undefined) return undefined;
          if (left.length === 1) open.push(only);
          else choices.push(left);
        }
      }
      if (!hasChanged || choices.length === 0) return { state, choices };
      open = choices.map((items): Formula => ({ kind: 'any', items }));
    }
  }

  /** Narrows a claim to the candidates on which a literal holds. */
  #take(state: CandidateSet[], { atom, mustPass }: Literal): void {
    const { claim, passing, failing } = this.#checks[atom] as IndexedCheck;
    state[claim] = (state[claim] as CandidateSet) & (mustPass ? passing : failing);
  }

  #statusOf(formula: Formula, state: State): Status {
    if (formula.kind === 'literal') {
      const { claim, passing, failing } = this.#checks[formula.atom] as IndexedCheck;
      const possible = state[claim] as CandidateSet;
      const left = possible & (formula.mustPass ? passing : failing);
      if (left === possible) return 'holds';
      return left === 0n ? 'fails' : 'open';
    }
    const [decisive, otherwise]: readonly [Status, Status] =
      formula.kind === 'all' ? ['fails', 'holds'] : ['holds', 'fails'];
    let isOpen = false;
    for (const item of formula.items) {
      const status = this.#statusOf(item, state);
      if (status === decisive) return decisive;
      isOpen ||= status === 'open';
    }
    return isOpen ? 'open' : otherwise;
  }

  /** Chooses one candidate per claim. Any choice is valid unless claims overlap (L13). */
  #witness(state: State): Witness | undefined {
    const chosen = state.map(firstOf);
    const overlapping = state.flatMap((_set, claim) => (this.#overlaps[claim] === true ? [claim] : []));
    let combinations = 0;
    const choose = (position: number): Witness | undefined => {
      const claim = overlapping[position];
      if (claim === undefined) {
        combinations += 1;
        return this.#asChosen(chosen);
      }
      for (const candidate of membersOf(state[claim] as CandidateSet)) {
        chosen[claim] = candidate;
        const found = choose(position + 1);
        if (found !== undefined) return found;
        if (combinations >= MAX_COMBINATIONS) {
          this.#steps = this.#maxSteps + 1;
          this.#isOutOfCombinations = true;
          return undefined;
        }
      }
      return undefined;
    };
    return choose(0);
  }

  /**
   * Creates a witness of the chosen claims; `undefined` if the caller does not accept them, or if a claim that must be undefined is a member of
   * the value of a parent claim. If permitted, hides such a member: adds a claim that no check reads, with a path between the two. A lookup then
   * stops at the added claim, and does not try shorter paths (L13).
   */
  #asChosen(chosen: readonly number[]): Witness | undefined {
    const valued = this.#domains.map(({ claim, candidates }, index) => ({
      claim,
      value: candidates[chosen[index] as number]?.value,
    }));
    const defined = valued.filter(
      (one): one is { claim: string; value: JsonValue } => one.value !== undefined,
    );
    const attested = Object.fromEntries(defined.map(({ claim, value }) => [claim, value]));
    const mustBeUndefined = valued.flatMap(({ claim, value }, index) =>
      value === undefined && this.#overlaps[index] === true ? [claim] : [],
    );
    const visible = visibleClaims(mustBeUndefined, attested);
    if (visible.length === 0) return this.#accepts(attested) ? toWitness(attested) : undefined;
    const hiding = this.#hidesMembers ? visible.flatMap((claim) => this.#unreadParent(claim) ?? []) : [];
    const hidden = { ...attested, ...Object.fromEntries(hiding.map((claim) => [claim, true])) };
    return visibleClaims(mustBeUndefined, hidden).length === 0 ? toWitness(hidden) : undefined;
  }

  /** Returns the longest parent path of a claim that no check reads. */
  #unreadParent(claim: string): string | undefined {
    return parentsOf(claim).find((parent) => !this.claims.includes(parent));
  }
}

function toWitness(claims: Credential['claims']): Witness {
  return [{ id: 'witness', source: 'analysis', issuedAt: 0, claims }];
}

/** Returns the paths at which a claim is defined. */
function visibleClaims(paths: readonly string[], attested: Credential['claims']): readonly string[] {
  if (paths.length === 0) return paths;
  const claims = ClaimSet.of(attested);
  return paths.filter((path) => findClaim(claims, toClaimReference(path)) !== undefined);
}

/** Returns the paths of the claims that can contain a claim, longest first (L13). */
function parentsOf(path: string): readonly string[] {
  const segments = path.split('.');
  return segments.slice(2).map((_, index) => segments.slice(0, segments.length - 1 - index).join('.'));
}

/** Returns the number of the first candidate in a set. */
function firstOf(set: CandidateSet): number {
  const bits = set.toString(2);
  return bits.length - 1 - bits.lastIndexOf('1');
}

/** Returns the numbers of the candidates in a set, in ascending order. */
function membersOf(set: CandidateSet): readonly number[] {
  const bits = [...set.toString(2)].reverse();
  return bits.flatMap((bit, index) => (bit === '1' ? [index] : []));
}
