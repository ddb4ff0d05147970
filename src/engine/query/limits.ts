/** The limits of a query (L7): their defaults, and how a caller changes them. */

/** Each limit is the largest value that is still right. */
export interface QueryLimits {
  /** Policies inside policies; a check adds none. */
  readonly depth: number;
  readonly checks: number;
  readonly projections: number;
  /** Members of a query, a policy, an item, a check or a projection, unknown ones included. */
  readonly members: number;
  /** Entries of an operand or of `fields`, those of nested arrays and objects included. */
  readonly listEntries: number;
  /** Arrays and objects inside an operand (S152). */
  readonly operandDepth: number;
  /** Code units of a string in an operand, of a member's name there, and of a field. */
  readonly stringCodeUnits: number;
  readonly patternCodeUnits: number;
  /** Code units of a query's distinct patterns in all (S176). */
  readonly allPatternsCodeUnits: number;
  /** Instructions of one compiled pattern (S155). */
  readonly patternProgram: number;
  /** Estimated work of compiling a query's distinct patterns in all, in instructions of about 0.5 µs (S176). */
  readonly patternWork: number;
  /** Sum over a query's patterns of program size × code units of the claim (S156). */
  readonly matchCost: number;
  readonly pathSegments: number;
  readonly pathCodeUnits: number;
}

export const DEFAULT_QUERY_LIMITS: QueryLimits = Object.freeze({
  depth: 16,
  checks: 256,
  projections: 64,
  members: 32,
  listEntries: 1_000,
  operandDepth: 16,
  stringCodeUnits: 4_096,
  patternCodeUnits: 512,
  allPatternsCodeUnits: 2_048,
  patternProgram: 256,
  patternWork: 3_500,
  matchCost: 2_000_000,
  pathSegments: 8,
  pathCodeUnits: 256,
});

/** Parsing recurses as deep as these two allow, so they have a ceiling of their own. */
const DEEPEST = 256;

/**
 * The default limits with a caller's changes.
 *
 * @throws {RangeError} When a limit is not a whole number of 1 or more, or lets parsing recurse deeper than 256 levels.
 */
export function resolveLimits(changes?: Partial<QueryLimits>): QueryLimits {
  if (changes === undefined) return DEFAULT_QUERY_LIMITS;
  const limits = { ...DEFAULT_QUERY_LIMITS, ...changes };
  for (const [name, limit] of Object.entries(limits)) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new RangeError(`the limit \`${name}\` is a whole number of 1 or more: ${limit}`);
    }
  }
  if (limits.depth > DEEPEST || limits.operandDepth > DEEPEST) {
    throw new RangeError(`the limits \`depth\` and \`operandDepth\` are at most ${DEEPEST}`);
  }
  return limits;
}
