/** Writes an answer's JSON without building the answer: what is known beforehand is text already (L21, L22, L24). */

import { NO_SLOT } from '../claims/claim-path.js';
import { type ClaimSet, type CredentialNaming, findValue } from '../claims/claim-set.js';
import { type EvidenceClaim, type EvidencePlan, speakerOf } from './evidence.js';
import type { Predicate } from './plan.js';

/** Writes the answer on one subject's claims. */
export type AnswerWriter = (
  claims: ClaimSet,
  expiresAt: (earliest: number) => string,
  nameOf: CredentialNaming | undefined,
) => string;

/** A check with its text before the actual value. */
interface WrittenCheck {
  readonly start: string;
  readonly claim: EvidenceClaim;
  readonly passes: Predicate;
}

const PASSED = ',"passed":true}';
const FAILED = ',"passed":false}';

/** The writer of a predicate's answers: the same bytes as `JSON.stringify` on what `evaluate` builds. */
export function toAnswerWriter({ checks, verdict, claims: read }: EvidencePlan): AnswerWriter {
  const written = checks.map(
    ({ claim, operator, expectedValue, passes }, position): WrittenCheck => ({
      start: `${position === 0 ? '' : ','}{"claim":${JSON.stringify(claim.path)},"operator":${JSON.stringify(operator)},"expectedValue":${JSON.stringify(expectedValue)}`,
      claim,
      passes,
    }),
  );
  const starts = read.map(({ path }) => `{"path":${JSON.stringify(path)},"value":`);
  return (claims, expiresAt, nameOf) => {
    const outcomes = new Array<{ readonly passed: boolean }>(written.length);
    let results = '';
    for (let position = 0; position < written.length; position += 1) {
      const { start, claim, passes } = written[position] as WrittenCheck;
      const passed = passes(claims);
      outcomes[position] = passed ? PASSING : FAILING;
      const value = textOf(claims, claim);
      results += value === undefined ? start : `${start},"actualValue":${value}`;
      results += passed ? PASSED : FAILED;
    }
    let used = '';
    let earliest = Number.POSITIVE_INFINITY;
    for (let position = 0; position < read.length; position += 1) {
      const claim = read[position] as EvidenceClaim;
      const value = textOf(claims, claim);
      if (value === undefined) continue;
      const speaker = speakerOf(claims, claim);
      if (speaker.expiresAt < earliest) earliest = speaker.expiresAt;
      used += `${used === '' ? '' : ','}${starts[position]}${value}${speaker.write(nameOf)}`;
    }
    return `{"type":"predicate","passed":${verdict(outcomes)},"evaluatedAt":"${claims.about.texts.at}","evidence":{"claimsUsed":[${used}],"checkResults":[${results}]},"expiresAt":"${expiresAt(earliest)}"}`;
  };
}

const PASSING = Object.freeze({ passed: true });
const FAILING = Object.freeze({ passed: false });

/** A claim's value as JSON; `undefined` where it is not defined. */
function textOf(claims: ClaimSet, claim: EvidenceClaim): string | undefined {
  if (claim.slot !== NO_SLOT && claims[claim.slot] !== undefined) return claims.about.texts.value(claim.slot);
  const value = findValue(claims, claim);
  return value === undefined ? undefined : JSON.stringify(value);
}
