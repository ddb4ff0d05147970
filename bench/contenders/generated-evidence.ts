/** Code generated from the query that gathers the same evidence as `evaluate`, to show the cost of the evidence itself. */

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
  readonly attester: Attester;
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

/** A reference for complete evidence as objects: only object literals and member reads, without look-ups. */
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

/** Supports the workloads only: their people have every claim. */
function supports({ workload }: Scenario): true | string {
  return workload === undefined ? 'people may lack claims' : true;
}

function compileGathering(query: PolicyItem): Gather {
  const checks = checksOf(query);
  const paths = [...new Set(checks.map(({ claim }) => claim))];
  const { dialect, constants } = javascript((flat) => `${flat}.value`);
  const outcomes = checks.map(
    (check, position) => `const passed${position} = ${toJavascript({ check }, dialect)};`,
  );
  const reads = paths.map((path) => `const ${flatName(path)} = claims.${flatName(path)};`);
  const [first = ''] = paths;
  const source = `
    const [${constants.map((_, index) => `constant${index}`).join(', ')}] = constants;
    const [${checks.map((_, position) => `expected${position}`).join(', ')}] = expected;
    return (claims) => {
      ${[...reads, ...outcomes].join('\n')}
      let earliest = ${flatName(first)}.attester;
      ${paths.map((path) => `if (${flatName(path)}.attester.expiresAt < earliest.expiresAt) earliest = ${flatName(path)}.attester;`).join('\n')}
      return {
        type: 'predicate',
        passed: ${resultExpression(query)},
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

/** Source text that computes the result from the outcomes of the checks, in document order. */
function resultExpression(query: PolicyItem): string {
  let position = 0;
  const write = (item: PolicyItem): string => {
    if ('check' in item) return `passed${position++}`;
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
  return `{ path: '${path}', value: ${name}.value, credentialId: ${name}.attester.id, source: ${name}.attester.source }`;
}

function checkText({ claim, operator }: Check, position: number): string {
  const members = `expectedValue: expected${position}, actualValue: ${flatName(claim)}.value, passed: passed${position}`;
  return `{ claim: '${claim}', operator: '${operator}', ${members} }`;
}

/** A person's flat claims with the provenance of each value. */
function attested({ flat, credentials }: Person): AttestedClaims {
  const claims = JSON.parse(JSON.stringify(flat)) as Record<string, AttestedClaim>;
  for (const credential of credentials) {
    const attestedBy = toAttester(credential);
    for (const [path, value] of Object.entries(credential.claims))
      claims[flatName(path)] = { value, attester: attestedBy };
  }
  return claims;
}

function toAttester({ id, source, expiresAt }: Credential): Attester {
  if (expiresAt === undefined) throw new Error('every measured credential must expire');
  return { id, source, expiresAt, expiry: formatInstant(expiresAt) };
}
