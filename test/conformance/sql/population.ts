/** Random people whose claims relate to the queries, in every layout. */
import * as fc from 'fast-check';
import {
  ClaimSet,
  type Credential,
  isClaimPath,
  type JsonObject,
  type JsonValue,
  type PolicyItemInput,
} from '../../../src/index.js';
import { boundsOf } from '../../../src/sql/double-bounds.js';
import type { ColumnType, SqlLayout } from '../../../src/sql/index.js';
import { CLAIM_PATHS } from '../../../src/testing/arbitraries/query.js';
import { check, credentialDrafts, instant, policy, toCredentials } from '../../../src/testing/index.js';
import { fitTimestamp, fittingChecks, matchesType, replaceUnfitting } from './fitting-checks.js';

/** A person with claims as JSON texts, so that the engine and each database parse numerals themselves. */
export interface Person {
  readonly id: string;
  readonly credentials: readonly WrittenCredential[];
}

export interface WrittenCredential extends Omit<Credential, 'claims'> {
  readonly claims: Readonly<Record<string, string>>;
}

export interface Batch {
  readonly now: number;
  readonly layout: SqlLayout;
  readonly queries: readonly JsonValue[];
  readonly people: readonly Person[];
}

export const LAYOUT_KINDS = ['credentials', 'documents', 'claims', 'columns'] as const;

const COLUMN_TYPES: readonly ColumnType[] = [
  'integer',
  'number',
  'text',
  'boolean',
  'date',
  'timestamptz',
  'json',
];
/** One query in this many keeps the checks that do not fit their column. */
const UNFITTING = 20;
const MAX_TEXT = 300;
const MAX_DEPTH = 16;

/** Draws queries, and people whose claims relate to one query each. */
export function drawBatch(
  seed: number,
  kind: (typeof LAYOUT_KINDS)[number],
  sizes: { readonly queries: number; readonly people: number },
): Batch {
  const [drawn] = fc.sample(
    fc.record({
      now: instant(),
      types: fc.array(fc.constantFrom(...COLUMN_TYPES, 'json' as const), {
        minLength: CLAIM_PATHS.length,
        maxLength: CLAIM_PATHS.length,
      }),
      queries: fc.array(queryInput(), { minLength: sizes.queries, maxLength: sizes.queries }),
      drafts: fc.array(credentialDrafts(), { minLength: sizes.people, maxLength: sizes.people }),
      numerals: fc.infiniteStream(fc.nat({ max: 15 })),
      doubles: fc.infiniteStream(fc.option(difficultDouble(), { freq: 3 })),
      fitting: fittingChecks(difficultDouble(), sanitizeString),
    }),
    { seed, numRuns: 1 },
  );
  if (drawn === undefined) throw new Error('no batch was drawn');
  const replace = (number: number) => drawn.doubles.next().value ?? number;
  const layout = toLayout(kind, drawn.types);
  const queries = drawn.queries
    .map((query) => mapNumbers(sanitize(query as unknown as JsonValue), replace))
    .map((query, index) =>
      index % UNFITTING === 0 ? query : replaceUnfitting(query, layout, drawn.fitting),
    );
  const numeral = () => drawn.numerals.next().value ?? 0;
  const people = drawn.drafts.map((drafts, index) => {
    const drawnCredentials = toCredentials(drafts, queries[index % queries.length] as JsonValue, drawn.now);
    const credentials =
      kind === 'credentials' ? drawnCredentials : [mergeCredentials(drawnCredentials, drawn.now)];
    return {
      id: `p${index}`,
      credentials: credentials.map((credential) => ({
        ...credential,
        claims: writeClaims(credential.claims, layout, numeral),
      })),
    };
  });
  return { now: drawn.now, layout, queries, people };
}

/** Doubles that databases misread or round: of any exponent, of common exponents, subnormal, and of the greatest exponent. */
function difficultDouble(): fc.Arbitrary<number> {
  const fraction = fc.bigInt({ min: 0n, max: (1n << 52n) - 1n });
  const ofExponents = (min: number, max: number) =>
    fc
      .tuple(fc.boolean(), fc.integer({ min, max }), fraction)
      .map(([isNegative, exponent, bits]) => (isNegative ? -1 : 1) * toDouble(exponent, bits));
  return fc.oneof(
    ofExponents(0, 2_046),
    ofExponents(1_013, 1_093),
    ofExponents(0, 0),
    ofExponents(2_046, 2_046),
  );
}

/** Returns the double with a biased exponent and the bits of a fraction. */
function toDouble(exponent: number, fraction: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, (BigInt(exponent) << 52n) | fraction);
  return view.getFloat64(0);
}

function mapNumbers(value: JsonValue, map: (number: number) => number): JsonValue {
  if (typeof value === 'number') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => mapNumbers(inner, map));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapNumbers(inner, map)]));
}

function queryInput(): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 1, arbitrary: check().map((one) => ({ check: one })) },
    { weight: 2, arbitrary: policy().map((one) => ({ policy: one })) },
  ) as fc.Arbitrary<{ policy: PolicyItemInput }>;
}

