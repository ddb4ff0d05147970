/** One compact JWS (RFC 7515): strict reading, the issuer's key, the signature. */
import { compactVerify, importJWK, type JWK } from 'jose';
import type { PublicJwk, TrustedIssuer } from '../../service/index.js';
import { type CompactJws, decodeCompactJws, type Members, mediaTypeOf } from '../compact-jws.js';
import { CredentialRefusal } from './refusal.js';

/** The key type and curve of each algorithm that is taken: asymmetric ones only, so that no public key is a secret. */
const ALGORITHMS: ReadonlyMap<unknown, { readonly kty: string; readonly crv?: string }> = new Map([
  ['ES256', { kty: 'EC', crv: 'P-256' }],
  ['ES384', { kty: 'EC', crv: 'P-384' }],
  ['RS256', { kty: 'RSA' }],
  ['PS256', { kty: 'RSA' }],
  ['EdDSA', { kty: 'OKP', crv: 'Ed25519' }],
]);

/**
 * Decodes a JWS and checks its header. Verifies no signature.
 *
 * @param mediaTypes - The accepted values of `typ`; `undefined` for a header without one.
 * @throws {MalformedJws}
 * @throws {CredentialRefusal}
 */
export function readSignedText(text: string, mediaTypes: readonly unknown[]): CompactJws {
  const jws = decodeCompactJws(text);
  const { header } = jws;
  if (!ALGORITHMS.has(header.alg)) {
    throw new CredentialRefusal('algorithm', `alg must be one of ${[...ALGORITHMS.keys()].join(', ')}.`);
  }
  if (header.crit !== undefined)
    throw new CredentialRefusal('critical_header', 'crit must be absent: no extension is supported.');
  if (!mediaTypes.includes(mediaTypeOf(header))) {
    const named = mediaTypes.filter((type) => type !== undefined).join(', ');
    throw new CredentialRefusal('media_type', `typ must be one of ${named}.`);
  }
  return jws;
}

/**
 * Verifies the signature with a configured key of the issuer, whatever the header says of keys.
 *
 * @throws {CredentialRefusal} `key_unknown`, `signature`
 */
export async function verifySignature(
  { text, header }: Pick<CompactJws, 'text' | 'header'>,
  issuer: Pick<TrustedIssuer, 'issuer' | 'keys'>,
): Promise<void> {
  const alg = header.alg as string;
  const key = chooseKey(header, issuer);
  try {
    await compactVerify(text, await importJWK(key as JWK, alg), { algorithms: [alg] });
  } catch {
    throw new CredentialRefusal('signature', 'The signature does not verify with the configured key.');
  }
}

/** The configured issuer of a name. Throws a refusal where there is none. */
export function findIssuer(name: unknown, issuers: readonly TrustedIssuer[]): TrustedIssuer {
  const issuer = issuers.find((candidate) => candidate.issuer === name);
  if (issuer === undefined)
    throw new CredentialRefusal('issuer_unknown', 'The issuer must be one that is configured.');
  return issuer;
}

/** The key that `kid` names; without a name on either side, the only one that fits the algorithm. */
function chooseKey(
  { alg, kid }: Members,
  { issuer, keys }: Pick<TrustedIssuer, 'issuer' | 'keys'>,
): PublicJwk {
  const fitting = keys.filter((key) => fits(key, alg));
  const isNamed = (key: PublicJwk): boolean =>
    key.kid !== undefined && [key.kid, `#${key.kid}`, `${issuer}#${key.kid}`].includes(kid as string);
  const named = kid === undefined ? fitting : fitting.filter(isNamed);
  const chosen = named.length > 0 ? named : fitting.filter((key) => key.kid === undefined);
  if (chosen.length !== 1) {
    throw new CredentialRefusal(
      'key_unknown',
      'kid and alg must name exactly one configured key of the issuer.',
    );
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
