/** Applying an explanation changes the outcome, and no smaller change does. */
import fc from 'fast-check';
import { explain } from '../../../src/analysis/index.js';
import { ClaimSet, compile, type JsonValue, type PolicyItemInput } from '../../../src/index.js';
import { USUAL_INSTANT } from '../../../src/testing/arbitraries/instant.js';
import { type CredentialDraft, credentialDrafts, toCredentials } from '../../../src/testing/index.js';
import { assert } from './assert.js';
import { claimSetOf, type SeenClaims, seenClaims, valuesNear } from './people.js';
import { type AnalysisProperty, drawnItem } from './property.js';
import { ANY_COST, regex } from './regex.js';

interface Drawn {
  readonly item: PolicyItemInput;
  readonly drafts: readonly CredentialDraft[];
}

const catalogue = { scopes: [], expand: () => new Set(['all']), coveringScopes: () => ['all'] };
const options = { regex, limits: ANY_COST, now: USUAL_INSTANT, scopes: ['all'], catalogue };

/** Search spaces of up to this many claims are searched exhaustively. */
const SMALL_WORLD = 2;

export const explanations: AnalysisProperty<Drawn> = {
  name: 'explanations',
  drawn: fc.record({ item: drawnItem(), drafts: credentialDrafts() }),
  holds: ({ item, drafts }, tally) => {
    const query = { policy: { allOf: [item] } };
    const asked = compile(query, { ...options, catalogue });
    const credentials = toCredentials(drafts, [item] as unknown as JsonValue, USUAL_INSTANT);
    const seen = seenClaims(ClaimSet.at(credentials, USUAL_INSTANT), asked.claims);
    // A member of another claim cannot change alone, so claims are read as checks see them.
    const own = claimSetOf(seen);
    if (own === undefined) return;
    const explained = explain(query, credentials, options);
    const passes = asked.test(own);
    assert(explained.passes === passes, 'it says that it comes out otherwise than it does');
    tally(
      `${passes ? 'passes' : 'fails'}${explained.incomplete === undefined ? '' : `, ${explained.incomplete}`}`,
      {
        answer: 'yes',
      },
    );
    if (explained.changesAt !== undefined) {
      const flipped = asked.test(ClaimSet.at(credentials, explained.changesAt)) !== passes;
      assert(flipped, 'at the instant named nothing changes');
    }
    const values = valuesNear(item as unknown as JsonValue);
    if (explained.passes) {
      const free = asked.claims.filter((path) => !explained.sufficient.includes(path));
      assert(
        everyCompletion(seen, free, values, (claims) => asked.test(claims)),
        'what is said to suffice does not',
      );
      return;
    }
    for (const changes of explained.changes) {
      const changed = new Map([
        ...seen,
        ...changes.map(({ claim, to }): [string, JsonValue | undefined] => [claim, to]),
      ]);
      const claims = claimSetOf(changed);
      assert(claims !== undefined && asked.test(claims), 'changed as it says, it does not pass');
    }
    const size = explained.changes[0]?.length ?? asked.claims.length + 1;
    assert(
      explained.changes.every((changes) => changes.length === size),
      'sets of different sizes are told',
    );
    // One claim less than the explanation requires.
    if (explained.incomplete !== undefined || asked.claims.length > SMALL_WORLD + 1) return;
    for (const path of asked.claims) {
      const fewer = size === 1 ? [] : size === 2 ? [path] : asked.claims.filter((other) => other !== path);
      assert(
        everyCompletion(seen, fewer, values, (claims) => !asked.test(claims)),
        'less would do',
      );
    }
  },
};

/** Returns whether a condition holds for all values of some claims. */
function everyCompletion(
  seen: SeenClaims,
  free: readonly string[],
  values: readonly (JsonValue | undefined)[],
  holds: (claims: ClaimSet) => boolean,
): boolean {
  if (free.length > SMALL_WORLD) return true;
  const [path, ...others] = free;
  if (path === undefined) {
    const claims = claimSetOf(seen);
    return claims === undefined || holds(claims);
  }
  return values.every((value) => everyCompletion(new Map([...seen, [path, value]]), others, values, holds));
}
