/** Code generated from the query that gathers the same evidence as `evaluate`: shows how much of the cost is the evidence itself. */

import { checksOf } from '../../src/engine/query/query.js';
import {
  type Check,
  type Credential,
  formatInstant,
  type PolicyItem,
  type PredicateResult,
} from '../../src/index.js';
import { flatName } from '../scenarios/claims.js';
import { NOW, type Person } from '../scenarios/people.js';
import type { Scenario } from '../scenarios/scenario.js';
import { keep } from '../timing/keep.js';
import type { Contender } from './contender.js';
import { javascript, toJavascript } from './generated.js';

/** A claim with its provenance. */
interface AttestedClaim {
  readonly value: unknown;
  readonly by: Attester;
}

interface Attester {
  readonly id: string;
  readonly source: string;
  readonly expiresAt: number;
  /** RFC 3339, formatted beforehand. */
  readonly expiry: string;
}

type AttestedClaims = Readonly<Record<string, AttestedClaim>>;
type Gather = (claims: AttestedClaims) => PredicateResult;

/** The upper limit for complete evidence as objects: object literals and member reads only, without look-ups or decisions. */
export const generatedEvidence: Contender = {
  name: 'generated code, with evidence',
  version: `Node ${process.versions.node}`,
  kind: 'limit',
  note: '`new Function`; the same result as `evaluate()`, for people who have every claim, without scope gate',
  supports,
  prepare: ({ query, people }) => {
    const gather = compileGathering(query);
    return {
      mode: 'sync',
      inputs: people.map(attested),
      passes: (claims: AttestedClaims) => keep(gather(claims)).passed,
    };
  },
};

/** All people have exactly the claims of the workloads. */
function supports({ workload }: Scenario): true | string {
  return workload === undefined ? 'people may lack claims' : true;
}

function compileGathering(query: PolicyItem): Gather {
  const checks = checksOf(query);
  const paths = [...new Set(checks.map(({ claim }) => claim))];
  const { dialect, constants } = javascript((flat) => `${flat}.value`);
  const outcomes = checks.map(
    (check, place) => `const passed${place} = ${toJavascript({ check }, dialect)};`,
  );
  const reads = paths.map((path) => `const ${flatName(path)} = claims.${flatName(path)};`);
  const [first = ''] = paths;
  const source = `
    const [${constants.map((_, index) => `constant${index}`).join(', ')}] = constants;
    const [${checks.map((_, place) => `expected${place}`).join(', ')}] = expected;
    return (claims) => {
      ${[...reads, ...outcomes].join('\n')}
      let earliest = ${flatName(first)}.by;
      ${paths.map((path) => `if (${flatName(path)}.by.expiresAt < earliest.expiresAt) earliest = ${flatName(path)}.by;`).join('\n')}
      return {
        type: 'predicate',
        passed: ${verdictOf(query)},
        evaluatedAt,
        evidence: {
          claimsUsed: [${paths.map(usedText).join(', ')}],
          checkResults: [${checks.map(checkText).join(', ')}],
        },
        expiresAt: earliest.expiry,
      };
    };`;
  const expected = checks.map(({ value }) => value);
  return new Function('constants', 'expected', 'evaluatedAt', source)(
    constants,
    expected,
    formatInstant(NOW),
  );
}

/** Computes the verdict from the outcomes of the checks, in document order. */
function verdictOf(query: PolicyItem): string {
  let place = 0;
  const write = (item: PolicyItem): string => {
    if ('check' in item) return `passed${place++}`;
    const { policy } = item;
    if ('not' in policy) return `!${write(policy.not)}`;
    const [items, combinator] =
      'allOf' in policy ? ([policy.allOf, ' && '] as const) : ([policy.anyOf, ' || '] as const);
    return `(${items.map(write).join(combinator)})`;
  };
  return write(query);
}

function usedText(path: string): string {
  const name = flatName(path);
  return `{ path: '${path}', value: ${name}.value, credentialId: ${name}.by.id, source: ${name}.by.source }`;
}

function checkText({ claim, operator }: Check, place: number): string {
  const members = `expectedValue: expected${place}, actualValue: ${flatName(claim)}.value, passed: passed${place}`;
  return `{ claim: '${claim}', operator: '${operator}', ${members} }`;
}

/** The person's flat object, parsed from JSON, with provenance for each value. */
function attested({ flat, credentials }: Person): AttestedClaims {
  const claims = JSON.parse(JSON.stringify(flat)) as Record<string, AttestedClaim>;
  for (const credential of credentials) {
    const by = attester(credential);
    for (const [path, value] of Object.entries(credential.claims)) claims[flatName(path)] = { value, by };
  }
  return claims;
}

function attester({ id, source, expiresAt }: Credential): Attester {
  if (expiresAt === undefined) throw new Error('the credentials that are measured all expire');
  return { id, source, expiresAt, expiry: formatInstant(expiresAt) };
}
