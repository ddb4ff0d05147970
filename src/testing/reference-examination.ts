/** Examines queries for the reference interpreter: the sections Limits and Problems of the specification (L1–L9). Shares no code with the parser. */
import type { FormProblemCode, LimitProblemCode } from '../engine/errors.js';
import type { PatternMeasure, RegexEngine } from '../engine/regex-engine.js';
import { isList, isRecord, OPERATOR_TESTS, readInstant } from './reference-values.js';

/** A problem of a query. A problem of a limit has the value of the limit. */
export interface FoundProblem {
  readonly code: FormProblemCode | LimitProblemCode;
  readonly pointer: string;
  readonly limit?: number;
}

/** The default limits (L7). */
export const REFERENCE_LIMITS = {
  limit_depth: 16,
  limit_checks: 256,
  limit_projections: 64,
  limit_members: 32,
  limit_list_entries: 1_000,
  limit_operand_depth: 16,
  limit_string: 4_096,
  limit_pattern: 512,
  limit_pattern_program: 256,
  limit_pattern_work: 3_500,
  limit_match_cost: 2_000_000,
  limit_path_segments: 8,
  limit_path_length: 256,
} as const satisfies Record<LimitProblemCode, number>;

/** The examination ends when this many problems are found. */
const LAST_PROBLEM = 1_000;

/** Longer names are omitted from pointers. */
const LONGEST_NAME_IN_POINTERS = 256;

/** Longer names are not corrected. */
const LONGEST_CORRECTED_NAME = 32;

/** Members of each kind of object, in the order of their examination. */
const QUERY = ['check', 'policy', 'projections'];
const CHECK = ['claim', 'operator', 'value'];
const POLICY = ['allOf', 'anyOf', 'not'];
const ITEM = ['check', 'policy', ...CHECK, ...POLICY];
const PROJECTION = ['claim', 'lens', 'fields', 'index'];

/** The four shapes of an item (L4). */
const SHAPES = [['check'], ['policy'], CHECK, POLICY];

const LENSES = ['pluck', 'pick', 'at'];

/** A segment is an ASCII letter, followed by letters, digits and underscores; a path has two or more (L9). */
const CLAIM_PATH = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;

/** A value of the query, and the pointer at which its problems are reported. */
interface Part {
  readonly value: unknown;
  readonly pointer: string;
}

type Members = ReadonlyMap<string, Part>;

/** Problems in the order in which the examination finds them. */
type Problems<Result = void> = Generator<FoundProblem, Result, undefined>;

/** The state of an examination: the counts over the whole query. */
interface Counts {
  readonly regex: RegexEngine;
  checks: number;
  /** The distinct patterns whose work is included in `patternWork`. */
  readonly patterns: Set<string>;
  patternWork: number;
}

/** Examines a query. @returns All of its problems, in order, up to the 1,000th. */
export function examine(query: unknown, regex: RegexEngine): readonly FoundProblem[] {
  const counts = { regex, checks: 0, patterns: new Set<string>(), patternWork: 0 };
  const found: FoundProblem[] = [];
  for (const problem of examineQuery({ value: query, pointer: '' }, counts)) {
    found.push(problem);
    if (found.length === LAST_PROBLEM) break;
  }
  return found;
}

function* examineQuery(query: Part, counts: Counts): Problems {
  const members = yield* examineMembers(query, QUERY);
  if (members === undefined) return;
  yield* examineForm(members.size, query.pointer);
  const [check, policy, projections] = QUERY.map((name) => members.get(name));
  if (check) yield* examineCheck(check, counts);
  if (policy) yield* examinePolicy(policy, 1, counts);
  if (projections) yield* examineProjections(projections);
}

// Objects

/** Examines the type of an object, the number of its members, and unknown ones. @returns Its known members, corrected ones included. */
function* examineMembers({ value, pointer }: Part, known: readonly string[]): Problems<Members | undefined> {
  if (!isRecord(value)) {
    yield { code: 'not_an_object', pointer };
    return undefined;
  }
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  if (yield* exceeds('limit_members', names.length, pointer)) return undefined;
  const partOf = (name: string): Part => ({ value: value[name], pointer: below(pointer, name) });
  const members = new Map<string, Part>();
  for (const name of names) if (known.includes(name)) members.set(name, partOf(name));
  for (const name of names.filter((sent) => !known.includes(sent)).sort()) {
    yield { code: 'member_unknown', pointer: below(pointer, name) };
    const absent = known.filter((candidate) => !members.has(candidate));
    const corrected = correct(name, absent);
    if (corrected !== undefined) members.set(corrected, partOf(name));
  }
  return members;
}

