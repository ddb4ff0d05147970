/** Checks that the corrected query of each `lint` finding has the stated relation to the original. */
import fc from 'fast-check';
import { lint, satisfiable } from '../../../src/analysis/index.js';
import { ClaimSet, DEFAULT_CLAIMS, type JsonValue, type PolicyItemInput } from '../../../src/index.js';
import { USUAL_INSTANT } from '../../../src/testing/arbitraries/instant.js';
import { type CredentialDraft, credentialDrafts, toCredentials } from '../../../src/testing/index.js';
import { compile } from '../../support/with-re2js.js';
import { assert } from './assert.js';
import { type AnalysisProperty, drawnItem } from './property.js';
import { ANY_COST, regex } from './regex.js';

interface Drawn {
  readonly items: readonly PolicyItemInput[];
  readonly kind: 'allOf' | 'anyOf';
  readonly people: readonly (readonly CredentialDraft[])[];
}

const options = { regex, limits: ANY_COST };
const catalogue = { claims: DEFAULT_CLAIMS };

export const findings: AnalysisProperty<Drawn> = {
  name: 'findings',
  drawn: fc.record({
    items: fc.array(drawnItem(), { minLength: 1, maxLength: 3 }),
    kind: fc.constantFrom('allOf', 'anyOf'),
    people: fc.array(credentialDrafts(), { minLength: 6, maxLength: 6 }),
  }),
  check: ({ items, kind, people }, tally) => {
    const query = { policy: { [kind]: items } };
    const report = lint(query, catalogue, options);
    const compiled = compile(query, options);
    const sets = people.map((drafts) =>
      ClaimSet.at(toCredentials(drafts, items as unknown as JsonValue, USUAL_INSTANT), USUAL_INSTANT),
    );
    for (const { code, suggestion, relation } of report.findings) {
      tally(code, { answer: 'yes' });
      if (suggestion === undefined) continue;
      assert(satisfiable(suggestion, options).answer === 'yes', `${code}: the suggestion never passes`);
      const changed = compile(suggestion, options);
      for (const claims of sets) {
        const [before, after] = [compiled.test(claims), changed.test(claims)];
        assert(
          relation === 'equivalent' ? before === after : before || !after,
          `${code}: the suggestion is not ${relation}`,
        );
      }
    }
  },
};
