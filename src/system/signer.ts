/** Signatures by jose: the only room that touches private keys (V10, S178). */
import { createPublicKey } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import type { Signer } from '../service/index.js';

const RSA_MODULUS_BITS = 3_072;

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
  toPublicJwk: ({ kid, algorithm, privateJwk }) => {
    const jwk = createPublicKey({ key: JSON.parse(privateJwk), format: 'jwk' }).export({ format: 'jwk' });
    return { ...jwk, kid, alg: algorithm, use: 'sig' };
  },
} satisfies Signer);
