/** A residual has the outcome of its query, for all values of the unknown claims. */
import fc from 'fast-check';
import { residual } from '../../../src/analysis/index.js';
import { ClaimSet, compile, type JsonValue, type PolicyItemInput } from '../../../src/index.js';
import { USUAL_INSTANT } from '../../../src/testing/arbitraries/instant.js';
import { type CredentialDraft, credentialDrafts, toCredentials } from '../../../src/testing/index.js';
import { assert } from './assert.js';
import { claimSetOf, seenClaims, valuesNear } from './people.js';
import { type AnalysisProperty, drawnItem } from './property.js';
import { ANY_COST, regex } from './regex.js';

interface Drawn {
  readonly item: PolicyItemInput;
  readonly drafts: readonly CredentialDraft[];
  /** Selects the known claims, modulo their number. */
  readonly known: readonly boolean[];
  /** Selects the values of the others, modulo their number. */
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
  holds: ({ item, drafts, known, others }, tally) => {
    const query = { policy: { allOf: [item] } };
    const asked = compile(query, options);
    const credentials = toCredentials(drafts, [item] as unknown as JsonValue, USUAL_INSTANT);
    const seen = seenClaims(ClaimSet.at(credentials, USUAL_INSTANT), asked.claims);
    const isKnown = (index: number) => known[index % known.length] === true;
    const given = [...seen].filter((_claim, index) => isKnown(index));
    const left = residual(query, Object.fromEntries(given), options);
    tally(left.kind, { answer: 'yes' });
    if (left.kind === 'open') {
      const reads = compile(left.query, options).claims;
      assert(!reads.some((path) => given.some(([name]) => name === path)), 'it asks for what is known');
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
      const expected = asked.test(claims);
      const found = left.kind === 'decided' ? left.passes : compile(left.query, options).test(claims);
      assert(found === expected, 'completed, it comes out otherwise');
    }
  },
};
