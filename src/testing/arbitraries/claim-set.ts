/** Credentials for a given query: about half of its checks pass, and many of the others nearly do (L10–L18). */
import * as fc from 'fast-check';
import type { Credential } from '../../engine/claims/credential.js';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../engine/claims/json-value.js';
import { OPERATOR_NAMES, type OperatorName } from '../../engine/operators/operators.js';
import { MS_PER_DAY } from '../../util/time.js';
import { readInstant } from '../reference-values.js';
import { instantText, instantTextNear, malformedInstantAt } from './instant.js';
import { jsonValue, nearbyValue, rewritten } from './json.js';
import { claimPath, matchingString } from './query.js';

/** A credential whose claims depend on the query and the instant, so that shrinking the query shrinks its claims. */
export interface CredentialDraft {
  readonly source: string;
  /** Milliseconds from the instant of evaluation. */
  readonly issuedAfter: number;
  readonly expiresAfter: number | undefined;
  readonly revokedAfter: number | undefined;
  readonly claims: readonly ClaimDraft[];
}

/** A claim derived from one of the query's checks, or an unrelated one. */
export interface ClaimDraft {
  /** Index of a check or projection of the query, modulo their number. */
  readonly reader: number;
  /** The relation of the value to the query, in per cent: see {@link toCredentials}. */
  readonly relation: number;
  readonly variant: number;
  readonly path: string;
  readonly other: JsonValue;
}

/** An object that looks like a check or a projection. */
type Reader = JsonObject & { readonly claim: string };

/** Ids whose order by code unit differs from their order by code point and from alphabetical orders. */
const IDS = ['c1', 'B', 'a', '\u00e9', '\uff61', '\u{1f600}', 'c10'];

/** Drafts of a person's credentials: up to four, issued together or not, expired, revoked, not yet issued. */
export function credentialDrafts(): fc.Arbitrary<readonly CredentialDraft[]> {
  const claim = fc.record({
    reader: fc.nat({ max: 11 }),
    relation: fc.nat({ max: 99 }),
    variant: fc.nat({ max: 4_095 }),
    path: claimPath(),
    other: fc.oneof({ weight: 9, arbitrary: jsonValue() }, { weight: 1, arbitrary: instantText() }),
  });
  const never = fc.constant(undefined);
  const end = fc.oneof(
    { weight: 5, arbitrary: never },
    { weight: 5, arbitrary: fc.constantFrom(1, MS_PER_DAY, 90 * MS_PER_DAY) },
    { weight: 1, arbitrary: fc.constantFrom(0, -1) },
  );
  const revocation = fc.oneof(
    { weight: 9, arbitrary: never },
    { weight: 2, arbitrary: fc.constantFrom(MS_PER_DAY, 1, 0, 0, -1) },
  );
  const draft = fc.record({
    source: fc.constantFrom('registry', 'bank', ''),
    issuedAfter: fc.constantFrom(
      -MS_PER_DAY,
      -MS_PER_DAY,
      -MS_PER_DAY,
      -MS_PER_DAY,
      -1,
      -1,
      0,
      0,
      -300 * MS_PER_DAY,
      1,
    ),
    expiresAfter: end,
    revokedAfter: revocation,
    claims: fc.array(claim, { minLength: 2, maxLength: 6, size: 'max' }),
  });
  return fc.array(draft, { maxLength: 4, size: 'max' });
}

/**
 * Creates credentials from drafts, for a query and an instant.
 *
 * Of the claims, 52 % pass their check, 17 % nearly do, 9 % are the operand or near it, and the rest are unrelated
 * to the query; a quarter are members of a parent claim, where the path has one.
 *
 * @param query - Any JSON; objects that look like checks or projections are treated as such.
 * @param now - Epoch milliseconds.
 */
export function toCredentials(
  drafts: readonly CredentialDraft[],
  query: JsonValue,
  now: number,
): readonly Credential[] {
  const readers = readersOf(query);
  const start = drafts[0]?.claims[0]?.variant ?? 0;
  return drafts.map(({ source, issuedAfter, expiresAfter, revokedAfter, claims }, index) => ({
    // A step of three from a varying start, so that no position always has the smallest id.
    id: IDS[(index * 3 + start) % IDS.length] as string,
    source,
    issuedAt: now + issuedAfter,
    ...(expiresAfter === undefined ? {} : { expiresAt: now + expiresAfter }),
    ...(revokedAfter === undefined ? {} : { revokedAt: now + revokedAfter }),
    claims: Object.fromEntries(claims.map((claim) => toClaim(claim, readers))),
  }));
}

