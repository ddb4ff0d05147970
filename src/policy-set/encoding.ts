/** The serialized form of policy sets: a line with the version and a checksum, then JSON in UTF-8. */
import { builtInClass, isPlainObject, wrongType } from '../engine/value-types.js';
import { invalidBytes } from './errors.js';
import type { SavedItems } from './saved-items.js';

/** The contents of a policy set. */
export interface EncodedPolicySet extends SavedItems {
  /** The id of each policy. */
  readonly ids: readonly string[];
  /** The number of each policy's item. */
  readonly policies: readonly number[];
}

const FORMAT = 'proviso-policy-set 3';
const NEWLINE = 0x0a;
const MAX_HEAD = 64;
const LISTS = ['claims', 'values', 'tested', 'ids'];
const LISTS_OF_NUMBERS = ['checks', 'groups', 'policies'];

/** Encodes the contents of a set. The same contents, with members in the same order, give the same bytes. */
export function encodePolicySet(contents: EncodedPolicySet): Uint8Array {
  const encoder = new TextEncoder();
  const body = encoder.encode(JSON.stringify(contents));
  const head = encoder.encode(`${FORMAT} ${checksum(body)}\n`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/**
 * Decodes the contents of a set. Other lists than those of integers may have any contents, which the caller must check.
 *
 * @throws {PolicySetError} `invalid_bytes` for any other bytes, with the fault.
 * @throws {TypeError} When `bytes` is no `Uint8Array`.
 */
export function decodePolicySet(bytes: Uint8Array): EncodedPolicySet {
  if (builtInClass(bytes) !== 'Uint8Array') throw wrongType('`bytes`', 'a Uint8Array', bytes);
  const end = bytes.indexOf(NEWLINE);
  const head = end > 0 && end < MAX_HEAD ? String.fromCharCode(...bytes.subarray(0, end)) : '';
  if (!head.startsWith(`${FORMAT} `)) throw invalidBytes(`they must begin with \`${FORMAT}\``);
  const body = bytes.subarray(end + 1);
  if (head !== `${FORMAT} ${checksum(body)}`) throw invalidBytes('they are damaged (wrong checksum)');
  const json = parseJson(body);
  const isValid =
    isPlainObject(json) &&
    LISTS.every((name) => Array.isArray(json[name])) &&
    LISTS_OF_NUMBERS.every((name) => Array.isArray(json[name]) && json[name].every(Number.isInteger));
  if (!isValid) throw invalidBytes('their lists must be complete');
  // Checked above; the caller checks the contents.
  return json as unknown as EncodedPolicySet;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw invalidBytes(`they must be JSON in UTF-8 after the first line (${String(error)})`);
  }
}

/** FNV-1a of 32 bits, in hexadecimal: detects damage, not forgery. */
function checksum(bytes: Uint8Array): string {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < bytes.length; index += 1)
    hash = Math.imul(hash ^ (bytes[index] as number), 0x01_00_01_93);
  return (hash >>> 0).toString(16);
}
