/** Coverage of checks: which checks decided the verdict of some case, passing and failing. */
import { placedItems } from '../analysis/items.js';
import { hasPassed, policyTree, type TreeNode } from '../analysis/policy-tree.js';
import {
  type Check,
  type CheckResult,
  canonicalText,
  type Evidence,
  type PolicyItem,
} from '../engine/index.js';

/** Whether the cases cover a check. */
export interface CheckCoverage {
  /** JSON Pointer into the canonical query. */
  readonly pointer: string;
  readonly check: Check;
  /** Whether in some case the check passes, and the verdict would be another if it failed. */
  readonly passing: boolean;
  /** Whether in some case the check fails, and the verdict would be another if it passed. */
  readonly failing: boolean;
}

/** The coverage of all checks of one or more policies. Each check counts twice: passing and failing. */
export interface CoverageSummary {
  readonly covered: number;
  readonly total: number;
}

/** Returns the coverage of a query before any case, one entry per check in document order. */
export function emptyCoverage(item: PolicyItem): CheckCoverage[] {
  return placedItems(item).flatMap(({ item: one, pointer }) =>
    'check' in one ? [{ pointer, check: one.check, passing: false, failing: false }] : [],
  );
}

/** Adds the evidence of a case to the coverage. */
export function coverChecks(coverage: CheckCoverage[], item: PolicyItem, evidence: Evidence): void {
  decisiveChecks(item, evidence.checkResults).forEach((isDecisive, index) => {
    const before = coverage[index];
    const passed = evidence.checkResults[index]?.passed;
    if (before === undefined || passed === undefined || !isDecisive) return;
    coverage[index] = { ...before, ...(passed ? { passing: true } : { failing: true }) };
  });
}

/** Returns for each check, in document order, whether the verdict would change if its outcome were the opposite. */
export function decisiveChecks(item: PolicyItem, results: readonly CheckResult[]): readonly boolean[] {
  const decisive: boolean[] = [];
  const visit = (node: TreeNode, isDecisive: boolean): void => {
    if (node.kind === 'check') {
      decisive.push(isDecisive);
      return;
    }
    // The items that determine the outcome of the group by themselves: those that fail in `allOf`, and those that pass in `anyOf`.
    const determining = node.items.filter((one) => hasPassed(one) === (node.kind === 'anyOf'));
    for (const one of node.items) visit(one, isDecisive && determining.every((other) => other === one));
  };
  visit(policyTree(item, { checkResults: results, claimsUsed: [] }), true);
  return decisive;
}

/** A query and its coverage. */
export interface QueryCoverage {
  readonly query: PolicyItem;
  readonly coverage: readonly CheckCoverage[];
}

/** Merges the coverage of tests with equal queries: what any of the tests covers is covered. */
export function mergeCoverage<Test extends QueryCoverage>(tests: readonly Test[]): readonly Test[] {
  const byQuery = new Map<string, Test>();
  for (const test of tests) {
    const key = canonicalText(test.query);
    const before = byQuery.get(key);
    const coverage = before?.coverage.map((one, index) => ({
      ...one,
      passing: one.passing || test.coverage[index]?.passing === true,
      failing: one.failing || test.coverage[index]?.failing === true,
    }));
    byQuery.set(key, before === undefined || coverage === undefined ? test : { ...before, coverage });
  }
  return [...byQuery.values()];
}

/** Counts covered outcomes of checks. Merge the coverage of equal queries first. */
export function summarizeCoverage(tests: readonly QueryCoverage[]): CoverageSummary {
  const outcomes = tests.flatMap(({ coverage }) =>
    coverage.flatMap(({ passing, failing }) => [passing, failing]),
  );
  return { covered: outcomes.filter(Boolean).length, total: outcomes.length };
}