/** Reports a query, policy or item that has none of its possible forms, or more than one. */
function* examineForm(count: number, pointer: string): Problems {
  if (count === 0) yield { code: 'form_missing', pointer };
  if (count > 1) yield { code: 'form_ambiguous', pointer };
}

/** Finds the candidate that an unknown member is corrected to, if any. */
function correct(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > LONGEST_CORRECTED_NAME) return undefined;
  const folded = lowerCase(name.replace(/^ +/, '').replace(/ +$/, ''));
  const bound = Math.max(1, Math.floor(folded.length / 3));
  const distances = candidates.map((candidate) => alignmentDistance(folded, lowerCase(candidate)));
  const least = Math.min(...distances);
  return least <= bound ? candidates[distances.indexOf(least)] : undefined;
}

function lowerCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
}

/** The optimal string alignment distance of two strings. */
function alignmentDistance(a: string, b: string): number {
  const rows: number[][] = [];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 0; i <= a.length; i += 1) {
    rows.push([]);
    for (let j = 0; j <= b.length; j += 1) {
      const substitution = a[i - 1] === b[j - 1] ? 0 : 1;
      const isTransposed = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i]?.push(
        i === 0 || j === 0
          ? i + j
          : Math.min(
              at(i - 1, j) + 1,
              at(i, j - 1) + 1,
              at(i - 1, j - 1) + substitution,
              isTransposed ? at(i - 2, j - 2) + 1 : Infinity,
            ),
      );
    }
  }
  return at(a.length, b.length);
}

// Policies

/** Examines a policy. @param depth - 1 more than the number of policies that contain it. */
function* examinePolicy(policy: Part, depth: number, counts: Counts): Problems {
  if (yield* exceeds('limit_depth', depth, policy.pointer)) return;
  const members = yield* examineMembers(policy, POLICY);
  if (members !== undefined) yield* examineCombination(members, policy.pointer, depth, counts);
}

function* examineCombination(members: Members, pointer: string, depth: number, counts: Counts): Problems {
  yield* examineForm(POLICY.filter((name) => members.has(name)).length, pointer);
  yield* examineLists(members, depth, counts);
}

function* examineLists(members: Members, depth: number, counts: Counts): Problems {
  const [allOf, anyOf, not] = POLICY.map((name) => members.get(name));
  if (allOf) yield* examineItems(allOf, depth, counts);
  if (anyOf) yield* examineItems(anyOf, depth, counts);
  if (not === undefined) return;
  if (!isList(not.value)) return yield* examineItem(not, depth, counts);
  if (not.value.length !== 1) yield { code: 'not_arity', pointer: not.pointer };
  for (const item of elementsOf(not)) yield* examineItem(item, depth, counts);
}

function* examineItems(items: Part, depth: number, counts: Counts): Problems {
  if (!isList(items.value)) yield { code: 'not_an_array', pointer: items.pointer };
  else if (items.value.length === 0) yield { code: 'list_empty', pointer: items.pointer };
  for (const item of elementsOf(items)) yield* examineItem(item, depth, counts);
}

/** Examines an item. @param depth - The depth of the policy that contains it. */
function* examineItem(item: Part, depth: number, counts: Counts): Problems {
  const members = yield* examineMembers(item, ITEM);
  if (members === undefined) return;
  const shapes = SHAPES.filter((names) => names.some((name) => members.has(name)));
  yield* examineForm(shapes.length, item.pointer);
  const isAmbiguous = shapes.length > 1;
  const [check, policy] = [members.get('check'), members.get('policy')];
  if (check) yield* examineCheck(check, counts);
  if (policy) yield* examinePolicy(policy, depth + 1, counts);
  if (shapes.includes(CHECK)) {
    // An ambiguous item is not a check itself.
    if (isAmbiguous) yield* examineCheckMembers(members, undefined, counts);
    else if (yield* countCheck(item.pointer, counts))
      yield* examineCheckMembers(members, item.pointer, counts);
  }
  if (!shapes.includes(POLICY) || (yield* exceeds('limit_depth', depth + 1, item.pointer))) return;
  if (isAmbiguous) yield* examineLists(members, depth + 1, counts);
  else yield* examineCombination(members, item.pointer, depth + 1, counts);
}

// Checks

function* examineCheck(check: Part, counts: Counts): Problems {
  if (!(yield* countCheck(check.pointer, counts))) return;
  const members = yield* examineMembers(check, CHECK);
  if (members !== undefined) yield* examineCheckMembers(members, check.pointer, counts);
}

