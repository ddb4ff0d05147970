/** Disclosures of an SD-JWT against the digests that were signed (RFC 9901 §7.1): each at home in one place. */
import { createHash } from 'node:crypto';
import { SDJwt } from '@sd-jwt/core';
import { decodeBase64Url, isObject, type Members, parseJsonBytes } from '../compact-jws.js';
import { CredentialRefusal } from './refusal.js';

const HASHES: ReadonlyMap<unknown, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-384', 'sha384'],
  ['sha-512', 'sha512'],
]);

/** Registered members that an issuer must not make selectively disclosable (SD-JWT VC §3.2.2.2). */
const ALWAYS_OPEN = ['iss', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'status', '_sd_alg'];

interface Walk {
  readonly digests: Set<string>;
  /** Disclosures not yet at home, by digest. */
  readonly left: Map<string, readonly unknown[]>;
}

/**
 * The payload with its disclosures put in. The library puts them in, but drops in silence what fits nowhere and lets a
 * disclosure overwrite a member, so the rules of §7.1 are checked first. Throws a refusal where one is broken.
 */
export async function disclose(text: string, payload: Members): Promise<Members> {
  const hash = hashOf(payload);
  const left = new Map<string, readonly unknown[]>();
  const disclosures = text.split('~').slice(1, -1);
  for (const encoded of disclosures) {
    left.set(createHash(hash).update(encoded).digest('base64url'), readDisclosure(encoded));
  }
  if (left.size !== disclosures.length) throw refuse('No disclosure stands twice.');
  const walk = { digests: new Set<string>(), left };
  walkObject(payload, walk, true);
  if (left.size > 0) throw refuse('Each disclosure matches a digest that was signed.');
  const hasher = (encoded: string | ArrayBuffer): Uint8Array =>
    createHash(hash)
      .update(typeof encoded === 'string' ? encoded : new Uint8Array(encoded))
      .digest();
  return await (await SDJwt.fromEncode(text, hasher)).getClaims<Members>(hasher);
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

function walkValue(value: unknown, walk: Walk): void {
  if (Array.isArray(value)) for (const element of value) walkElement(element, walk);
  else if (isObject(value)) walkObject(value, walk, false);
}

function walkElement(element: unknown, walk: Walk): void {
  if (!isObject(element) || !Object.hasOwn(element, '...')) {
    walkValue(element, walk);
    return;
  }
  if (Object.keys(element).length !== 1) throw refuse('The digest of an element stands alone in its object.');
  const disclosure = take(element['...'], walk);
  if (disclosure === undefined) return;
  if (disclosure.length !== 2) throw refuse('The disclosure of an element has no name.');
  walkValue(disclosure[1], walk);
}

function walkObject(object: Members, walk: Walk, isTop: boolean): void {
  const names = new Set(Object.keys(object));
  for (const name of names) {
    if (name === '...' || name === '__proto__' || (name === '_sd_alg' && !isTop)) {
      throw refuse('No member has a name that disclosures reserve.');
    }
    if (name !== '_sd') walkValue(object[name], walk);
  }
  if (!names.has('_sd')) return;
  if (!Array.isArray(object._sd)) throw refuse('_sd is an array of digests.');
  for (const digest of object._sd) {
    const disclosure = take(digest, walk);
    if (disclosure === undefined) continue;
    const [, name, value] = disclosure;
    if (disclosure.length !== 3 || typeof name !== 'string')
      throw refuse('The disclosure of a member has a name.');
    if (
      ['', '_sd', '...', '__proto__'].includes(name) ||
      names.has(name) ||
      (isTop && ALWAYS_OPEN.includes(name))
    ) {
      throw refuse('A disclosure overwrites no member and has no reserved name.');
    }
    names.add(name);
    walkValue(value, walk);
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
