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
import { isPlainObject } from '../../util/is-plain-object.js';
import { MS_PER_SECOND } from '../../util/time.js';
import { type CompactJws, decodeBase64Url, type Members, parseJsonBytes } from '../jws.js';
import {
  assertAudience,
  assertNoKeyBinding,
  assertSubject,
  CredentialRejection,
  checkValidity,
  decodeSignedText,
  findIssuer,
  signedContentOf,
  verifySignature,
} from './checks.js';

const MEDIA_TYPES = ['dc+sd-jwt', 'vc+sd-jwt'];

/** Members that describe the credential rather than its subject. */
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
 * Verifies an SD-JWT VC: the issuer's signature, the disclosures, and the proof of possession of the key in `cnf`.
 *
 * @throws {CredentialRejection}
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
    throw new CredentialRejection('malformed', 'An SD-JWT must end in a tilde or a key-binding JWT.');
  const signed = decodeSignedText(signedText, MEDIA_TYPES);
  const issuer = findIssuer(signed.payload.iss, issuers);
  await verifySignature(signed, issuer);
  // Read without disclosures, since identity and issuance must not depend on the holder's choice; a disclosed `iat` is only checked.
  const { vct, sub, aud, jti, nbf, iat, exp } = signed.payload;
  const payload = disclose(sdJwt, signed.payload);
  if (typeof vct !== 'string') throw new CredentialRejection('malformed', 'vct must be a string.');
  if (![sub, jti].every((name) => name === undefined || typeof name === 'string'))
    throw new CredentialRejection('malformed', 'sub and jti must be strings.');
  assertAudience(aud, expected);
  const confirmation = signed.payload.cnf;
  if (proof !== '' || expected.keyBinding !== undefined) {
    const keyBinding = { sdJwt, proof, confirmation, hash: hashOf(signed.payload) };
    await verifyKeyBinding(keyBinding, expected.keyBinding, now);
  } else
    assertNoKeyBinding(
      confirmation,
      issuer,
      'A credential with cnf must end in a key-binding JWT, or its issuer must have `"holder_binding": "external"` in the file of issuers.',
    );
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
 * Registered members that must not be selectively disclosable, since the holder could withhold them: the members of SD-JWT VC §3.2.2.2, and
 * `sub` and `aud`, which bind a credential to its subject and its audience.
 */
const NEVER_DISCLOSED = ['iss', 'sub', 'aud', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'status'];

/** Names that disclosures must not use. */
const RESERVED_NAMES = ['', '_sd', '_sd_alg', '...', '__proto__'];

interface DisclosureState {
  readonly digests: Set<string>;
  /** Disclosures not yet inserted, by digest. */
  readonly unused: Map<string, readonly unknown[]>;
}

/**
 * Returns the payload with its disclosures inserted. Arrays keep their signed length: an element that is not disclosed (or is a decoy) is a
 * hole, so that the indexes of other elements do not depend on the disclosures.
 *
 * @throws {CredentialRejection} If a rule of RFC 9901 §7.1 is violated.
 * @throws {MalformedJws} If a disclosure is not base64url or not JSON.
 */
function disclose(text: string, payload: Members): Members {
  const hash = hashOf(payload);
  const unused = new Map<string, readonly unknown[]>();
  const disclosures = text.split('~').slice(1, -1);
  for (const encoded of disclosures) {
    unused.set(createHash(hash).update(encoded).digest('base64url'), readDisclosure(encoded));
  }
  if (unused.size !== disclosures.length) throw disclosureRejection('A disclosure must not be repeated.');
  const disclosed = discloseObject(payload, { digests: new Set<string>(), unused }, true);
  if (unused.size > 0) throw disclosureRejection('Each disclosure must match a signed digest.');
  return disclosed;
}

/** Returns the hash function of the digests, as named by `node:crypto`. @throws {CredentialRejection} If it is not supported. */
function hashOf(payload: Members): string {
  const hash = HASHES.get(payload._sd_alg ?? 'sha-256');
  if (hash === undefined) throw disclosureRejection('_sd_alg must be sha-256, sha-384 or sha-512.');
  return hash;
}

function readDisclosure(encoded: string): readonly unknown[] {
  const disclosure = parseJsonBytes(decodeBase64Url(encoded));
  const isValid =
    Array.isArray(disclosure) &&
    typeof disclosure[0] === 'string' &&
    (disclosure.length === 2 || (disclosure.length === 3 && typeof disclosure[1] === 'string'));
  if (!isValid) throw disclosureRejection('A disclosure must be [salt, value] or [salt, name, value].');
  return disclosure as readonly unknown[];
}

function discloseValue(value: unknown, state: DisclosureState): unknown {
  if (Array.isArray(value)) return discloseArray(value, state);
  return isPlainObject(value) ? discloseObject(value, state, false) : value;
}

function discloseArray(array: readonly unknown[], state: DisclosureState): readonly unknown[] {
  const elements = new Array<unknown>(array.length);
  for (const [index, element] of array.entries()) {
    if (!isPlainObject(element) || !Object.hasOwn(element, '...')) {
      elements[index] = discloseValue(element, state);
      continue;
    }
    if (Object.keys(element).length !== 1)
      throw disclosureRejection('The digest of an element must be the only member of its object.');
    const disclosure = consumeDisclosure(element['...'], state);
    if (disclosure === undefined) continue;
    if (disclosure.length !== 2)
      throw disclosureRejection('The disclosure of an element must not have a name.');
    elements[index] = discloseValue(disclosure[1], state);
  }
  return elements;
}

