/** Proof Key for Code Exchange, PKCE (RFC 7636, V8, S53, S85). */
import { describe, expect, it } from 'vitest';
import {
  isCodeChallenge,
  isCodeVerifier,
  toCodeChallenge,
} from '../../../src/service/grants/authorization-code.js';
import { systemDigest } from '../../../src/system/node-ports.js';

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('PKCE', () => {
  // V8
  it('verifies the example of RFC 7636 appendix B', () => {
    expect(toCodeChallenge(VERIFIER, systemDigest)).toBe(CHALLENGE);
    expect([isCodeVerifier(VERIFIER), isCodeChallenge(CHALLENGE)]).toEqual([true, true]);
  });

  // S85
  it.each([42, 129])('rejects a verifier of %d characters', (length) => {
    expect(isCodeVerifier('a'.repeat(length))).toBe(false);
  });

  // S53, S85
  it.each(['+', '/', '=', ' ', 'é', '\n'])('rejects %j in a verifier and in a challenge', (character) => {
    expect([isCodeVerifier('a'.repeat(43) + character), isCodeChallenge('a'.repeat(42) + character)]).toEqual(
      [false, false],
    );
  });

  // S53
  it.each([42, 44])('rejects a challenge of %d characters', (length) => {
    expect(isCodeChallenge('a'.repeat(length))).toBe(false);
  });
});