/** Counts a check. @returns Whether it is examined. */
function* countCheck(pointer: string, counts: Counts): Problems<boolean> {
  counts.checks += 1;
  const isFirstBeyond = counts.checks === REFERENCE_LIMITS.limit_checks + 1;
  if (isFirstBeyond) yield* exceeds('limit_checks', counts.checks, pointer);
  return counts.checks <= REFERENCE_LIMITS.limit_checks;
}

/** Examines the members of a check. @param pointer - That of the check; `undefined` for an ambiguous item, whose missing members are not reported. */
function* examineCheckMembers(members: Members, pointer: string | undefined, counts: Counts): Problems {
  const [claim, operator, value] = CHECK.map((name) => members.get(name));
  if (claim) yield* examineClaim(claim);
  else yield* missing(pointer);
  if (operator) yield* examineName(operator, Object.keys(OPERATOR_TESTS), 'operator_unknown');
  else yield* missing(pointer);
  if (operator === undefined || !isName(operator.value, Object.keys(OPERATOR_TESTS))) return;
  if (operator.value === 'isDefined') {
    if (value) yield { code: 'operand_unexpected', pointer: value.pointer };
  } else if (value) yield* examineOperand(operator.value, value, counts);
  else yield* missing(pointer);
}

function* missing(pointer: string | undefined): Problems {
  if (pointer !== undefined) yield { code: 'member_missing', pointer };
}

/** Examines a claim path. @returns Whether it is valid. */
function* examineClaim({ value, pointer }: Part): Problems<boolean> {
  if (typeof value !== 'string') yield { code: 'not_a_string', pointer };
  else if (yield* exceeds('limit_path_length', value.length, pointer)) return false;
  else if (!CLAIM_PATH.test(value)) yield { code: 'claim_path_malformed', pointer };
  else return !(yield* exceeds('limit_path_segments', value.split('.').length, pointer));
  return false;
}

/** Examines the name of an operator or of a lens. */
function* examineName(
  { value, pointer }: Part,
  names: readonly string[],
  unknown: 'operator_unknown' | 'lens_unknown',
): Problems {
  if (typeof value !== 'string') yield { code: 'not_a_string', pointer };
  else if (!names.includes(value)) yield { code: unknown, pointer };
}

function isName(value: unknown, names: readonly string[]): value is string {
  return typeof value === 'string' && names.includes(value);
}

// Operands

function* examineOperand(operator: string, operand: Part, counts: Counts): Problems {
  const { value, pointer } = operand;
  if (!acceptsType(operator, value)) {
    yield { code: 'operand_type', pointer };
  } else if (operator === 'matchRegex') {
    yield* examinePattern(String(value), pointer, counts);
  } else {
    let isSound = true;
    for (const problem of traverse(operand, 1, { pointer, entries: 0 })) {
      yield problem;
      isSound = false;
      // The traversal ends at an operand that is too large.
      if (problem.code === 'limit_operand_depth' || problem.code === 'limit_list_entries') return;
    }
    const isOrdered = ['>', '>=', '<', '<='].includes(operator);
    if (isOrdered && typeof value === 'string' && isSound && readInstant(value) === undefined)
      yield { code: 'operand_type', pointer };
  }
}

/** Returns whether an operator accepts operands of the JSON type of a value (L15). */
function acceptsType(operator: string, value: unknown): boolean {
  switch (operator) {
    case '>':
    case '>=':
    case '<':
    case '<=':
      return typeof value === 'number' || typeof value === 'string';
    case 'in':
    case 'notIn':
      return isList(value);
    case 'startsWith':
    case 'matchRegex':
      return typeof value === 'string';
    default:
      return true;
  }
}

/** Traverses a value of an operand. @param depth - The depth that the value has if it is an array or an object. */
function* traverse(
  part: Part,
  depth: number,
  operand: { readonly pointer: string; entries: number },
): Problems {
  const { value, pointer } = part;
  if (typeof value === 'string') {
    yield* exceeds('limit_string', value.length, pointer);
  } else if (isList(value) || isRecord(value)) {
    const entries = isList(value) ? elementsOf(part) : entriesOf(value, pointer);
    yield* exceeds('limit_operand_depth', depth, operand.pointer);
    operand.entries += entries.length;
    yield* exceeds('limit_list_entries', operand.entries, operand.pointer);
    for (const { name = '', ...entry } of entries) {
      const isLong = yield* exceeds('limit_string', name.length, entry.pointer);
      if (!isLong) yield* traverse(entry, depth + 1, operand);
    }
  } else if (value !== null && typeof value !== 'boolean' && !Number.isFinite(value)) {
    yield { code: 'operand_type', pointer };
  }
}

