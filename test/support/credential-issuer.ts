/** A test issuer and a test holder with keys, and transformations after which the signature is still valid. */
import { createHash, type KeyObject, sign as signBytes } from 'node:crypto';
import type { PublicJwk, TrustedIssuer } from '../../src/service/index.js';
import { createKeyPair } from './key-pair.js';

type Members = Readonly<Record<string, unknown>>;

/** A P-256 key. */
export interface TestKey {
  readonly privateKey: KeyObject;
  readonly jwk: PublicJwk;
}

const CREDENTIAL_TYPE = 'Person';

export function createKey(): TestKey {
  const { privateKey, publicKey } = createKeyPair('P-256');
  return { privateKey, jwk: publicKey.export({ format: 'jwk' }) as PublicJwk };
}

/** Signs header and payload, each an object or a JSON text, as a compact JWS with ES256. */
export function signJws(
  header: object | string,
  payload: object | string,
  { privateKey }: Pick<TestKey, 'privateKey'>,
): string {
  const content = [header, payload].map(encode).join('.');
  const signature = signBytes('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

/** Encodes a string, or an object as JSON, in base64url. */
export function encode(value: object | string): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Returns a trusted issuer that maps `/level` to `kyc.level` and `/nationality` to `identity.nationality`. Its credentials need no subject. */
export function trustedIssuer(
  issuer: string,
  { jwk }: Pick<TestKey, 'jwk'>,
  more: Partial<TrustedIssuer> = {},
): TrustedIssuer {
  const claims = { '/level': 'kyc.level', '/nationality': 'identity.nationality' };
  const mappings = [{ type: CREDENTIAL_TYPE, claims }];
  return { issuer, source: issuer, keys: [jwk], mappings, subject: 'optional', ...more };
}

/** Returns the payload of an SD-JWT VC without an id. */
export function sdJwtPayload(issuer: string, more: Members = {}): Members {
  return { iss: issuer, iat: 1_700_000_000, vct: CREDENTIAL_TYPE, ...more };
}

export function vcPayload(issuer: string, more: Members = {}): Members {
  const type = ['VerifiableCredential', CREDENTIAL_TYPE];
  return { iss: issuer, nbf: 1_700_000_000, type, credentialSubject: { level: 'basic' }, ...more };
}

export function jwtVc(payload: object | string, key: TestKey, header: object = {}): string {
  return signJws({ alg: 'ES256', typ: 'vc+jwt', ...header }, payload, key);
}

/** Signs an SD-JWT VC with selectively disclosable members, in this order. */
export function sdJwtVc(payload: Members, key: TestKey, disclosed: Members = {}): string {
  const disclosures = Object.entries(disclosed).map(([name, value]) =>
    encode([`salt of ${name}`, name, value]),
  );
  const digests = disclosures.length === 0 ? {} : { _sd: disclosures.map(sha256) };
  const jwt = signJws({ alg: 'ES256', typ: 'dc+sd-jwt' }, { ...payload, ...digests }, key);
  return `${[jwt, ...disclosures].join('~')}~`;
}

/** Returns the same SD-JWT with its disclosures in reverse order. */
export function reversedDisclosures(text: string): string {
  const [jwt, ...rest] = text.split('~');
  return `${[jwt, ...rest.slice(0, -1).reverse()].join('~')}~`;
}

/** Returns the same SD-JWT without its last disclosure. */
export function fewerDisclosures(text: string): string {
  return `${text.split('~').slice(0, -2).join('~')}~`;
}

const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Returns the same content with the equivalent signature `(r, n - s)`, where n is the order of the curve. It is computed without the key. */
export function malleated(text: string): string {
  const [jwt = '', ...rest] = text.split('~');
  const [header, payload, signature = ''] = jwt.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const s = P256_ORDER - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
  return [[header, payload, other.toString('base64url')].join('.'), ...rest].join('~');
}

/** Adds a key binding JWT of the holder to an SD-JWT (RFC 9901 §4.3). */
export function withKeyBinding(sdJwt: string, key: TestKey, claims: Members, header: object = {}): string {
  const proof = { sd_hash: sha256(sdJwt), ...claims };
  return sdJwt + signJws({ alg: 'ES256', typ: 'kb+jwt', ...header }, proof, key);
}
