/** Example policies: each is a realistic use case, and shows a feature of the language. */

import type { CatalogueClaim } from '../../../engine/index.js';
import type { ServiceCatalogue } from '../../../service/catalogue/service-catalogue.js';
import { addedClaims, DEFAULT } from './catalogue.js';
import { toReadableJson } from './format-json.js';
import { daysBefore, sampleValue } from './people.js';

/** An example policy. */
export interface ExamplePolicy {
  readonly id: string;
  readonly title: string;
  /** A sentence that describes it. */
  readonly description: string;
  /** The query as formatted JSON. */
  readonly text: string;
}

/** A claim in the text of an example. */
const CLAIM = /"claim": "([^"]+)"/g;

/** Maximum number of checks in the example for the user's own catalogue. */
const MAX_ADDED_CLAIMS = 3;

/**
 * Returns the examples whose claims the catalogue has. If the catalogue adds claims to the default one, the first example checks some of these.
 *
 * @param now - Epoch milliseconds; the dates in the examples are relative to it.
 */
export function gallery(now: number, catalogue: ServiceCatalogue = DEFAULT): readonly ExamplePolicy[] {
  const examples = defaultExamples(now);
  if (catalogue === DEFAULT) return examples;
  const added = addedClaims(catalogue).slice(0, MAX_ADDED_CLAIMS);
  const known = examples.filter(({ text }) =>
    [...text.matchAll(CLAIM)].every(([, path = '']) => catalogue.findClaim(path) !== undefined),
  );
  if (added.length === 0) return known;
  const own = example('own', 'Your catalogue', 'The first claims that only your catalogue has.', {
    policy: { allOf: added.map((claim) => sampleCheck(claim, now)) },
  });
  return [own, ...known];
}

/** Returns a check that the first sample value of the claim passes. */
function sampleCheck(claim: CatalogueClaim, now: number): object {
  const value = sampleValue(claim, true, now);
  switch (claim.type) {
    case 'boolean':
    case 'enum':
      return check(claim.path, '==', value);
    case 'number':
    case 'integer':
    case 'date':
    case 'datetime':
      return check(claim.path, '>=', value);
    case 'string':
    case 'array':
    case 'object':
      return check(claim.path, 'isDefined');
  }
}

function defaultExamples(now: number): readonly ExamplePolicy[] {
  return [
    example(
      'fresh',
      'Recent KYC check',
      'Checked within 90 days, or in depth; and not on a sanctions list.',
      {
        policy: {
          allOf: [
            check('kyc.passed', '==', true),
            {
              anyOf: [
                check('kyc.last_updated_at', '>=', daysBefore(now, 90)),
                check('kyc.level', '==', 'enhanced'),
              ],
            },
            check('kyc.sanctions_clear', '==', true),
            { not: check('kyc.document_country', 'in', ['KP', 'IR']) },
          ],
        },
      },
    ),
    example('age', 'Of age', 'Eighteen or older, and a human. Does not disclose the date of birth.', {
      policy: {
        allOf: [check('identity.age_over_18', '==', true), check('identity.is_human', '==', true)],
      },
    }),
    example(
      'residence',
      'Lives in Europe',
      'By country of residence, with an e-mail address or a phone number.',
      {
        policy: {
          allOf: [
            check('identity.residency_region', '==', 'Europe'),
            check('identity.country_of_residence', 'notIn', ['RU', 'BY']),
            {
              anyOf: [check('identity.email', 'isDefined'), check('identity.phone', 'startsWith', '+')],
            },
          ],
        },
      },
    ),
    example(
      'investor',
      'Accredited investor',
      'Wealth or income above a threshold, and not politically exposed.',
      {
        policy: {
          allOf: [
            check('identity.age', '>=', 18),
            {
              anyOf: [
                check('financial.net_worth', '>=', 1_000_000),
                check('financial.verified_income', '>=', 200_000),
              ],
            },
            check('kyc.aml_screening_passed', '==', true),
            {
              not: {
                anyOf: [check('kyc.pep_status', '==', true), check('kyc.is_high_risk', '==', true)],
              },
            },
          ],
        },
      },
    ),
    example('pattern', 'A pattern', 'An e-mail address at one of two domains, matched in linear time.', {
      check: check('identity.email', 'matchRegex', '@example\\.(org|com)$'),
    }),
    example(
      'disclose',
      'Only a part',
      'No condition: parts of claims, such as the city without the street.',
      {
        projections: [
          { claim: 'identity.address_full', lens: 'pick', fields: ['locality', 'country'] },
          { claim: 'identity.wallet_addresses', lens: 'at', index: 0 },
          { claim: 'kyc.level', lens: 'pluck' },
        ],
      },
    ),
  ];
}

function example(id: string, title: string, description: string, query: unknown): ExamplePolicy {
  return { id, title, description, text: toReadableJson(query) };
}

function check(claim: string, operator: string, value?: unknown): object {
  return value === undefined ? { claim, operator } : { claim, operator, value };
}
