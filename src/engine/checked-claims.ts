/** Claim sets and columns whose values fit the types of a catalogue's claims, and queries that accept no others. */

import { isPlainObject } from '../util/is-plain-object.js';
import type { ClaimColumns } from './bulk/claim-columns.js';
import { toValueReader } from './bulk/column.js';
import { isClaimPath } from './claims/claim-path.js';
import { assertClaimSet, ClaimSet, type ClaimSetMetadata } from './claims/claim-set.js';
import { fitsClaimType, requiredValue } from './claims/claim-type.js';
import { type Credential, CredentialError, type CredentialProblem } from './claims/credential.js';
import { canonicalCopy, isJson, type JsonValue, MAX_VALUE_DEPTH } from './claims/json-value.js';
import type { CompiledQuery } from './compile/compile.js';
import { quote, suggestion } from './names.js';
import { ProblemsError, pointerTo } from './problems.js';
import type { QueryResult } from './result.js';
import type { CatalogueClaim } from './scopes/catalogue.js';
import { assertArray, wrongType } from './value-types.js';

/** The check of claims against a catalogue. */
export interface ClaimChecker {
  /** Creates claim sets whose claims the checker checked. */
  readonly claims: Pick<typeof ClaimSet, 'at' | 'of'>;
  /** Makes a compiled query reject claim sets that the checker did not create, with a `TypeError`. */
  restrict<Query extends CompiledQuery<QueryResult>>(query: Query): Query;
  /**
   * Asserts that columns have values of the types in the catalogue, and, unless unknown claims are allowed, no other
   * claims. Checks a {@link ClaimColumns} object once.
   *
   * @throws {TypeError} For the first claim or value that does not fit.
   */
  assertColumns(columns: ClaimColumns): void;
}

/** Thrown when claims do not fit the catalogue, or are not claims at all; `problems` lists every fault with its pointer. */
export class ClaimError extends ProblemsError<CredentialProblem, 'invalid_claims'> {
  override readonly name = 'ClaimError';

  constructor(problems: readonly CredentialProblem[]) {
    // Every message names its claim.
    super('invalid_claims', problems.map(({ message }) => message).join('; '), problems);
  }
}

type Fault = Pick<CredentialProblem, 'code' | 'message'>;

const NO_OBJECT: CredentialProblem = {
  code: 'not_an_object',
  pointer: '',
  message: 'claims must be an object of claim paths and their values',
};

/**
 * Rejects assignments such as `claims['identity.age'] = 34`, which no query would read. Freezing claim sets instead
 * makes `test` three times slower.
 */
const IMMUTABLE = new Proxy(Array.prototype, {
  set: (_, name) => {
    throw new TypeError(`a claim set must not be changed (got an assignment to \`${String(name)}\`)`);
  },
});

/**
 * Creates a checker of claims.
 *
 * @param unknownClaims - `'allow'`: accepts claims that the catalogue does not list, with values of all types.
 */
