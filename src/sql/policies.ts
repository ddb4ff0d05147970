/** Policies as one condition: `not` is carried down to the checks, where what is unknown fails (L19). */
import type { Check, PolicyItem } from '../engine/index.js';
import { foldItem } from '../engine/query/fold.js';
import { allOf, anyOf, type Fragment, TRUE } from './fragment.js';
import type { ClaimReader } from './layouts/read-claims.js';
import { assertStorable } from './operands.js';
import { toCondition } from './operators.js';
import { type SqlProblem, Untranslatable } from './refusal.js';

/** What came of a translation. */
export interface Translation {
  /** True for who satisfies the policy. Where checks were left out, for everybody who might. */
  readonly condition: Fragment;
  /** Why checks were left out; none where the condition is exact. */
  readonly problems: readonly SqlProblem[];
}

/** @param isBeyond - Whether the database does not hold what decides a claim. */
export function translate(
  item: PolicyItem,
  reader: ClaimReader,
  isBeyond: (path: string) => boolean = () => false,
): Translation {
  const problems: SqlProblem[] = [];
  const checkAt = (check: Check, negated: boolean, pointer: string): Fragment => {
    try {
      if (isBeyond(check.claim))
        throw new Untranslatable('layout', `The database does not hold \`${check.claim}\`.`);
      assertStorable(check.value);
      const test = (value: Parameters<typeof toCondition>[1]) => toCondition(check, value);
      return negated ? reader.whereNot(check.claim, test) : reader.where(check.claim, test);
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      problems.push({ code: error.code, pointer: `${pointer}/check`, message: error.message });
      return TRUE;
    }
  };
  const condition = foldItem(item, { check: checkAt, all: allOf, any: anyOf });
  return { condition, problems };
}
