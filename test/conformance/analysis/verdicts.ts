/** Checks that the engine confirms every verdict and witness. */
import fc from 'fast-check';
import {
  equivalent,
  implies,
  satisfiable,
  simplify,
  tautology,
  type Verdict,
} from '../../../src/analysis/index.js';
import {
  ClaimSet,
  type CompiledQuery,
  type JsonValue,
  type PolicyInput,
  type PolicyItemInput,
} from '../../../src/index.js';
import { USUAL_INSTANT } from '../../../src/testing/arbitraries/instant.js';
import { type CredentialDraft, credentialDrafts, toCredentials } from '../../../src/testing/index.js';
import { compile } from '../../support/with-re2js.js';
import { assert } from './assert.js';
import { type AnalysisProperty, drawnItem } from './property.js';
import { ANY_COST, regex } from './regex.js';

interface Drawn {
  readonly items: readonly [PolicyItemInput, PolicyItemInput];
  /** The relation of the second query to the first: independent queries rarely imply each other. */
  readonly relation: 'none' | 'wider' | 'narrower';
  readonly people: readonly (readonly CredentialDraft[])[];
}

const options = { regex, limits: ANY_COST };

export const verdicts: AnalysisProperty<Drawn> = {
  name: 'verdicts',
  drawn: fc.record({
    items: fc.tuple(drawnItem(), drawnItem()),
    relation: fc.constantFrom('none', 'wider', 'narrower'),
    people: fc.array(credentialDrafts(), { minLength: 6, maxLength: 6 }),
  }),
  check: ({ items, relation, people }, tally) => {
    const one = { policy: { allOf: [items[0]] } };
    const other = { policy: relatedPolicy(items, relation) };
    const [first, second] = [one, other].map((query) => compile(query, options)) as [
      CompiledQuery,
      CompiledQuery,
    ];
    const sets = people.map((drafts) =>
      ClaimSet.at(toCredentials(drafts, items as unknown as JsonValue, USUAL_INSTANT), USUAL_INSTANT),
    );
    const passes = sets.map((claims) => ({ first: first.test(claims), second: second.test(claims) }));

    const canPass = tally('satisfiable', satisfiable(one, options));
    if (canPass.answer === 'no')
      assert(!passes.some((person) => person.first), 'the policy passes, but is reported as unsatisfiable');
    assertWitness(canPass, (claims) => first.test(claims));

    const mustPass = tally('tautology', tautology(one, options));
    if (mustPass.answer === 'yes')
      assert(
        passes.every((person) => person.first),
        'the policy fails, but is reported as a tautology',
      );
    assertWitness(mustPass, (claims) => !first.test(claims));

    const implication = tally('implies', implies(one, other, options));
    if (implication.answer === 'yes') {
      assert(
        !passes.some((person) => person.first && !person.second),
        'the first policy passes, but the second, which is reported as implied, does not',
      );
    }
    assertWitness(implication, (claims) => first.test(claims) && !second.test(claims));

    const simplifiedQuery = simplify(one, options);
    const simplified = compile(simplifiedQuery, options);
    assert(
      sets.every((claims, index) => simplified.test(claims) === passes[index]?.first),
      'the simplified policy has another outcome',
    );
    const equivalence = tally('equivalent to the simplified', equivalent(one, simplifiedQuery, options));
    assert(equivalence.answer !== 'no', 'the simplified policy is reported as not equivalent');
  },
};

function relatedPolicy(items: Drawn['items'], relation: Drawn['relation']): PolicyInput {
  switch (relation) {
    case 'none':
      return { allOf: [items[1]] };
    case 'wider':
      return { anyOf: items };
    case 'narrower':
      return { allOf: items };
  }
}

function assertWitness(verdict: Verdict, check: (claims: ClaimSet) => boolean): void {
  if (verdict.answer === 'unknown' || verdict.witness === undefined) return;
  assert(check(ClaimSet.at(verdict.witness, 0)), 'the witness does not confirm the verdict');
}