export function createClaimChecker(
  claims: readonly CatalogueClaim[],
  unknownClaims: 'reject' | 'allow',
): ClaimChecker {
  const byPath = new Map(claims.map((claim) => [claim.path, claim]));
  /** Returns the fault of a claim; `undefined` where it fits. */
  const faultOf = (path: string, value: unknown): Fault | undefined => {
    if (!isClaimPath(path))
      return {
        code: 'claim_path_malformed',
        message: `claim path ${quote(path)} must be two or more names joined by dots, such as \`identity.age\``,
      };
    const claim = byPath.get(path);
    if (claim === undefined && unknownClaims === 'reject')
      return {
        code: 'claim_unknown',
        message: `the catalogue has no claim \`${path}\`.${suggestion(path, [...byPath.keys()])}`,
      };
    if (value === undefined) return undefined;
    const required = claim === undefined ? 'a JSON value with finite numbers' : requiredValue(claim);
    if (!isJson(value, MAX_VALUE_DEPTH) || (claim !== undefined && !fitsClaimType(value, claim)))
      return { code: 'claim_value', message: wrongType(`claim \`${path}\``, required, value).message };
    // A claim that nests deeper would count as not defined (S152), so that a negated check on it passes.
    if (canonicalCopy(value) !== undefined) return undefined;
    const message = `claim \`${path}\` must nest at most ${MAX_VALUE_DEPTH} arrays and objects`;
    return { code: 'claim_value', message };
  };
  const problemsOf = (values: object, pointer: string): readonly CredentialProblem[] =>
    Object.entries(values).flatMap(([path, value]) => {
      const fault = faultOf(path, value);
      return fault === undefined ? [] : [{ ...fault, pointer: pointerTo(pointer, path) }];
    });
  const assertFits = (path: string, value: JsonValue | undefined, place: string): void => {
    const fault = faultOf(path, value);
    if (fault !== undefined) throw new TypeError(`${place}${fault.message}`);
  };
  const checker = {};
  const checkedColumns = new WeakSet<ClaimColumns>();
  const markChecked = (claimSet: ClaimSet): ClaimSet => {
    // The claim set was created by the caller, which has not returned it yet.
    const metadata: { -readonly [Key in keyof ClaimSetMetadata]: ClaimSetMetadata[Key] } = claimSet.metadata;
    metadata.checkedBy = checker;
    return Object.setPrototypeOf(claimSet, IMMUTABLE) as ClaimSet;
  };
  const assertChecked = (claimSet: ClaimSet): void => {
    // A copy such as `{ ...claims, 'identity.age': 34 }` has the metadata of the claim set, but is not a claim set.
    assertClaimSet(claimSet);
    if ((claimSet as Partial<ClaimSet>).metadata?.checkedBy === checker) return;
    throw new TypeError(
      '`claims` must be a claim set of the same engine, created by `engine.claims`, which checks claims against the catalogue (got another claim set)',
    );
  };
  return {
    claims: Object.freeze<ClaimChecker['claims']>({
      at: (credentials, now) => {
        assertArray('`credentials`', credentials);
        const problems = (credentials as readonly unknown[]).flatMap((credential, index) => {
          const claims = (credential as Partial<Credential> | null | undefined)?.claims;
          // `ClaimSet.at` rejects credentials without an object of claims.
          return isPlainObject(claims) ? problemsOf(claims, `/${index}/claims`) : [];
        });
        if (problems.length > 0) throw new CredentialError(problems);
        return markChecked(ClaimSet.at(credentials, now));
      },
      of: (values, options) => {
        const problems = isPlainObject(values) ? problemsOf(values, '') : [NO_OBJECT];
        if (problems.length > 0) throw new ClaimError(problems);
        return markChecked(ClaimSet.of(values, options));
      },
    }),
    restrict: (query) =>
      Object.freeze({
        ...query,
        assertCovered: (scopes) => {
          const covered = query.assertCovered(scopes);
          return {
            evaluateToJson: (claimSet, options) => {
              assertChecked(claimSet);
              return covered.evaluateToJson(claimSet, options);
            },
          };
        },
        evaluate: (claimSet, options) => {
          assertChecked(claimSet);
          return query.evaluate(claimSet, options);
        },
        evaluateToJson: (claimSet, options) => {
          assertChecked(claimSet);
          return query.evaluateToJson(claimSet, options);
        },
        test: (claimSet) => {
          assertChecked(claimSet);
          return query.test(claimSet);
        },
        check: (claimSet) => {
          assertChecked(claimSet);
          return query.check(claimSet);
        },
      } satisfies CompiledQuery<QueryResult>),
    assertColumns: (columns) => {
      if (checkedColumns.has(columns)) return;
      for (const [path, column] of columns.entries()) {
        if (column.layout === 'dictionary') {
          for (const entry of column.entries) assertFits(path, entry, 'columns: ');
          continue;
        }
        const read = toValueReader(column);
        for (let row = 0; row < columns.size; row += 1) assertFits(path, read(row), `columns, row ${row}: `);
      }
      checkedColumns.add(columns);
    },
  };
}
