/** The claim paths of scenarios: few, so that queries and credentials meet, and such as are easily mistaken (L9, L13). */
import * as fc from 'fast-check';

/** Some reach into others, once or twice; some are named like what every JavaScript object has. */
export const CLAIM_PATHS: readonly string[] = [
  'x.a',
  'x.a.b',
  'x.a.b.c',
  'x.b',
  'x.b.a',
  'x.a.constructor',
  'x.b.length',
  'y.a',
  'y.constructor',
  'y.a.toString',
  'z.Z9_',
];

/** Claim paths, those that are short and reached into most often. */
export function claimPath(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('x.a', 'x.a.b', 'x.a.b.c', 'x.b', 'y.a') },
    { weight: 2, arbitrary: fc.constantFrom(...CLAIM_PATHS) },
  );
}
