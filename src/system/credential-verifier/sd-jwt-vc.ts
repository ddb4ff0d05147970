/** Verifies SD-JWT VCs: their disclosures and their key binding (RFC 9901). */

import { createHash } from 'node:crypto';
import type { JsonObject } from '../../engine/index.js';
import type {
  CredentialExpectations,
  KeyBindingChallenge,
  PublicJwk,
  TrustedIssuer,
  VerifiedCredential,
} from '../../service/index.js';
import { MS_PER_SECOND } from '../../util/time.js';
import { type CompactJws, decodeBase64Url, isObject, type Members, parseJsonBytes } from '../jws.js';
import {
  assertAudience,
  assertNoKeyBinding,
  assertSubject,
  CredentialRefusal,
  checkValidity,
  findIssuer,
  readSignedText,
  signedContentOf,
  verifySignature,
} from './checks.js';

const MEDIA_TYPES = ['dc+sd-jwt', 'vc+sd-jwt'];

/** What says something of the credential rather than of its subject. */
const REGISTERED = new Set([
  'iss',
  'sub',
  'aud',
  'nbf',
  'iat',
  'exp',
  'jti',
  'cnf',
  'vct',
  'vct#integrity',
  'status',
]);

/**
 * Verifies an SD-JWT VC: the issuer's signature, the disclosures, and the proof of the holder's key where `cnf` names one.
 *
 * @throws {CredentialRefusal}
 * @throws {MalformedJws}
 */
export async function verifySdJwtVc(
  text: string,
  issuers: readonly TrustedIssuer[],
  now: number,
  expected: CredentialExpectations,
): Promise<VerifiedCredential> {
  const end = text.lastIndexOf('~') + 1;
  const [sdJwt, proof] = [text.slice(0, end), text.slice(end)];
  const signedText = sdJwt.split('~')[0];
  if (end === 0 || signedText === undefined)
    throw new CredentialRefusal('malformed', 'An SD-JWT must end in a tilde or a key-binding JWT.');
  const signed = readSignedText(signedText, MEDIA_TYPES);
  const issuer = findIssuer(signed.payload.iss, issuers);
  await verifySignature(signed, issuer);
  // `jti` and `iat` may be in a disclosure and count only in the clear: identity and issuance must not depend on the holder's choice.
  const { vct, sub, aud, jti, nbf, iat, exp } = signed.payload;
  const payload = disclose(sdJwt, signed.payload);
  if (typeof vct !== 'string') throw new CredentialRefusal('malformed', 'vct must be a string.');
  if (![sub, jti].every((name) => name === undefined || typeof name === 'string'))
    throw new CredentialRefusal('malformed', 'sub and jti must be strings.');
  assertAudience(aud, expected);
  const confirmation = signed.payload.cnf;
  if (proof !== '' || expected.keyBinding !== undefined) {
    const presented = { sdJwt, proof, confirmation, hash: hashOf(signed.payload) };
    await verifyKeyBinding(presented, expected.keyBinding, now);
  } else assertNoKeyBinding(confirmation, issuer);
  if (issuer.subject !== 'optional') assertSubject(sub, confirmation);
  const validity = checkValidity([nbf, iat], [exp], now);
  if (payload.iat !== undefined) checkValidity([payload.iat], [], now);
  const content = Object.entries(payload).filter(([name]) => !REGISTERED.has(name));
  return {
    issuer,
    types: [vct],
    ...(typeof jti === 'string' ? { id: jti } : {}),
    ...(typeof sub === 'string' ? { subject: sub } : {}),
    signedContent: signedContentOf(signed),
    ...validity,
    content: Object.fromEntries(content) as JsonObject,
  };
}

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
function disclose(text: string, payload: Members): Members {
  const hash = hashOf(payload);
  const left = new Map<string, readonly unknown[]>();
  const disclosures = text.split('~').slice(1, -1);
  for (const encoded of disclosures) {
    left.set(createHash(hash).update(encoded).digest('base64url'), readDisclosure(encoded));
  }
  if (left.size !== disclosures.length) throw refuseDisclosure('No disclosure stands twice.');
  const disclosed = discloseObject(payload, { digests: new Set<string>(), left }, true);
  if (left.size > 0) throw refuseDisclosure('Each disclosure matches a digest that was signed.');
  return disclosed;
}

/** The hash function of the digests, as `node:crypto` names it. Throws a refusal for one that is not supported. */
function hashOf(payload: Members): string {
  const hash = HASHES.get(payload._sd_alg ?? 'sha-256');
  if (hash === undefined) throw refuseDisclosure('_sd_alg must be sha-256, sha-384 or sha-512.');
  return hash;
}

function readDisclosure(encoded: string): readonly unknown[] {
  const disclosure = parseJsonBytes(decodeBase64Url(encoded));
  const isRight =
    Array.isArray(disclosure) &&
    typeof disclosure[0] === 'string' &&
    (disclosure.length === 2 || (disclosure.length === 3 && typeof disclosure[1] === 'string'));
  if (!isRight) throw refuseDisclosure('A disclosure is [salt, value] or [salt, name, value].');
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
      throw refuseDisclosure('The digest of an element stands alone in its object.');
    const disclosure = take(element['...'], walk);
    if (disclosure === undefined) continue;
    if (disclosure.length !== 2) throw refuseDisclosure('The disclosure of an element has no name.');
    elements[index] = discloseValue(disclosure[1], walk);
  }
  return elements;
}

