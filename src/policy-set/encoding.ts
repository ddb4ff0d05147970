/**
 * The serialized form of policy sets: a line with the version and a checksum, a line of JSON in UTF-8, and lists of integers. Each
 * of these lists starts with its length. An integer is in base 128, the lowest digit first, in a byte with the highest bit set
 * if another digit follows.
 */
import { builtInClass, wrongType } from '../engine/value-types.js';
import { isPlainObject } from '../util/is-plain-object.js';
import { invalidBytes } from './errors.js';
import type { SavedItems } from './saved-items.js';

/** The contents of a policy set. */
export interface EncodedPolicySet extends SavedItems {
  /** The id of each policy. */
  readonly ids: readonly string[];
  /** The number of each policy's item. */
  readonly policies: ArrayLike<number>;
  /** For each policy, the index of a member of its item: the policy is listed under the necessary condition of that member. */
  readonly conditions: ArrayLike<number>;
}

const FORMAT = 'proviso-policy-set 4';
const NEWLINE = 0x0a;
const MAX_HEAD = 64;
const LISTS = ['claims', 'values', 'tested', 'ids'];
/** In a byte, states that another digit follows. */
const MORE = 0x80;

/** Encodes the contents of a set. The same contents, with members in the same order, give the same bytes. */
export function encodePolicySet({
  checks,
  groups,
  policies,
  conditions,
  ...others
}: EncodedPolicySet): Uint8Array {
  const json = encodeText(`${JSON.stringify(others)}\n`);
  const body = concatenate(json, encodeLists([checks, groups, policies, conditions]));
  return concatenate(encodeText(`${FORMAT} ${checksum(body)}\n`), body);
}

/**
 * Decodes the contents of a set. Checks that the lists are complete, and truncates integers to 32 bits; the caller must check what the lists contain.
 *
 * @throws {PolicySetError} `invalid_bytes` for any other bytes, with the fault.
 * @throws {TypeError} When `bytes` is not a `Uint8Array`.
 */
export function decodePolicySet(bytes: Uint8Array): EncodedPolicySet {
  if (builtInClass(bytes) !== 'Uint8Array') throw wrongType('`bytes`', 'a Uint8Array', bytes);
  const end = bytes.indexOf(NEWLINE);
  const head = end > 0 && end < MAX_HEAD ? String.fromCharCode(...bytes.subarray(0, end)) : '';
  if (!head.startsWith(`${FORMAT} `)) throw invalidBytes(`they must begin with \`${FORMAT}\``);
  const body = bytes.subarray(end + 1);
  if (head !== `${FORMAT} ${checksum(body)}`) throw invalidBytes('they are damaged (wrong checksum)');
  // The JSON was written without line breaks.
  const integers = body.indexOf(NEWLINE) + 1;
  const json = parseJson(body.subarray(0, integers));
  const [checks, groups, policies, conditions, ...others] = decodeLists(body.subarray(integers));
  if (
    !isPlainObject(json) ||
    !LISTS.every((name) => Array.isArray(json[name])) ||
    !(json['tested'] as readonly unknown[]).every(Array.isArray) ||
    conditions === undefined ||
    others.length > 0
  )
    throw invalidBytes('their claims, values, checks and policies must be complete');
  // Checked above; the caller checks the contents.
  return { ...json, checks, groups, policies, conditions } as unknown as EncodedPolicySet;
}

function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function encodeLists(lists: readonly ArrayLike<number>[]): Uint8Array {
  const digits: number[] = [];
  const append = (integer: number): void => {
    let left = integer >>> 0;
    // A byte keeps the lowest eight bits.
    for (; left >= MORE; left >>>= 7) digits.push(left | MORE);
    digits.push(left);
  };
  for (const list of lists) {
    append(list.length);
    for (let index = 0; index < list.length; index += 1) append(list[index] as number);
  }
  return Uint8Array.from(digits);
}

/** Returns lists of integers; an empty array if one of them is incomplete. */
function decodeLists(bytes: Uint8Array): readonly Int32Array[] {
  const integers = new Int32Array(bytes.length);
  let count = 0;
  let integer = 0;
  let shift = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const digit = bytes[index] as number;
    integer |= (digit & ~MORE) << shift;
    if (digit < MORE) {
      integers[count] = integer;
      count += 1;
      integer = 0;
      shift = 0;
    } else shift += 7;
  }
  const lists: Int32Array[] = [];
  for (let start = 0; start < count; ) {
    const end = start + 1 + (integers[start] as number);
    if (end <= start || end > count || shift > 0) return [];
    lists.push(integers.subarray(start + 1, end));
    start = end;
  }
  return lists;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw invalidBytes(`their second line must be JSON in UTF-8 (${String(error)})`);
  }
}

/** FNV-1a of 32 bits, in hexadecimal: detects damage, not forgery. */
function checksum(bytes: Uint8Array): string {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < bytes.length; index += 1)
    hash = Math.imul(hash ^ (bytes[index] as number), 0x01_00_01_93);
  return (hash >>> 0).toString(16);
}
