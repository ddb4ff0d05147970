/** Options and results of analyses. A verdict is yes, no, or unknown with a reason. */
import {
  type Catalogue,
  CLAIM_TYPES,
  type CompileOptions,
  type Credential,
  DEFAULT_QUERY_LIMITS,
  type QueryLimits,
  type RegexEngine,
} from '../engine/index.js';
import { assertName } from '../engine/names.js';
import { assertOptions } from '../engine/options.js';
import { MAX_RECURSION } from '../engine/query/parse-context.js';
import { assertArray, assertObject, assertPositiveInteger, wrongType } from '../engine/value-types.js';
import { re2js } from '../regex/re2js.js';
import { isPlainObject } from '../util/is-plain-object.js';

/** The claims that a query may read, with their types. `'none'`: all claims, of every type. */
export type ClaimCatalogue = Pick<Catalogue, 'claims'> | 'none';

/** Options of every analysis. */
export interface AnalysisOptions {
  /** Compiles the patterns of `matchRegex`. Defaults to re2js. */
  readonly regex?: RegexEngine;
  /** Changes to the default limits of a query (L7). */
  readonly limits?: Partial<QueryLimits>;
  /** Number of search steps (decisions) before the verdict is `unknown`; 20,000 by default. */
  readonly steps?: number;
}

/** Default number of search steps. */
export const DEFAULT_STEPS = 20_000;

/** The names of the options of every analysis. */
export const ANALYSIS_OPTIONS: readonly string[] = ['regex', 'limits', 'steps'];

/** Returns the options of the engine. The cost of matching patterns is not limited: only `explain` and `residual` match them, on claims of the caller. */
export function compileOptions(options: AnalysisOptions): CompileOptions {
  assertOptions(options, ANALYSIS_OPTIONS);
  const { regex = re2js, limits, steps = DEFAULT_STEPS } = options;
  assertPositiveInteger('`steps`', steps);
  if (limits !== undefined) assertObject('`limits`', limits);
  return { regex, limits: { ...limits, matchCost: Number.MAX_SAFE_INTEGER } };
}

/**
 * The limits of queries that an analysis builds from parsed queries and from the types of claims. As large as possible: only
 * the query that the caller passed must be within the limits of the options (L7).
 */
export const COMPOSED_LIMITS: QueryLimits = Object.freeze({
  ...(Object.fromEntries(
    Object.keys(DEFAULT_QUERY_LIMITS).map((name) => [name, Number.MAX_SAFE_INTEGER]),
  ) as unknown as QueryLimits),
  depth: MAX_RECURSION,
  operandDepth: MAX_RECURSION,
});

/**
 * Returns the claims of a catalogue; `undefined` for `'none'`.
 *
 * @throws {TypeError} For anything but `'none'` and a catalogue with claims, each with a path and a type.
 */
export function claimsOfCatalogue(catalogue: ClaimCatalogue): Catalogue['claims'] | undefined {
  if (catalogue === 'none') return undefined;
  if (!isPlainObject(catalogue) || !('claims' in catalogue)) {
    const required = "an object with the `claims` of a catalogue, or `'none'`";
    const error = wrongType('`catalogue`', required, catalogue);
    // Other functions take the catalogue as an option, so a caller may pass `{ catalogue }` here by mistake.
    if (isPlainObject(catalogue) && 'catalogue' in catalogue)
      throw new TypeError(`${error.message}. Pass the value of its member \`catalogue\`.`);
    throw error;
  }
  assertArray('`claims` of `catalogue`', catalogue.claims);
  for (const claim of catalogue.claims as readonly unknown[]) {
    assertObject('each of `claims` of `catalogue`', claim);
    const { path, type } = claim;
    if (typeof path !== 'string') throw wrongType('`path` of a claim of `catalogue`', 'a string', path);
    assertName(`\`type\` of \`${path}\``, CLAIM_TYPES, type);
  }
  return catalogue.claims;
}

/** Claims that prove a verdict, as one credential that is active from 1970 on. The engine has evaluated the query on them. */
export type Witness = readonly [Credential];

/** The answer of an analysis, with a witness where an example proves it. */
export type Verdict =
  | { readonly answer: 'yes'; readonly witness?: Witness }
  | { readonly answer: 'no'; readonly witness?: Witness }
  | { readonly answer: 'unknown'; readonly reason: string };
