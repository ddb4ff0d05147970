/** One compact JWS (RFC 7515): strict reading, the issuer's key, the signature. */
import { base64url, compactVerify, importJWK, type JWK } from 'jose';
import type { PublicJwk, TrustedIssuer } from '../../service/index.js';
import { CredentialRefusal } from './refusal.js';

type Members = Readonly<Record<string, unknown>>;

export interface SignedText {
  readonly text: string;
  readonly header: Members;
  readonly payload: Members;
}

/** The key type and curve of each algorithm that is taken: asymmetric ones only, so that no public key is a secret. */
const ALGORITHMS: ReadonlyMap<unknown, { readonly kty: string; readonly crv?: string }> = new Map([
  ['ES256', { kty: 'EC', crv: 'P-256' }],
  ['ES384', { kty: 'EC', crv: 'P-384' }],
  ['RS256', { kty: 'RSA' }],
  ['PS256', { kty: 'RSA' }],
  ['EdDSA', { kty: 'OKP', crv: 'Ed25519' }],
]);

const ESCAPED = /\\u(?:0000|d[89a-f])/i;
/** U+0000 or a lone surrogate, as `JSON.stringify` writes it. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** Reads without believing. Throws a refusal for what is no compact JWS, or one of a kind that is not taken. */
export function readSignedText(text: string, mediaTypes: readonly unknown[]): SignedText {
  const parts = text.split('.');
  if (parts.length !== 3) throw new CredentialRefusal('malformed', 'A JWT has three parts.');
  const [header, payload] = parts.map(decodeCanonical).slice(0, 2).map(readObject) as [Members, Members];
  if (!ALGORITHMS.has(header.alg)) {
    throw new CredentialRefusal('algorithm', `alg is one of ${[...ALGORITHMS.keys()].join(', ')}.`);
  }
  if (header.crit !== undefined)
    throw new CredentialRefusal('critical_header', 'No crit extension is known.');
  const typ =
    typeof header.typ === 'string' ? header.typ.toLowerCase().replace(/^application\//, '') : header.typ;
  if (!mediaTypes.includes(typ)) {
    const named = mediaTypes.filter((type) => type !== undefined).join(', ');
    throw new CredentialRefusal('media_type', `typ is one of ${named}.`);
  }
  return { text, header, payload };
}

/** Throws a refusal unless a key of the issuer made the signature. */
export async function verifySignature({ text, header }: SignedText, issuer: TrustedIssuer): Promise<void> {
  const alg = header.alg as string;
  const key = chooseKey(header, issuer);
  try {
    await compactVerify(text, await importJWK(key as JWK, alg), { algorithms: [alg] });
  } catch {
    throw new CredentialRefusal('signature', "The signature is made with the issuer's configured key.");
  }
}

/** The configured issuer of a name. Throws a refusal where there is none. */
export function findIssuer(name: unknown, issuers: readonly TrustedIssuer[]): TrustedIssuer {
  const issuer = issuers.find((candidate) => candidate.issuer === name);
  if (issuer === undefined)
    throw new CredentialRefusal('issuer_unknown', 'The issuer is one that is configured.');
  return issuer;
}

/** Bytes of base64url text. Refuses padding and unused bits that are set: one text for one value (RFC 4648 §3.5). */
export function decodeCanonical(text: string): Uint8Array {
  const bytes = /^[A-Za-z0-9_-]+$/.test(text) ? base64url.decode(text) : undefined;
  if (bytes === undefined || base64url.encode(bytes) !== text) {
    throw new CredentialRefusal('malformed', 'Each part is base64url without padding.');
  }
  return bytes;
}

/** JSON in UTF-8, of texts that a store can keep (S35, S36). Throws a refusal for anything else. */
export function readJson(bytes: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new CredentialRefusal('malformed', 'Each part is JSON in UTF-8.');
  }
  // Written again, what is well formed stands there as it is: only what is not is escaped.
  if (ESCAPED.test(text) && UNSTORABLE.test(JSON.stringify(value)))
    throw new CredentialRefusal('malformed', 'Texts are well-formed Unicode without U+0000.');
  return value;
}

/** Whether a value of `JSON.parse` is an object. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readObject(bytes: Uint8Array): Members {
  const value = readJson(bytes);
  if (!isObject(value)) throw new CredentialRefusal('malformed', 'Header and payload are JSON objects.');
  return value;
}

/** The key that `kid` names; without a name on either side, the only one that fits the algorithm. */
function chooseKey({ alg, kid }: Members, { issuer, keys }: TrustedIssuer): PublicJwk {
  const fitting = keys.filter((key) => fits(key, alg));
  const isNamed = (key: PublicJwk): boolean =>
    key.kid !== undefined && [key.kid, `#${key.kid}`, `${issuer}#${key.kid}`].includes(kid as string);
  const named = kid === undefined ? fitting : fitting.filter(isNamed);
  const chosen = named.length > 0 ? named : fitting.filter((key) => key.kid === undefined);
  if (chosen.length !== 1) {
    throw new CredentialRefusal('key_unknown', 'kid and alg name exactly one configured key of the issuer.');
  }
  return chosen[0] as PublicJwk;
}

function fits(key: PublicJwk, alg: unknown): boolean {
  const wanted = ALGORITHMS.get(alg);
  return (
    key.kty === wanted?.kty &&
    (wanted?.crv === undefined || key.crv === wanted.crv) &&
    (key.alg === undefined || key.alg === alg) &&
    (key.use === undefined || key.use === 'sig')
  );
}
