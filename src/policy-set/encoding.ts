/** The serialized form of policy sets: a line with the version and a checksum, then JSON in UTF-8. */
import type { JsonValue } from '../engine/claims/json-value.js';
import { isPlainObject, wrongType } from '../engine/value-types.js';
import { PolicySetError } from './errors.js';
import { GROUP_KINDS, type GroupKind } from './item-table.js';

/** The contents of a policy set. Items are numbered: checks first, then groups, each after its members. */
export interface EncodedPolicySet {
  /** Claim, operator, and operand if the operator has one. */
  readonly checks: readonly (readonly [claim: string, operator: string, value?: JsonValue])[];
  readonly groups: readonly (readonly [kind: GroupKind, members: readonly number[]])[];
  /** Id, and the number of the item. */
  readonly policies: readonly (readonly [id: string, item: number])[];
}

const FORMAT = 'proviso-policy-set 1';
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
  if (head !== `${FORMAT} ${checksum(body)}`)
    throw invalid('their checksum does not match: they are damaged');
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
  const { checks, groups, policies } = isPlainObject(json) ? json : {};
  if (!Array.isArray(checks) || !Array.isArray(groups) || !Array.isArray(policies))
    throw invalid('`checks`, `groups` and `policies` must be arrays');
  for (const [index, group] of groups.entries()) {
    const [kind, members] = asArray(group);
    const isBefore = (member: unknown) => isIndex(member, checks.length + index);
    const isMembers = Array.isArray(members) && members.length > 0 && members.every(isBefore);
    if (!GROUP_KINDS.some((each) => each === kind) || !isMembers || (kind === 'not' && members.length > 1))
      throw invalid(`group ${index} must be a kind and the numbers of items before it`);
  }
  for (const [index, policy] of policies.entries()) {
    const [id, item] = asArray(policy);
    if (typeof id !== 'string' || !isIndex(item, checks.length + groups.length))
      throw invalid(`policy ${index} must be an id and the number of an item`);
  }
  for (const [index, check] of checks.entries()) {
    if (asArray(check).length < 2) throw invalid(`check ${index} must be a claim, an operator and a value`);
  }
  // Checked above, except for the contents of checks.
  return { checks, groups, policies } as unknown as EncodedPolicySet;
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
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
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
