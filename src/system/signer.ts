/** Signs ID tokens with jose. No other module signs with a key of the JWKS (V10, S178). */
import { createPublicKey } from 'node:crypto';
import {
  calculateJwkThumbprint,
  compactVerify,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose';
import type { Signer } from '../service/index.js';
import { type CompactJws, decodeCompactJws, MalformedJws } from './jws.js';

const RSA_MODULUS_BITS = 3_072;
/** Longer than every ID token that the service issues: JSON writes a nonce of 512 control characters as 3,072. */
const MAX_CODE_UNITS = 8_192;

export const systemSigner: Signer = Object.freeze({
  createKey: async (algorithm) => {
    const { privateKey } = await generateKeyPair(algorithm, {
      extractable: true,
      modulusLength: RSA_MODULUS_BITS,
    });
    const jwk = await exportJWK(privateKey);
    return { kid: await calculateJwkThumbprint(jwk), algorithm, privateJwk: JSON.stringify(jwk) };
  },
  sign: async (claims, { kid, algorithm, privateJwk }) => {
    const key = await importJWK(JSON.parse(privateJwk) as JWK, algorithm);
    return await new SignJWT({ ...claims }).setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' }).sign(key);
  },
  verify: async (token, keys) => {
    const jws = decode(token);
    // Rejects all extensions: jose accepts some, but tokens of the service have none (RFC 7515 §4.1.11).
    if (jws === undefined || jws.header.crit !== undefined) return undefined;
    const { kid, alg } = jws.header;
    const key = keys.find((candidate) => candidate.kid === kid && candidate.algorithm === alg);
    if (key === undefined) return undefined;
    const publicKey = createPublicKey({ key: JSON.parse(key.privateJwk), format: 'jwk' });
    try {
      await compactVerify(token, publicKey, { algorithms: [key.algorithm] });
      return jws.payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  },
  toPublicJwk: ({ kid, algorithm, privateJwk }) => {
    const jwk = createPublicKey({ key: JSON.parse(privateJwk), format: 'jwk' }).export({ format: 'jwk' });
    return { ...jwk, kid, alg: algorithm, use: 'sig' };
  },
} satisfies Signer);

function decode(token: string): CompactJws | undefined {
  if (token.length > MAX_CODE_UNITS) return undefined;
  try {
    return decodeCompactJws(token);
  } catch (error) {
    if (error instanceof MalformedJws) return undefined;
    throw error;
  }
}
