/** Preloaded into commands under test: provides the RSA key of the run, since creating one takes a second. */
const { subtle } = globalThis.crypto;
const generateKey = subtle.generateKey.bind(subtle);
let keyOfRun = process.env.PROVISO_TEST_RSA_KEY || undefined;

subtle.generateKey = async (algorithm, extractable, usages) => {
  if (keyOfRun === undefined || !algorithm.name?.startsWith('RSA'))
    return await generateKey(algorithm, extractable, usages);
  const jwk = JSON.parse(keyOfRun);
  keyOfRun = undefined;
  const { kty, n, e } = jwk;
  return {
    privateKey: await subtle.importKey('jwk', jwk, algorithm, extractable, ['sign']),
    publicKey: await subtle.importKey('jwk', { kty, n, e }, algorithm, true, ['verify']),
  };
};