function discloseObject(object: Members, state: DisclosureState, isTop: boolean): Members {
  const members = new Map<string, unknown>();
  for (const [name, value] of Object.entries(object)) {
    if (name === '...' || name === '__proto__' || (name === '_sd_alg' && !isTop)) {
      throw disclosureRejection('A member must not have a reserved name.');
    }
    if (name !== '_sd') members.set(name, discloseValue(value, state));
  }
  if (Object.hasOwn(object, '_sd')) discloseMembers(object._sd, members, state, isTop);
  members.delete('_sd_alg');
  return Object.fromEntries(members);
}

/** Adds the disclosed members of one object. */
function discloseMembers(
  digests: unknown,
  members: Map<string, unknown>,
  state: DisclosureState,
  isTop: boolean,
): void {
  if (!Array.isArray(digests)) throw disclosureRejection('_sd must be an array of digests.');
  for (const digest of digests) {
    const disclosure = consumeDisclosure(digest, state);
    if (disclosure === undefined) continue;
    const [, name, value] = disclosure;
    if (disclosure.length !== 3 || typeof name !== 'string')
      throw disclosureRejection('The disclosure of a member must have a name.');
    if (isTop && NEVER_DISCLOSED.includes(name)) {
      throw disclosureRejection(`These members must not be in a disclosure: ${NEVER_DISCLOSED.join(', ')}.`);
    }
    if (RESERVED_NAMES.includes(name) || members.has(name)) {
      throw disclosureRejection('A disclosure must not overwrite a member or have a reserved name.');
    }
    members.set(name, discloseValue(value, state));
  }
}

/** Returns the disclosure of a digest, if present. Digests must be unique in the credential, decoys included. */
function consumeDisclosure(
  digest: unknown,
  { digests, unused }: DisclosureState,
): readonly unknown[] | undefined {
  if (typeof digest !== 'string' || !/^[A-Za-z0-9_-]{43,86}$/.test(digest) || digests.has(digest)) {
    throw disclosureRejection('Each digest must be base64url and must not be repeated.');
  }
  digests.add(digest);
  const disclosure = unused.get(digest);
  unused.delete(digest);
  return disclosure;
}

function disclosureRejection(message: string): CredentialRejection {
  return new CredentialRejection('disclosure', message);
}

/** Maximum age of a key-binding JWT. */
const MAX_AGE_SECONDS = 300;
/** Allowed clock difference of the holder. */
const CLOCK_TOLERANCE_SECONDS = 60;

/** The presented key binding. */
export interface KeyBinding {
  /** The SD-JWT up to and including its last tilde. */
  readonly sdJwt: string;
  /** The key-binding JWT. */
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
 * @throws {CredentialRejection} `key_binding` unless the key in `cnf` signed this challenge and this SD-JWT within the last five minutes,
 *   and the JWT is valid now; the reasons of `decodeSignedText`.
 * @throws {MalformedJws}
 */
async function verifyKeyBinding(
  { sdJwt, proof, confirmation, hash }: KeyBinding,
  challenge: KeyBindingChallenge | undefined,
  now: number,
): Promise<void> {
  if (challenge === undefined) {
    throw keyBindingRejection(
      'With a key-binding JWT, the request must have the `audience` and `nonce` that it was made for.',
    );
  }
  if (proof === '')
    throw keyBindingRejection('With `audience` and `nonce`, the SD-JWT must end in a key-binding JWT.');
  const key = isPlainObject(confirmation) ? confirmation.jwk : undefined;
  if (!isPlainObject(key))
    throw keyBindingRejection('cnf must contain the public key of the holder as `jwk`.');
  const signed = decodeSignedText(proof, ['kb+jwt']);
  await assertSignedBy(key, signed);
  const { aud, nonce, iat, nbf = 0, exp = Number.POSITIVE_INFINITY, sd_hash: sdHash } = signed.payload;
  if (aud !== challenge.audience || nonce !== challenge.nonce) {
    throw keyBindingRejection(
      'aud and nonce of the key-binding JWT must equal the `audience` and `nonce` of the request.',
    );
  }
  const seconds = now / MS_PER_SECOND;
  if (typeof iat !== 'number' || iat < seconds - MAX_AGE_SECONDS || iat > seconds + CLOCK_TOLERANCE_SECONDS) {
    throw keyBindingRejection(
      `iat of the key-binding JWT must be within the last ${MAX_AGE_SECONDS} seconds.`,
    );
  }
  if (
    typeof nbf !== 'number' ||
    nbf > seconds + CLOCK_TOLERANCE_SECONDS ||
    typeof exp !== 'number' ||
    exp <= seconds
  )
    throw keyBindingRejection(
      'exp of the key-binding JWT must be in the future, and nbf must not be: both are NumericDate.',
    );
  if (sdHash !== createHash(hash).update(sdJwt).digest('base64url')) {
    throw keyBindingRejection('sd_hash of the key-binding JWT must be the hash of the SD-JWT before it.');
  }
}

/** Verifies the signature with the key in `cnf`, ignoring `kid` in both the key and the header. */
async function assertSignedBy(
  { kid: _keyKid, ...key }: Members,
  { text, header }: CompactJws,
): Promise<void> {
  const { kid: _headerKid, ...rest } = header;
  try {
    // `verifySignature` checks whether the key fits the algorithm.
    await verifySignature({ text, header: rest }, { issuer: 'cnf', keys: [key as unknown as PublicJwk] });
  } catch (error) {
    if (!(error instanceof CredentialRejection)) throw error;
    throw keyBindingRejection('The key-binding JWT must be signed with the key in cnf.');
  }
}

function keyBindingRejection(message: string): CredentialRejection {
  return new CredentialRejection('key_binding', message);
}
