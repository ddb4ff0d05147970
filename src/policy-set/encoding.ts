/** The serialized form of policy sets: a line with the version and a checksum, then JSON in UTF-8. */
import type { JsonValue } from '../engine/claims/json-value.js';
import { isPlainObject, wrongType } from '../engine/value-types.js';
import { GROUP } from './check-forms.js';
import { PolicySetError } from './errors.js';

/** The contents of a policy set. Items are numbered: checks first, then groups, each after its members. */
export interface EncodedPolicySet {
  /** Claim, operator, and operand if the operator has one. */
  readonly checks: readonly (readonly [claim: string, operator: string, value?: JsonValue])[];
  /** For each group its kind, the number of its members, and these. */
  readonly groups: readonly number[];
  /** The id of each policy. */
  readonly ids: readonly string[];
  /** The number of each policy's item. */
  readonly policies: readonly number[];
}

const FORMAT = 'proviso-policy-set 2';
const NEWLINE = 0x0a;
const MAX_HEAD = 64;

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
 * Decodes the contents of a set. Checks are as in the bytes: the caller must parse them.
 *
 * @throws {PolicySetError} `invalid_bytes` for any other bytes, with the fault.
 * @throws {TypeError} When `bytes` is no `Uint8Array`.
 */
export function decodePolicySet(bytes: Uint8Array): EncodedPolicySet {
  if (Object.prototype.toString.call(bytes) !== '[object Uint8Array]')
    throw wrongType('`bytes`', 'a Uint8Array', bytes);
  const end = bytes.indexOf(NEWLINE);
  const head = end > 0 && end < MAX_HEAD ? String.fromCharCode(...bytes.subarray(0, end)) : '';
  if (!head.startsWith(`${FORMAT} `)) throw invalid(`they must begin with \`${FORMAT}\``);
  const body = bytes.subarray(end + 1);
  if (head !== `${FORMAT} ${checksum(body)}`) throw invalid('they are damaged (wrong checksum)');
  return readContents(parseJson(body));
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw invalid(`they must be JSON in UTF-8 after the first line (${String(error)})`);
  }
}

function readContents(json: unknown): EncodedPolicySet {
  const { checks, groups, ids, policies } = isPlainObject(json) ? json : {};
  if (![checks, groups, ids, policies].every(Array.isArray))
    throw invalid('`checks`, `groups`, `ids` and `policies` must be arrays');
  // Checked above and below, except for the contents of checks.
  const contents = { checks, groups, ids, policies } as unknown as EncodedPolicySet;
  if (!contents.checks.every((check) => Array.isArray(check) && check.length > 1))
    throw invalid('each check must be a claim, an operator and a value');
  const count = countItems(contents);
  const arePolicies = contents.policies.every(
    (item, index) => isIndex(item, count) && typeof contents.ids[index] === 'string',
  );
  if (!arePolicies || contents.ids.length !== contents.policies.length)
    throw invalid('each policy must have an id and the number of an item');
  return contents;
}

/** Returns the number of items, after checking the groups. */
function countItems({ checks, groups }: EncodedPolicySet): number {
  let count = checks.length;
  for (let start = 0; start < groups.length; count += 1) {
    const [kind, length] = [groups[start], groups[start + 1] as number];
    const end = start + 2 + length;
    let isValid =
      length > 0 && (kind === GROUP.allOf || kind === GROUP.anyOf || (kind === GROUP.not && length === 1));
    for (start += 2; isValid && start < end; start += 1) isValid = isIndex(groups[start], count);
    if (!isValid || start !== end)
      throw invalid(`group ${count - checks.length} must be a kind and the numbers of items before it`);
  }
  return count;
}

function isIndex(value: unknown, end: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < end;
}

function invalid(fault: string): PolicySetError {
  return new PolicySetError('invalid_bytes', `these bytes are not a policy set: ${fault}`);
}

/** FNV-1a of 32 bits, in hexadecimal: detects damage, not forgery. */
function checksum(bytes: Uint8Array): string {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < bytes.length; index += 1)
    hash = Math.imul(hash ^ (bytes[index] as number), 0x01_00_01_93);
  return (hash >>> 0).toString(16);
}
