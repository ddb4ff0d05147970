/** The exhaustive way through a query: every check is run, and what each found is kept (L21). */
import type { ClaimReference } from '../claims/claim-path.js';
import { type ClaimIndex, findValue } from '../claims/claim-set.js';
import type { Predicate } from '../operators/operator.js';
import type { CheckResult } from '../result.js';
import { END, type PlannedCheck, type PlannedItem } from './plan.js';

/** Whether each check passed, in document order. */
export type Outcomes = readonly boolean[];

/** Whether an item passes, given how its checks came out (L19). */
export type Verdict = (outcomes: Outcomes) => boolean;

/** A check that runs whatever the others found. */
export interface EvidenceCheck extends Pick<PlannedCheck, 'claim' | 'operator' | 'expectedValue'> {
  readonly passes: Predicate;
}

/** A predicate, laid out for answers with evidence. */
export interface EvidencePlan {
  readonly checks: readonly EvidenceCheck[];
  readonly verdict: Verdict;
  /** The distinct claims, in order of first use: as every check is run, this order is always the same. */
  readonly claims: readonly ClaimReference[];
}

/** Lays out an item and its checks, which are in document order. */
export function toEvidencePlan(item: PlannedItem, checks: readonly PlannedCheck[]): EvidencePlan {
  const claims = new Map(checks.map(({ claim }) => [claim.path, claim]));
  const alone = checks.map(
    ({ claim, operator, expectedValue, before }): EvidenceCheck => ({
      claim,
      operator,
      expectedValue,
      passes: before(END),
    }),
  );
  return { checks: alone, verdict: toVerdict(item), claims: [...claims.values()] };
}

/** What each check found, in document order. */
export function runChecks(checks: readonly EvidenceCheck[], claims: ClaimIndex): CheckResult[] {
  const results: CheckResult[] = [];
  for (const { claim, operator, expectedValue, passes } of checks) {
    const actualValue = findValue(claims, claim);
    const passed = passes(claims);
    // An undefined claim has no actual value; JSON null is a value (L12, L14).
    results.push(
      actualValue === undefined
        ? { claim: claim.path, operator, expectedValue, passed }
        : { claim: claim.path, operator, expectedValue, actualValue, passed },
    );
  }
  return results;
}

function toVerdict(item: PlannedItem): Verdict {
  switch (item.kind) {
    case 'check': {
      const { position } = item;
      return (outcomes) => outcomes[position] === true;
    }
    case 'not': {
      const inner = toVerdict(item.item);
      return (outcomes) => !inner(outcomes);
    }
    case 'allOf':
      return decidedBy(item.items.map(toVerdict), false);
    case 'anyOf':
      return decidedBy(item.items.map(toVerdict), true);
  }
}

/** One item that comes out like this decides for all. */
function decidedBy(items: readonly Verdict[], decisive: boolean): Verdict {
  return (outcomes) => {
    for (const item of items) {
      if (item(outcomes) === decisive) return decisive;
    }
    return !decisive;
  };
}
