/** An item as a closure that runs every check and records what each found (L21). */
import type { ClaimSet, DefinedClaim } from '../claims/claim-set.js';
import type { CheckResult } from '../result.js';
import type { PlannedCheck, PlannedItem } from './plan.js';

/** What the checks found: their results in document order, and the defined claims in order of first use. */
export interface Recording {
  readonly checkResults: CheckResult[];
  readonly claimsUsed: Map<string, DefinedClaim>;
}

/** Whether the item passes; records every check on the way. */
export type RecordingPredicate = (claims: ClaimSet, recording: Recording) => boolean;

/** Compiles an item to its exhaustive closure. */
export function toRecordingPredicate(item: PlannedItem): RecordingPredicate {
  switch (item.kind) {
    case 'check':
      return (claims, recording) => recordCheck(item, claims, recording);
    case 'not': {
      const inner = toRecordingPredicate(item.item);
      return (claims, recording) => !inner(claims, recording);
    }
    case 'allOf':
      return joined(item.items, (failed) => failed === 0);
    case 'anyOf':
      return joined(item.items, (failed, count) => failed < count);
  }
}

function joined(
  items: readonly PlannedItem[],
  passes: (failed: number, count: number) => boolean,
): RecordingPredicate {
  const closures = items.map(toRecordingPredicate);
  return (claims, recording) => {
    let failed = 0;
    for (const closure of closures) {
      if (!closure(claims, recording)) failed += 1;
    }
    return passes(failed, closures.length);
  };
}

function recordCheck(check: PlannedCheck, claims: ClaimSet, recording: Recording): boolean {
  const { path } = check.claim;
  const defined = claims.find(check.claim);
  const passed = defined !== undefined && check.test(defined.value);
  recording.checkResults.push({
    claim: path,
    operator: check.operator,
    expectedValue: check.expectedValue,
    // An undefined claim has no actual value; JSON null is a value (L12, L14).
    ...(defined === undefined ? {} : { actualValue: defined.value }),
    passed,
  });
  if (defined !== undefined) recording.claimsUsed.set(path, defined);
  return passed;
}