function discloseObject(object: Members, walk: Walk, isTop: boolean): Members {
  const members = new Map<string, unknown>();
  for (const [name, value] of Object.entries(object)) {
    if (name === '...' || name === '__proto__' || (name === '_sd_alg' && !isTop)) {
      throw refuseDisclosure('No member has a name that disclosures reserve.');
    }
    if (name !== '_sd') members.set(name, discloseValue(value, walk));
  }
  if (Object.hasOwn(object, '_sd')) discloseMembers(object._sd, members, walk, isTop);
  members.delete('_sd_alg');
  return Object.fromEntries(members);
}

/** Adds the disclosed members of one object. */
function discloseMembers(digests: unknown, members: Map<string, unknown>, walk: Walk, isTop: boolean): void {
  if (!Array.isArray(digests)) throw refuseDisclosure('_sd is an array of digests.');
  for (const digest of digests) {
    const disclosure = take(digest, walk);
    if (disclosure === undefined) continue;
    const [, name, value] = disclosure;
    if (disclosure.length !== 3 || typeof name !== 'string')
      throw refuseDisclosure('The disclosure of a member has a name.');
    if (isTop && NEVER_DISCLOSED.includes(name)) {
      throw refuseDisclosure(`These members must not be in a disclosure: ${NEVER_DISCLOSED.join(', ')}.`);
    }
    if (RESERVED_NAMES.includes(name) || members.has(name)) {
      throw refuseDisclosure('A disclosure overwrites no member and has no reserved name.');
    }
    members.set(name, discloseValue(value, walk));
  }
}

/** The disclosure of a digest, if it was sent. A digest stands once in the whole credential, decoys included. */
function take(digest: unknown, { digests, left }: Walk): readonly unknown[] | undefined {
  if (typeof digest !== 'string' || !/^[A-Za-z0-9_-]{43,86}$/.test(digest) || digests.has(digest)) {
    throw refuseDisclosure('Each digest is base64url and stands once.');
  }
  digests.add(digest);
  const disclosure = left.get(digest);
  left.delete(digest);
  return disclosure;
}

function refuseDisclosure(message: string): CredentialRefusal {
  return new CredentialRefusal('disclosure', message);
}

/** How old a proof may be, and how far the clock of the holder may be ahead of ours. */
const MAX_AGE_SECONDS = 300;
const CLOCK_TOLERANCE_SECONDS = 60;

/** What the holder presented. */
export interface KeyBinding {
  /** The SD-JWT up to and including its last tilde. */
  readonly sdJwt: string;
  /** What follows that tilde. */
  readonly proof: string;
  /** `cnf` of the payload that the issuer signed. */
  readonly confirmation: unknown;
  /** The hash function of the SD-JWT, as `node:crypto` names it. */
  readonly hash: string;
}

/**
 * Verifies the key-binding JWT.
 *
 * @param now - Epoch milliseconds.
 * @throws {CredentialRefusal} `key_binding` unless the key in `cnf` signed this challenge and this SD-JWT within the last minutes.
 * @throws {MalformedJws}
 */
async function verifyKeyBinding(
  { sdJwt, proof, confirmation, hash }: KeyBinding,
  challenge: KeyBindingChallenge | undefined,
  now: number,
): Promise<void> {
  if (challenge === undefined) {
    throw refuseBinding(
      'With a key-binding JWT, the request must state the `audience` and `nonce` it was made for.',
    );
  }
  if (proof === '')
    throw refuseBinding('With `audience` and `nonce`, the SD-JWT must end in a key-binding JWT.');
  const key = isObject(confirmation) ? confirmation.jwk : undefined;
  if (!isObject(key)) throw refuseBinding('cnf must hold the public key of the holder as `jwk`.');
  const signed = readSignedText(proof, ['kb+jwt']);
  await assertSignedBy(key, signed);
  const { aud, nonce, iat, sd_hash: sdHash } = signed.payload;
  if (aud !== challenge.audience || nonce !== challenge.nonce) {
    throw refuseBinding(
      'aud and nonce of the key-binding JWT must equal the `audience` and `nonce` of the request.',
    );
  }
  const seconds = now / MS_PER_SECOND;
  if (typeof iat !== 'number' || iat < seconds - MAX_AGE_SECONDS || iat > seconds + CLOCK_TOLERANCE_SECONDS) {
    throw refuseBinding(`iat of the key-binding JWT must lie within the last ${MAX_AGE_SECONDS} seconds.`);
  }
  if (sdHash !== createHash(hash).update(sdJwt).digest('base64url')) {
    throw refuseBinding('sd_hash of the key-binding JWT must be the hash of the SD-JWT before it.');
  }
}

/** `cnf` names one key: a `kid` on either side chooses nothing. */
async function assertSignedBy({ kid: _of, ...key }: Members, { text, header }: CompactJws): Promise<void> {
  const { kid: _by, ...unnamed } = header;
  try {
    // Whether it is a key that fits the algorithm is checked where it is used.
    await verifySignature({ text, header: unnamed }, { issuer: 'cnf', keys: [key as unknown as PublicJwk] });
  } catch (error) {
    if (!(error instanceof CredentialRefusal)) throw error;
    throw refuseBinding('The key-binding JWT must be signed with the key in cnf.');
  }
}

function refuseBinding(message: string): CredentialRefusal {
  return new CredentialRefusal('key_binding', message);
}
