/** Queries of a soak test and their expected results, computed by the reference interpreter, which shares no evaluation code with the service. */
import type { JsonValue } from '../../../src/engine/index.js';
import { re2js } from '../../../src/regex/re2js.js';
import { sandboxPeople } from '../../../src/service/sandbox/people.js';
import { interpret } from '../../../src/testing/index.js';

/** A query and its expected result. */
export interface QueryExpectation {
  readonly query: JsonValue;
  /** The result, rendered by {@link toText}. */
  readonly expected: string;
}

/** The expected results for a person. */
export interface ExpectedResults {
  readonly queries: readonly QueryExpectation[];
  /** The values of {@link PRESETS} as JSON, without those that have no value. */
  readonly presets: string;
}

/** Presets, and the claims that they read. */
export const PRESETS: readonly (readonly [preset: string, claim: string])[] = [
  ['kyc_level', 'kyc.level'],
  ['nationality', 'identity.nationality'],
];

/** Scopes of every grant in a soak. */
export const SCOPES = ['openid', 'identity:read', 'kyc:read'];

/** All claims are covered by the granted scopes. */
const COVERED = [{ name: 'identity:read', covers: ['identity', 'kyc'] }];

/** Queries on stored claims only; derived claims have other tests. */
const QUERIES: readonly JsonValue[] = [
  { check: { claim: 'kyc.level', operator: '==', value: 'enhanced' } },
  { check: { claim: 'identity.country_of_residence', operator: 'in', value: ['PT', 'ES', 'DE'] } },
  { check: { claim: 'kyc.passed', operator: '!=', value: true } },
  { check: { claim: 'identity.email', operator: 'matchRegex', value: '^[a-z.]+@example\\.(?:org|com)$' } },
  { check: { claim: 'identity.palm_verified', operator: 'isDefined' } },
  {
    policy: {
      anyOf: [
        { claim: 'identity.nationality', operator: '==', value: 'PT' },
        {
          allOf: [
            { claim: 'kyc.sanctions_clear', operator: '==', value: true },
            { not: { claim: 'kyc.level', operator: 'in', value: ['none', 'basic'] } },
          ],
        },
      ],
    },
  },
  { policy: { not: { claim: 'kyc.document_country', operator: 'startsWith', value: 'P' } } },
  {
    projections: [
      { claim: 'kyc.level', lens: 'pluck' },
      { claim: 'identity.wallet_addresses', lens: 'at', index: -1 },
    ],
  },
];

/** Computes the expected results of each person of the sandbox, by name. @param now - Epoch milliseconds. */
export function expectedResultsByPerson(now: number): ReadonlyMap<string, ExpectedResults> {
  const options = { now, scopes: SCOPES, catalogue: COVERED, regex: re2js };
  const areDefined = PRESETS.map(([, claim]) => ({ claim, operator: 'isDefined' }));
  return new Map(
    sandboxPeople(now).map(({ person, credentials }) => {
      const queries = QUERIES.map((query) => ({
        query,
        expected: toText(interpret(query, credentials, options)),
      }));
      const { evidence } = interpret({ policy: { anyOf: areDefined } }, credentials, options) as Predicate;
      const values = PRESETS.map(([preset], index) => [preset, evidence?.checkResults[index]?.actualValue]);
      return [person.name, { queries, presets: JSON.stringify(Object.fromEntries(values)) }];
    }),
  );
}

interface Predicate {
  readonly type?: string;
  readonly passed?: boolean;
  readonly data?: unknown;
  readonly evidence?: { readonly checkResults: readonly { readonly actualValue?: unknown }[] };
}

/** Renders the comparable parts of a result: whether it passed and the values of its checks, but no instants and no credential ids. */
export function toText(result: unknown): string {
  const { type, passed, data, evidence } = result as Predicate;
  if (type !== 'predicate') return `data ${JSON.stringify(data)}`;
  return `passed ${passed}, saw ${JSON.stringify(evidence?.checkResults.map(({ actualValue }) => actualValue ?? null))}`;
}