/** Returns a person's claims for the engine. */
export function claimSetOf({ credentials }: Person, now: number): ClaimSet {
  const read = credentials.map(({ claims, ...credential }) => ({
    ...credential,
    claims: Object.fromEntries(
      Object.entries(claims).map(([path, text]) => [path, JSON.parse(text) as JsonValue]),
    ),
  }));
  return ClaimSet.at(read, now);
}

/** Merges all claims into one active credential, for layouts without credentials. */
function mergeCredentials(credentials: readonly Credential[], now: number): Credential {
  const claims = Object.assign({}, ...credentials.map((credential) => credential.claims)) as JsonObject;
  return { id: 'c', source: 's', issuedAt: now, claims };
}

function writeClaims(
  claims: JsonObject,
  layout: SqlLayout,
  numeral: () => number,
): Readonly<Record<string, string>> {
  const columns = layout.kind === 'columns' ? layout.columns : undefined;
  const written = Object.entries(claims)
    .filter(([path, value]) => isClaimPath(path) && depthOf(value) <= MAX_DEPTH)
    .map(([path, value]) => [path, fitTimestamp(sanitize(value), columns?.[path]?.type)] as const)
    .filter(([path, value]) => columns === undefined || matchesType(value, columns[path]?.type))
    .map(([path, value]) => [path, writeJson(value, columns?.[path]?.type, numeral)]);
  return Object.fromEntries(written) as Readonly<Record<string, string>>;
}

/** Replaces lone surrogates and U+0000, which databases cannot store, and truncates strings, which could exceed the cost limit. */
function sanitize(value: JsonValue): JsonValue {
  if (typeof value === 'string') return sanitizeString(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sanitize);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [sanitizeString(name), sanitize(inner)]),
  );
}

function sanitizeString(text: string): string {
  const storable = text.replaceAll('\0', '\u0001').replace(/\p{Surrogate}/gu, '\ufffc');
  return Array.from(storable).slice(0, MAX_TEXT).join('');
}

/** Serializes JSON with unusual numerals: more digits than a double has, halfway decimals, exponents, trailing zeros; and with escapes in strings and names. */
function writeJson(value: JsonValue, type: ColumnType | undefined, numeral: () => number): string {
  if (typeof value === 'number') {
    return type === undefined || type === 'json' ? writeNumber(value, numeral()) : JSON.stringify(value);
  }
  if (typeof value === 'string') return writeString(value, numeral());
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => writeJson(one, type, numeral)).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, inner]) => `${writeString(name, numeral())}: ${writeJson(inner, type, numeral)}`,
  );
  return `{${members.join(', ')}}`;
}

/** Escapes what other languages escape: characters beyond ASCII, and `/`, `<` and `&`. */
function writeString(text: string, format: number): string {
  const written = JSON.stringify(text);
  if (format > 3) return written;
  const toHex = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return written.replaceAll('/', '\\/').replace(/[<&\u0080-\uffff]/g, toHex);
}

function writeNumber(value: number, format: number): string {
  const text = JSON.stringify(value);
  const plain = Number.isInteger(value) && Math.abs(value) < 1e21;
  const written = (() => {
    switch (format) {
      case 0:
        return value.toExponential();
      case 1:
        return plain ? `${text}.0` : value.toPrecision(17);
      case 2:
        return plain ? `${text}.0000000000000000000000001` : value.toExponential(20).toUpperCase();
      case 3:
        return plain && value !== 0 ? `${BigInt(value) + (value > 2 ** 53 ? 1n : 0n)}` : text;
      case 4:
        return plain ? text : text.includes('e') ? text : `${text}000000000000000000001`;
      // Halfway to an adjacent double, or just beyond: read as either of them.
      case 5:
        return boundsOf(value).low;
      case 6:
        return boundsOf(value).high;
      case 7: {
        const { high } = boundsOf(value);
        return `${high}${high.includes('.') ? '' : '.'}0001`;
      }
      default:
        return text;
    }
  })();
  return Number.isFinite(Number(written)) ? written : text;
}

function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((inner) => depthOf(inner as JsonValue)));
}

function toLayout(kind: (typeof LAYOUT_KINDS)[number], types: readonly ColumnType[]): SqlLayout {
  switch (kind) {
    case 'credentials':
      return {
        kind,
        people: { table: 'person', id: 'id' },
        credentials: {
          table: 'credential',
          person: 'person_id',
          id: 'id',
          issuedAt: 'issued_at',
          expiresAt: 'expires_at',
          revokedAt: 'revoked_at',
          claims: 'claims',
        },
      };
    case 'documents':
      return { kind, people: { table: 'document', id: 'id' }, claims: 'claims' };
    case 'claims':
      return {
        kind,
        people: { table: 'claimant', id: 'id' },
        claims: { table: 'claim', person: 'claimant', path: 'path', value: 'value' },
      };
    case 'columns':
      return {
        kind,
        people: { table: 'wide', id: 'id' },
        columns: Object.fromEntries(
          CLAIM_PATHS.map((path, index) => [path, { column: `c${index}`, type: types[index] ?? 'json' }]),
        ),
      };
  }
}
