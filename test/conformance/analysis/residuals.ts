/** Checks that a residual has the outcome of its query, for random values of the unknown claims. */
import fc from 'fast-check';
import { residual } from '../../../src/analysis/index.js';
import { ClaimSet, type JsonValue, type PolicyItemInput } from '../../../src/index.js';
import { USUAL_INSTANT } from '../../../src/testing/arbitraries/instant.js';
import { type CredentialDraft, credentialDrafts, toCredentials } from '../../../src/testing/index.js';
import { compile } from '../../support/with-re2js.js';
import { assert } from './assert.js';
import { claimSetOf, seenClaims, valuesNear } from './people.js';
import { type AnalysisProperty, drawnItem } from './property.js';
import { ANY_COST, regex } from './regex.js';

interface Drawn {
  readonly item: PolicyItemInput;
  readonly drafts: readonly CredentialDraft[];
  /** Whether each claim is known, in the order of the claims; repeated if there are more claims. */
  readonly known: readonly boolean[];
  /** Indexes of values for the unknown claims, modulo the number of values. */
  readonly others: readonly number[];
}

const options = { regex, limits: ANY_COST };

export const residuals: AnalysisProperty<Drawn> = {
  name: 'residuals',
  drawn: fc.record({
    item: drawnItem(),
    drafts: credentialDrafts(),
    known: fc.array(fc.boolean(), { minLength: 3, maxLength: 5 }),
    others: fc.array(fc.nat({ max: 60 }), { minLength: 9, maxLength: 15 }),
  }),
  check: ({ item, drafts, known, others }, tally) => {
    const query = { policy: { allOf: [item] } };
    const compiled = compile(query, options);
    const credentials = toCredentials(drafts, [item] as unknown as JsonValue, USUAL_INSTANT);
    const seen = seenClaims(ClaimSet.at(credentials, USUAL_INSTANT), compiled.claims);
    const isKnown = (index: number) => known[index % known.length] === true;
    const knownClaims = [...seen].filter((_claim, index) => isKnown(index));
    const remaining = residual(query, Object.fromEntries(knownClaims), options);
    tally(remaining.kind, { answer: 'yes' });
    if (remaining.kind === 'open') {
      const reads = compile(remaining.query, options).claims;
      assert(
        !reads.some((path) => knownClaims.some(([name]) => name === path)),
        'the residual reads a known claim',
      );
    }
    const values = valuesNear(item as unknown as JsonValue);
    for (let round = 0; round < 5; round += 1) {
      const completed = new Map(
        [...seen].map(([path, value], index) => [
          path,
          isKnown(index) || round === 0
            ? value
            : values[(others[(index + round * 3) % others.length] as number) % values.length],
        ]),
      );
      const claims = claimSetOf(completed);
      if (claims === undefined) continue;
      const expected = compiled.test(claims);
      const found =
        remaining.kind === 'decided' ? remaining.passes : compile(remaining.query, options).test(claims);
      assert(found === expected, 'the residual has another outcome than the query');
    }
  },
};