function* examinePattern(pattern: string, pointer: string, counts: Counts): Problems {
  if (yield* exceeds('limit_pattern', pattern.length, pointer)) return;
  const measure = measurePattern(pattern, counts.regex);
  if (!measure.accepted) return yield { code: 'pattern_invalid', pointer };
  if (yield* exceeds('limit_pattern_program', measure.size, pointer)) return;
  const wasWithin = counts.patternWork <= REFERENCE_LIMITS.limit_pattern_work;
  if (!wasWithin || counts.patterns.has(pattern)) return;
  counts.patterns.add(pattern);
  counts.patternWork += measure.work;
  yield* exceeds('limit_pattern_work', counts.patternWork, pointer);
}

/** Returns the size and the work of a pattern; approximations if the engine has no `measure`. */
export function measurePattern(pattern: string, regex: RegexEngine): PatternMeasure {
  if (regex.measure !== undefined) return regex.measure(pattern);
  const outcome = regex.compile(pattern);
  if (!outcome.accepted) return outcome;
  return { accepted: true, size: outcome.pattern.programSize, work: pattern.length };
}

// Projections

function* examineProjections(projections: Part): Problems {
  const { value, pointer } = projections;
  if (!isList(value)) return yield { code: 'not_an_array', pointer };
  if (yield* exceeds('limit_projections', value.length, pointer)) return;
  if (value.length === 0) yield { code: 'list_empty', pointer };
  const claims = new Set<unknown>();
  for (const projection of elementsOf(projections)) yield* examineProjection(projection, claims);
}

/** Examines a projection. @param claims - The valid claim paths of earlier projections. */
function* examineProjection(projection: Part, claims: Set<unknown>): Problems {
  const members = yield* examineMembers(projection, PROJECTION);
  if (members === undefined) return;
  const [claim, lens, fields, index] = PROJECTION.map((name) => members.get(name));
  if (claim === undefined) yield* missing(projection.pointer);
  else if (yield* examineClaim(claim)) {
    if (claims.has(claim.value)) yield { code: 'projection_repeated', pointer: claim.pointer };
    claims.add(claim.value);
  }
  if (lens) yield* examineName(lens, LENSES, 'lens_unknown');
  else yield* missing(projection.pointer);
  // Without a valid lens, a parameter is examined as that of its own lens.
  const isKnown = lens !== undefined && isName(lens.value, LENSES);
  if (fields) yield* isKnown && lens.value !== 'pick' ? lensParameter(fields) : examineFields(fields);
  if (index) yield* isKnown && lens.value !== 'at' ? lensParameter(index) : examineIndex(index);
}

function* lensParameter({ pointer }: Part): Problems {
  yield { code: 'lens_parameter', pointer };
}

function* examineIndex(index: Part): Problems {
  if (!Number.isSafeInteger(index.value)) yield* lensParameter(index);
}

function* examineFields(fields: Part): Problems {
  if (!isList(fields.value) || fields.value.length === 0) return yield* lensParameter(fields);
  if (yield* exceeds('limit_list_entries', fields.value.length, fields.pointer)) return;
  const earlier = new Set<string>();
  for (const field of elementsOf(fields)) {
    const { value, pointer } = field;
    if (typeof value !== 'string') yield* lensParameter(field);
    else if (!(yield* exceeds('limit_string', value.length, pointer))) {
      if (earlier.has(value)) yield* lensParameter(field);
      earlier.add(value);
    }
  }
}

// Limits and pointers

/** Reports a size above its limit. @returns Whether the size is above. */
function* exceeds(code: LimitProblemCode, size: number, pointer: string): Problems<boolean> {
  const limit = REFERENCE_LIMITS[code];
  if (size > limit) yield { code, pointer, limit };
  return size > limit;
}

/** The elements of an array; none of another value. */
function elementsOf({ value, pointer }: Part): readonly (Part & { readonly name?: string })[] {
  return isList(value)
    ? value.map((element, index) => ({ value: element, pointer: `${pointer}/${index}` }))
    : [];
}

/** The members of an object in name order. */
function entriesOf(
  object: Readonly<Record<string, unknown>>,
  pointer: string,
): readonly (Part & { readonly name: string })[] {
  return Object.keys(object)
    .filter((name) => object[name] !== undefined)
    .sort()
    .map((name) => ({ name, value: object[name], pointer: below(pointer, name) }));
}

/** The pointer of a member: RFC 6901, without long names. */
function below(pointer: string, name: string): string {
  if (name.length > LONGEST_NAME_IN_POINTERS) return pointer;
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
