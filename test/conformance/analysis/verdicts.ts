/** The engine confirms every verdict and witness. */
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
  compile,
  type JsonValue,
  type PolicyInput,
  type PolicyItemInput,
} from '../../../src/index.js';
import { USUAL_INSTANT } from '../../../src/testing/arbitraries/instant.js';
import { type CredentialDraft, credentialDrafts, toCredentials } from '../../../src/testing/index.js';
import { assert } from './assert.js';
import { type AnalysisProperty, drawnItem } from './property.js';
import { ANY_COST, regex } from './regex.js';

interface Drawn {
  readonly items: readonly [PolicyItemInput, PolicyItemInput];
  /** The relation of the second query to the first: independent queries rarely imply each other. */
  readonly kinship: 'none' | 'wider' | 'narrower';
  readonly people: readonly (readonly CredentialDraft[])[];
}

const options = { regex, limits: ANY_COST };

export const verdicts: AnalysisProperty<Drawn> = {
  name: 'verdicts',
  drawn: fc.record({
    items: fc.tuple(drawnItem(), drawnItem()),
    kinship: fc.constantFrom('none', 'wider', 'narrower'),
    people: fc.array(credentialDrafts(), { minLength: 6, maxLength: 6 }),
  }),
  holds: ({ items, kinship, people }, tally) => {
    const one = { policy: { allOf: [items[0]] } };
    const other = { policy: relative(items, kinship) };
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
      assert(!passes.some((person) => person.first), 'it passes, and is said not to');
    shows(canPass, (claims) => first.test(claims));

    const mustPass = tally('tautology', tautology(one, options));
    if (mustPass.answer === 'yes')
      assert(
        passes.every((person) => person.first),
        'it fails, and is said not to',
      );
    shows(mustPass, (claims) => !first.test(claims));

    const follows = tally('implies', implies(one, other, options));
    if (follows.answer === 'yes') {
      assert(!passes.some((person) => person.first && !person.second), 'one passes without the other');
    }
    shows(follows, (claims) => first.test(claims) && !second.test(claims));

    const simple = simplify(one, options);
    const simplified = compile(simple, options);
    assert(
      sets.every((claims, index) => simplified.test(claims) === passes[index]?.first),
      'simplified, it comes out otherwise',
    );
    const same = tally('equivalent to the simplified', equivalent(one, simple, options));
    assert(same.answer !== 'no', 'simplified, it is said to be another');
  },
};

function relative(items: Drawn['items'], kinship: Drawn['kinship']): PolicyInput {
  switch (kinship) {
    case 'none':
      return { allOf: [items[1]] };
    case 'wider':
      return { anyOf: items };
    case 'narrower':
      return { allOf: items };
  }
}

function shows(verdict: Verdict, check: (claims: ClaimSet) => boolean): void {
  if (verdict.answer === 'unknown' || verdict.witness === undefined) return;
  assert(check(ClaimSet.at(verdict.witness, 0)), 'the witness does not show it');
}
