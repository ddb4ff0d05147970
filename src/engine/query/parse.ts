/** Reads a query: from anything to the canonical form, or every problem at once (L1–L8). */
import { QueryError } from '../errors.js';
import { type ObjectForm, onlyMember, readMembers } from './members.js';
import type { Query } from './query.js';
import { readCheck, readPolicy } from './read-policy.js';
import { readProjections } from './read-projections.js';
import { Reading, type ReadingOptions } from './reading.js';

type QueryMember = 'check' | 'policy' | 'projections';

const QUERY_FORM: ObjectForm<QueryMember> = {
  called: 'A query',
  members: ['check', 'policy', 'projections'],
};

/**
 * Reads a query into its canonical form, frozen: plain JSON that is itself a query, so parsing it again changes nothing.
 *
 * @param query - Anything: a value that `JSON.parse` gave, or an object of one's own. Not modified, not kept.
 * @param options.limits - Changes to the default limits (L7).
 * @param options.regex - Compiles patterns, so that a broken one is told here; without it they are not looked at.
 * @throws {QueryError} `invalid_query` or `query_too_large`, with every problem and its place (L8).
 * @throws {RangeError} When a limit itself is out of range.
 * @see L1–L8
 * @example
 * parse({ policy: { not: [{ claim: 'kyc.is_high_risk', operator: '==', value: true }] } })
 * // { policy: { not: { check: { claim: 'kyc.is_high_risk', operator: '==', value: true } } } }
 */
export function parse(query: unknown, options: ReadingOptions = {}): Query {
  return readQuery(query, new Reading(options));
}

/** Reads a query, and leaves in `reading` what compiling it needs. Throws as {@link parse} does. */
export function readQuery(query: unknown, reading: Reading): Query {
  const read = readForm(query, reading);
  if (read === undefined || reading.problems.count > 0) throw QueryError.forProblems(reading.problems);
  return read;
}

function readForm(query: unknown, reading: Reading): Query | undefined {
  const members = readMembers(query, '', QUERY_FORM, reading);
  if (members === undefined) return undefined;
  const only = onlyMember(members, QUERY_FORM, '', reading);
  if (only === undefined) return undefined;
  const [name, content] = only;
  switch (name) {
    case 'check':
      return readCheck(content, reading);
    case 'policy':
      return readPolicy(content, 0, reading);
    case 'projections': {
      const projections = readProjections(content, reading);
      return projections && Object.freeze({ projections });
    }
  }
}
