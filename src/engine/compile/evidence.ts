/** Evaluation with evidence: every check runs, and each outcome is recorded (L21). */
import type { Attestation } from '../claims/claim-json.js';
import type { ClaimReference } from '../claims/claim-path.js';
import { type ClaimSet, findValue, getAttestation } from '../claims/claim-set.js';
import type { JsonValue } from '../claims/json-value.js';
import { combinationOf, type PolicyItem } from '../query/query.js';
import type { CheckResult, FailingCheck } from '../result.js';
import {
  isDirect,
  type Patterns,
  type PlannedCheck,
  type PlannedItem,
  type Predicate,
  planItem,
} from './plan.js';
import { toPredicate } from './predicate.js';

/** Whether each check passed, in document order. */
export type Outcomes = readonly { readonly passed: boolean }[];

/** Returns whether an item passes, given the outcomes of its checks (L19). */
export type OutcomeTest = (outcomes: Outcomes) => boolean;

/** A claim as evidence reads it. */
export interface EvidenceClaim extends ClaimReference {
  /** The slot of the claim; −1 where it has to be searched for (L13). */
  readonly direct: number;
  /** The JSON text of its entry in `claimsUsed`, up to the value. */
  readonly json: string;
}

/** A check that runs regardless of the outcomes of others. */
export interface EvidenceCheck extends Pick<PlannedCheck, 'operator' | 'expectedValue'> {
  readonly claim: EvidenceClaim;
  readonly passes: Predicate;
  /** The JSON text of its entry in `checkResults`, up to `actualValue`; empty until a result is serialized. */
  json: string;
}

/** The plan of a predicate with evidence. */
export interface EvidencePlan {
  readonly checks: readonly EvidenceCheck[];
  readonly verdict: OutcomeTest;
  /** The distinct claims, in order of first use. Since every check runs, this order is constant. */
  readonly claims: readonly EvidenceClaim[];
}

/** Creates the plan of a query. */
export function toEvidencePlan(query: PolicyItem, patterns: Patterns): EvidencePlan {
  const checks: PlannedCheck[] = [];
  const item = planItem(query, patterns, checks);
  const claims = new Map<string, EvidenceClaim>();
  for (const { claim } of checks) {
    if (!claims.has(claim.path)) claims.set(claim.path, toEvidenceClaim(claim));
  }
  const evidenceChecks = checks.map(
    (check): EvidenceCheck => ({
      claim: claims.get(check.claim.path) as EvidenceClaim,
      operator: check.operator,
      expectedValue: check.expectedValue,
      passes: toPredicate(check),
      json: '',
    }),
  );
  return { checks: evidenceChecks, verdict: toVerdict(item), claims: [...claims.values()] };
}

/** Claims as evidence reads them, shared by all queries. */
const EVIDENCE_CLAIMS = new WeakMap<ClaimReference, EvidenceClaim>();

function toEvidenceClaim(claim: ClaimReference): EvidenceClaim {
  const known = EVIDENCE_CLAIMS.get(claim);
  if (known !== undefined) return known;
  const { path, slot, parents } = claim;
  // Joined, since a concatenated string keeps each of its parts in memory.
  const json = ['{"path":"', path, '","value":'].join('');
  const created = { path, slot, parents, direct: isDirect(claim) ? slot : -1, json };
  EVIDENCE_CLAIMS.set(claim, created);
  return created;
}

/** Returns the claim's value; `undefined` where it is not defined. */
export function readClaim(claims: ClaimSet, claim: EvidenceClaim): JsonValue | undefined {
  return claim.direct >= 0 ? claims[claim.direct] : findValue(claims, claim);
}

/** Returns the attestation of a defined claim. */
export function attestationOf({ metadata }: ClaimSet, claim: EvidenceClaim): Attestation {
  return claim.direct >= 0
    ? (metadata.attestations[claim.direct] as Attestation)
    : getAttestation(metadata, claim);
}

/** The place of an item in the query. */
interface ItemPlace extends Pick<FailingCheck, 'pointer' | 'alternatives'> {
  /** Whether the item has to pass; `false` inside of an odd number of `not`. */
  readonly wanted: boolean;
}

const ROOT: ItemPlace = { pointer: '', alternatives: [], wanted: true };

/**
 * Returns the checks that made an item fail, in document order: empty if and only if it passes. Inside of an odd number of `not`: those that made it pass.
 *
 * @param results - The results of the item's checks, followed by those of later checks. Removes those of the item.
 */
export function failingChecks(
  item: PolicyItem,
  results: CheckResult[],
  { pointer, alternatives, wanted }: ItemPlace = ROOT,
): readonly FailingCheck[] {
  if ('check' in item) {
    const result = results.shift() as CheckResult;
    return result.passed === wanted ? [] : [{ ...result, pointer, negated: !wanted, alternatives }];
  }
  const [kind, items] = combinationOf(item.policy);
  const place = `${pointer}/policy/${kind}`;
  if (kind === 'not')
    return failingChecks(items[0] as PolicyItem, results, { pointer: place, alternatives, wanted: !wanted });
  const oneSuffices = (kind === 'anyOf') === wanted && items.length > 1;
  const parts = items.map((part, index) => {
    const pointer = `${place}/${index}`;
    const within = oneSuffices ? [...alternatives, pointer] : alternatives;
    return failingChecks(part, results, { pointer, alternatives: within, wanted });
  });
  return oneSuffices && parts.some(({ length }) => length === 0) ? [] : parts.flat();
}

function toVerdict(item: PlannedItem): OutcomeTest {
  switch (item.kind) {
    case 'check': {
      const { position } = item;
      return (outcomes) => outcomes[position]?.passed === true;
    }
    case 'not': {
      const inner = toVerdict(item.item);
      return (outcomes) => !inner(outcomes);
    }
    case 'allOf':
      return decidedBy(item.items, false);
    case 'anyOf':
      return decidedBy(item.items, true);
  }
}

/** Creates the test of a group, which has the decisive outcome if at least one of its items has it. */
function decidedBy(items: readonly PlannedItem[], decisive: boolean): OutcomeTest {
  // Checks come first, and are looked up without a call. The order does not change the outcome.
  const positions: number[] = [];
  const policies: OutcomeTest[] = [];
  for (const item of items) {
    if (item.kind === 'check') positions.push(item.position);
    else policies.push(toVerdict(item));
  }
  return (outcomes) => {
    for (let index = 0; index < positions.length; index += 1) {
      if (outcomes[positions[index] as number]?.passed === decisive) return decisive;
    }
    for (let index = 0; index < policies.length; index += 1) {
      if (policies[index]?.(outcomes) === decisive) return decisive;
    }
    return !decisive;
  };
}
