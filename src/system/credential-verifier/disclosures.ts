/** Disclosures of an SD-JWT against the digests that were signed (RFC 9901 §7.1): each at home in one place. */
import { createHash } from 'node:crypto';
import { decodeBase64Url, isObject, type Members, parseJsonBytes } from '../compact-jws.js';
import { CredentialRefusal } from './refusal.js';

const HASHES: ReadonlyMap<unknown, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-384', 'sha384'],
  ['sha-512', 'sha512'],
]);

/**
 * Registered members that must not be selectively disclosable: those of SD-JWT VC §3.2.2.2, and `sub` and `aud`, which bind a credential
 * to its subject and its audience. The holder could withhold them.
 */
const NEVER_DISCLOSED = ['iss', 'sub', 'aud', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'status'];

/** Names that no disclosure has. */
const RESERVED_NAMES = ['', '_sd', '_sd_alg', '...', '__proto__'];

interface Walk {
  readonly digests: Set<string>;
  /** Disclosures not yet at home, by digest. */
  readonly left: Map<string, readonly unknown[]>;
}

/**
 * Returns the payload with its disclosures inserted. An array has the length that the issuer signed: an element that was not disclosed
 * (or is a decoy) is a hole, so that the holder's choice of disclosures moves no other element.
 *
 * @throws {CredentialRefusal} Where a rule of RFC 9901 §7.1 is broken.
 */
export function disclose(text: string, payload: Members): Members {
  const hash = hashOf(payload);
  const left = new Map<string, readonly unknown[]>();
  const disclosures = text.split('~').slice(1, -1);
  for (const encoded of disclosures) {
    left.set(createHash(hash).update(encoded).digest('base64url'), readDisclosure(encoded));
  }
  if (left.size !== disclosures.length) throw refuse('No disclosure stands twice.');
  const disclosed = discloseObject(payload, { digests: new Set<string>(), left }, true);
  if (left.size > 0) throw refuse('Each disclosure matches a digest that was signed.');
  return disclosed;
}

/** The hash function of the digests, as `node:crypto` names it. Throws a refusal for one that is not supported. */
export function hashOf(payload: Members): string {
  const hash = HASHES.get(payload._sd_alg ?? 'sha-256');
  if (hash === undefined) throw refuse('_sd_alg must be sha-256, sha-384 or sha-512.');
  return hash;
}

function readDisclosure(encoded: string): readonly unknown[] {
  const disclosure = parseJsonBytes(decodeBase64Url(encoded));
  const isRight =
    Array.isArray(disclosure) &&
    typeof disclosure[0] === 'string' &&
    (disclosure.length === 2 || (disclosure.length === 3 && typeof disclosure[1] === 'string'));
  if (!isRight) throw refuse('A disclosure is [salt, value] or [salt, name, value].');
  return disclosure as readonly unknown[];
}

function discloseValue(value: unknown, walk: Walk): unknown {
  if (Array.isArray(value)) return discloseArray(value, walk);
  return isObject(value) ? discloseObject(value, walk, false) : value;
}

function discloseArray(array: readonly unknown[], walk: Walk): readonly unknown[] {
  const elements = new Array<unknown>(array.length);
  for (const [index, element] of array.entries()) {
    if (!isObject(element) || !Object.hasOwn(element, '...')) {
      elements[index] = discloseValue(element, walk);
      continue;
    }
    if (Object.keys(element).length !== 1)
      throw refuse('The digest of an element stands alone in its object.');
    const disclosure = take(element['...'], walk);
    if (disclosure === undefined) continue;
    if (disclosure.length !== 2) throw refuse('The disclosure of an element has no name.');
    elements[index] = discloseValue(disclosure[1], walk);
  }
  return elements;
}

function discloseObject(object: Members, walk: Walk, isTop: boolean): Members {
  const members = new Map<string, unknown>();
  for (const [name, value] of Object.entries(object)) {
    if (name === '...' || name === '__proto__' || (name === '_sd_alg' && !isTop)) {
      throw refuse('No member has a name that disclosures reserve.');
    }
    if (name !== '_sd') members.set(name, discloseValue(value, walk));
  }
  if (Object.hasOwn(object, '_sd')) discloseMembers(object._sd, members, walk, isTop);
  members.delete('_sd_alg');
  return Object.fromEntries(members);
}

/** Adds the disclosed members of one object. */
function discloseMembers(digests: unknown, members: Map<string, unknown>, walk: Walk, isTop: boolean): void {
  if (!Array.isArray(digests)) throw refuse('_sd is an array of digests.');
  for (const digest of digests) {
    const disclosure = take(digest, walk);
    if (disclosure === undefined) continue;
    const [, name, value] = disclosure;
    if (disclosure.length !== 3 || typeof name !== 'string')
      throw refuse('The disclosure of a member has a name.');
    if (isTop && NEVER_DISCLOSED.includes(name)) {
      throw refuse(`These members must not be in a disclosure: ${NEVER_DISCLOSED.join(', ')}.`);
    }
    if (RESERVED_NAMES.includes(name) || members.has(name)) {
      throw refuse('A disclosure overwrites no member and has no reserved name.');
    }
    members.set(name, discloseValue(value, walk));
  }
}

/** The disclosure of a digest, if it was sent. A digest stands once in the whole credential, decoys included. */
function take(digest: unknown, { digests, left }: Walk): readonly unknown[] | undefined {
  if (typeof digest !== 'string' || !/^[A-Za-z0-9_-]{43,86}$/.test(digest) || digests.has(digest)) {
    throw refuse('Each digest is base64url and stands once.');
  }
  digests.add(digest);
  const disclosure = left.get(digest);
  left.delete(digest);
  return disclosure;
}

function refuse(message: string): CredentialRefusal {
  return new CredentialRefusal('disclosure', message);
}
