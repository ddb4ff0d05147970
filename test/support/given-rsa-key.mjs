/** Loaded into commands under test: their first RSA key is that of the run, since making one takes a second of a processor. */
const { subtle } = globalThis.crypto;
const generateKey = subtle.generateKey.bind(subtle);
let given = process.env.PROVISO_TEST_RSA_KEY || undefined;

subtle.generateKey = async (algorithm, extractable, usages) => {
  if (given === undefined || !algorithm.name?.startsWith('RSA'))
    return await generateKey(algorithm, extractable, usages);
  const jwk = JSON.parse(given);
  given = undefined;
  const { kty, n, e } = jwk;
  return {
    privateKey: await subtle.importKey('jwk', jwk, algorithm, extractable, ['sign']),
    publicKey: await subtle.importKey('jwk', { kty, n, e }, algorithm, true, ['verify']),
  };
};
