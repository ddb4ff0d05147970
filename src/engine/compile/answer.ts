/** Writes an answer's JSON without building the answer: what is known beforehand is text already (L21, L22, L24). */
import { type ClaimSet, findCredential, findValue } from '../claims/claim-set.js';
import { NO_SLOT } from '../claims/claim-slots.js';
import type { EvidencePlan } from './evidence.js';

/** Another name for a credential, as somebody is to see it. */
export type CredentialNaming = (credentialId: string) => string;

/** Writes the answer on one subject's claims. */
export type AnswerWriter = (
  claims: ClaimSet,
  expiresAt: (earliest: number) => string,
  nameOf: CredentialNaming | undefined,
) => string;

/** A check's text before and after its actual value, and where that value's text is kept. */
interface WrittenCheck {
  readonly start: string;
  readonly passes: (claims: ClaimSet) => boolean;
}

const PASSED = ',"passed":true}';
const FAILED = ',"passed":false}';

/** The writer of a predicate's answers: the same bytes as `JSON.stringify` on what `evaluate` builds. */
export function toAnswerWriter({ checks, verdict, claims: references }: EvidencePlan): AnswerWriter {
  const written = checks.map(
    ({ claim, operator, expectedValue, passes }): WrittenCheck => ({
      start: `{"claim":${JSON.stringify(claim.path)},"operator":${JSON.stringify(operator)},"expectedValue":${JSON.stringify(expectedValue)}`,
      passes,
    }),
  );
  const claimStarts = references.map(({ path }) => `{"path":${JSON.stringify(path)},"value":`);
  return (claims, expiresAt, nameOf) => {
    const outcomes: boolean[] = [];
    let results = '';
    for (let position = 0; position < checks.length; position += 1) {
      const { start, passes } = written[position] as WrittenCheck;
      const { claim } = checks[position] as EvidencePlan['checks'][number];
      const passed = passes(claims);
      outcomes.push(passed);
      const value = textOf(claims, claim);
      results += position === 0 ? start : `,${start}`;
      if (value !== undefined) results += `,"actualValue":${value}`;
      results += passed ? PASSED : FAILED;
    }
    let used = '';
    let earliest = Number.POSITIVE_INFINITY;
    for (let position = 0; position < references.length; position += 1) {
      const reference = references[position] as EvidencePlan['claims'][number];
      const value = textOf(claims, reference);
      if (value === undefined) continue;
      const credential = findCredential(claims, reference);
      const { expiresAt: end = Number.POSITIVE_INFINITY } = credential;
      if (end < earliest) earliest = end;
      used += `${used === '' ? '' : ','}${claimStarts[position]}${value}${claims.writeSpeaker(credential, nameOf)}`;
    }
    return `{"type":"predicate","passed":${verdict(outcomes)},"evaluatedAt":"${claims.atText}","evidence":{"claimsUsed":[${used}],"checkResults":[${results}]},"expiresAt":"${expiresAt(earliest)}"}`;
  };
}

/** A claim's value as JSON; `undefined` where it is not defined. */
function textOf(claims: ClaimSet, reference: Parameters<typeof findValue>[1]): string | undefined {
  if (reference.slot !== NO_SLOT && claims.values[reference.slot] !== undefined) {
    return claims.writeValue(reference.slot);
  }
  const value = findValue(claims, reference);
  return value === undefined ? undefined : JSON.stringify(value);
}