function readersOf(value: JsonValue): readonly Reader[] {
  if (isJsonArray(value)) return value.flatMap(readersOf);
  if (!isJsonObject(value)) return [];
  const own = typeof value['claim'] === 'string' ? [value as Reader] : [];
  return [...own, ...Object.values(value).flatMap(readersOf)];
}

function toClaim(draft: ClaimDraft, readers: readonly Reader[]): readonly [string, JsonValue] {
  const reader = readers[draft.reader % readers.length];
  if (reader === undefined || draft.relation >= 90) return [draft.path, draft.other];
  return inParent(reader.claim, toValue(draft, reader), draft.variant);
}

function toValue({ relation, variant, other }: ClaimDraft, reader: Reader): JsonValue {
  const passing = isOperator(reader['operator'])
    ? PASSING[reader['operator']](reader['value'] ?? null, other, variant)
    : fitting(reader, other, variant);
  if (relation < 52) return variant % 2 === 0 ? passing : rewritten(passing);
  if (relation < 69) return isInstant(passing) ? malformedInstantAt(variant) : nearbyValue(passing, variant);
  const operand = reader['value'] ?? null;
  if (relation < 78) return relation % 2 === 0 ? operand : nearbyValue(operand, variant);
  return other;
}

/** Moves the value into an object under a parent claim, for a quarter of the variants. */
function inParent(path: string, value: JsonValue, variant: number): readonly [string, JsonValue] {
  const [category, name, ...members] = path.split('.');
  const last = members.at(-1);
  // Arrays have a `length`, but no members.
  if (last === 'length' && variant % 4 === 1) return [path.slice(0, -last.length - 1), [value]];
  if (last === undefined || variant % 4 !== 3) return [path, value];
  if (members.length > 1 && variant % 8 === 3) {
    return [
      `${category}.${name}`,
      members.reduceRight<JsonValue>((inner, member) => ({ [member]: inner }), value),
    ];
  }
  return [path.slice(0, -last.length - 1), { [last]: value, d: variant }];
}

function isInstant(value: JsonValue): boolean {
  return typeof value === 'string' && readInstant(value) !== undefined;
}

function isOperator(name: JsonValue | undefined): name is OperatorName {
  return OPERATOR_NAMES.some((operator) => operator === name);
}

/** Creates a value that passes a check, if its operand permits one. */
const PASSING: Readonly<
  Record<OperatorName, (operand: JsonValue, other: JsonValue, variant: number) => JsonValue>
> = {
  '==': (operand) => operand,
  '!=': nearOperand,
  '>': (operand, _other, variant) => shiftOperand(operand, 1, variant),
  '>=': (operand, _other, variant) => shiftOperand(operand, variant % 4 === 0 ? 1 : 0, variant),
  '<': (operand, _other, variant) => shiftOperand(operand, -1, variant),
  '<=': (operand, _other, variant) => shiftOperand(operand, variant % 4 === 0 ? -1 : 0, variant),
  in: (operand, other, variant) =>
    isJsonArray(operand) ? (operand[variant % operand.length] ?? other) : other,
  notIn: (operand, other, variant) =>
    isJsonArray(operand) ? nearbyValue(operand[variant % operand.length] ?? other, variant) : other,
  contains: (operand, other, variant) =>
    variant % 3 === 0 ? [operand] : variant % 3 === 1 ? [other, operand] : [operand, other],
  startsWith: (operand, other) => (typeof other === 'string' ? `${operand}${other}` : `${operand}`),
  matchRegex: (operand, _other, variant) => matchingString(String(operand), variant),
  isDefined: (_operand, other) => other,
};

function nearOperand(operand: JsonValue, _other: JsonValue, variant: number): JsonValue {
  return nearbyValue(operand, variant);
}

function shiftOperand(operand: JsonValue, direction: 1 | 0 | -1, variant: number): JsonValue {
  if (typeof operand === 'number') return operand + direction;
  const shift = direction === 0 ? 0 : direction === 1 ? 1 : 2;
  return typeof operand === 'string' ? instantTextNear(operand, shift + 5 * (variant % 4)) : operand;
}

/** Creates a value that fits the lens of a projection. */
function fitting(reader: Reader, other: JsonValue, variant: number): JsonValue {
  const { fields } = reader;
  if (reader['lens'] === 'at') return [other, variant, [other], null].slice(variant % 5);
  if (reader['lens'] !== 'pick') return other;
  // In JavaScript, an array has members as well.
  if (variant % 8 === 5) return [other];
  const names = fields !== undefined && isJsonArray(fields) ? fields.map(String) : ['b', 'a'];
  return Object.fromEntries([...names, 'd'].map((name, index) => [name, index % 2 === 0 ? other : variant]));
}
