/** Checks that claims that a query does not read have no effect. */
import { expect, it } from 'vitest';
import { query, scenario } from '../../src/testing/index.js';
import { compile } from '../support/with-re2js.js';
import { holdsForAll, outcomeText, regex } from './law.js';

// L21, L22, L23, S168
it('claims that the query does not read, directly or as members, do not change the result', () => {
  let dropped = 0;
  holdsForAll(scenario(query()), (drawn) => {
    const claimsRead = compile(drawn.query, { regex }).claims;
    const isRead = (path: string) =>
      claimsRead.some((claim) => claim === path || claim.startsWith(`${path}.`));
    const credentials = drawn.credentials.map((credential) => {
      const claims = Object.entries(credential.claims).filter(([path]) => isRead(path));
      dropped += Object.keys(credential.claims).length - claims.length;
      return { ...credential, claims: Object.fromEntries(claims) };
    });
    expect(outcomeText({ ...drawn, credentials })).toBe(outcomeText(drawn));
  });
  expect(dropped).toBeGreaterThan(1_000);
});
