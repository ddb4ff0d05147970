/** Checks that applying an explanation changes the outcome, and that no smaller change does. */
import fc from 'fast-check';
import { explain } from '../../../src/analysis/index.js';
import { ClaimSet, type JsonValue, type PolicyItemInput } from '../../../src/index.js';
import { USUAL_INSTANT } from '../../../src/testing/arbitraries/instant.js';
import { type CredentialDraft, credentialDrafts, toCredentials } from '../../../src/testing/index.js';
import { compile } from '../../support/with-re2js.js';
import { assert } from './assert.js';
import { claimSetOf, independentClaims, type SeenClaims, seenClaims, valuesNear } from './people.js';
import { type AnalysisProperty, drawnItem } from './property.js';
import { ANY_COST, regex } from './regex.js';

interface Drawn {
  readonly item: PolicyItemInput;
  readonly drafts: readonly CredentialDraft[];
}

const catalogue = { scopes: [], expand: () => new Set(['all']), coveringScopes: () => ['all'] };
const options = { regex, limits: ANY_COST, now: USUAL_INSTANT, scopes: ['all'], catalogue };

/** Maximum number of free claims whose values are tried exhaustively. */
const MAX_FREE_CLAIMS = 2;

export const explanations: AnalysisProperty<Drawn> = {
  name: 'explanations',
  drawn: fc.record({ item: drawnItem(), drafts: credentialDrafts() }),
  check: ({ item, drafts }, tally) => {
    const query = { policy: { allOf: [item] } };
    const compiled = compile(query, { regex, limits: ANY_COST, catalogue });
    const credentials = toCredentials(drafts, [item] as unknown as JsonValue, USUAL_INSTANT);
    const person = ClaimSet.at(credentials, USUAL_INSTANT);
    const seen = seenClaims(person, compiled.claims);
    // Defines each claim separately, with the value that its checks see: a claim that is a member of another one could not change alone.
    const claimSet = claimSetOf(seen);
    if (claimSet === undefined) return;
    const explained = explain(query, credentials, options);
    const passes = compiled.test(claimSet);
    assert(explained.passes === passes, 'the explanation states another outcome');
    tally(
      `${passes ? 'passes' : 'fails'}${explained.incomplete === undefined ? '' : `, ${explained.incomplete}`}`,
      {
        answer: 'yes',
      },
    );
    if (explained.changesAt !== undefined) {
      const flipped = compiled.test(ClaimSet.at(credentials, explained.changesAt)) !== passes;
      assert(flipped, 'the outcome does not change at the stated instant');
    }
    const values = valuesNear(item as unknown as JsonValue);
    if (explained.passes) {
      const free = compiled.claims.filter((path) => !explained.sufficient.includes(path));
      assert(
        everyCompletion(seen, free, values, (claims) => compiled.test(claims)),
        'the sufficient claims do not suffice',
      );
      return;
    }
    // A claim that is a member of another one of the query changes with it.
    const independent = independentClaims(person, compiled.claims);
    for (const changes of explained.changes) {
      const changed = new Map([
        ...independent,
        ...changes.map(({ claim, to }): [string, JsonValue | undefined] => [claim, to]),
      ]);
      const claims = claimSetOf(changed);
      assert(
        claims !== undefined && compiled.test(claims),
        'the policy does not pass with the stated changes',
      );
    }
    const size = explained.changes[0]?.length ?? compiled.claims.length + 1;
    assert(
      explained.changes.every((changes) => changes.length === size),
      'the sets of changes have different sizes',
    );
    // Changing one claim fewer than the explanation requires must not suffice. Of three claims without sufficient changes, only two are changed.
    if (explained.incomplete !== undefined || compiled.claims.length > MAX_FREE_CLAIMS + 1) return;
    for (const path of compiled.claims) {
      const others = compiled.claims.filter((other) => other !== path);
      const fewer =
        size === 1 ? [] : size === 2 ? [path] : compiled.claims.length === 2 ? compiled.claims : others;
      assert(
        everyCompletion(independent, fewer, values, (claims) => !compiled.test(claims)),
        'fewer changes suffice',
      );
    }
  },
};

/** Whether a condition is true for all combinations of values of the free claims. */
function everyCompletion(
  seen: SeenClaims,
  free: readonly string[],
  values: readonly (JsonValue | undefined)[],
  condition: (claims: ClaimSet) => boolean,
): boolean {
  if (free.length > MAX_FREE_CLAIMS) return true;
  const [path, ...others] = free;
  if (path === undefined) {
    const claims = claimSetOf(seen);
    return claims === undefined || condition(claims);
  }
  return values.every((value) =>
    everyCompletion(new Map([...seen, [path, value]]), others, values, condition),
  );
}
