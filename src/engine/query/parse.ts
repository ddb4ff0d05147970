/** Parses a query into its canonical form, or reports its problems (L1–L8). */
import { QueryError } from '../errors.js';
import { type Member, type ObjectForm, readExclusiveMembers, readMembers } from './members.js';
import { ParseContext, type ParseOptions } from './parse-context.js';
import type { Query } from './query.js';
import { readCheck, readPolicy } from './read-policy.js';
import { readProjections } from './read-projections.js';

type QueryMember = 'check' | 'policy' | 'projections';

const QUERY_FORM: ObjectForm<QueryMember> = {
  label: 'A query',
  members: ['check', 'policy', 'projections'],
  hints: new Map([
    ['query', 'Pass the value of `query`, or `.query` of a condition of the builder.'],
    ['assertCovered', 'Pass the member `query` of a compiled query.'],
    ['ok', 'Pass the member `value` of a conversion, or of `safeParse`.'],
    ['claim', 'Wrap the check: `{"check": …}`.'],
    ['allOf', 'Wrap the policy: `{"policy": …}`.'],
    ['anyOf', 'Wrap the policy: `{"policy": …}`.'],
    ['not', 'Wrap the policy: `{"policy": …}`.'],
    ['lens', 'Wrap the projection: `{"projections": [ … ]}`.'],
  ]),
};

/**
 * Parses a query into its canonical form: frozen, plain JSON that is itself a valid query, so that parsing is
 * idempotent.
 *
 * @param query - Any value, such as the result of `JSON.parse`. Neither modified nor retained.
 * @param options.limits - Changes to the default limits (L7).
 * @param options.regex - Compiles patterns, to report invalid ones; without it patterns are not validated.
 * @param options.claims - The claims that the query may read; all by default.
 * @throws {QueryError} `invalid_query` or `query_too_large`, with its problems and their pointers, 50 at most (L8).
 * @throws {RangeError} When a limit is out of range or does not exist.
 * @throws {TypeError} When an option has the wrong type or does not exist.
 * @see L1–L8
 * @example
 * parse({ policy: { not: [{ claim: 'kyc.is_high_risk', operator: '==', value: true }] } })
 * // { policy: { not: { check: { claim: 'kyc.is_high_risk', operator: '==', value: true } } } }
 */
export function parse(query: unknown, options: ParseOptions = {}): Query {
  return readQuery(query, new ParseContext(options));
}

/** Parses a query, and leaves in `context` the state that compilation needs. Throws as {@link parse} does. */
export function readQuery(query: unknown, context: ParseContext): Query {
  const read = readForm(query, context);
  if (read === undefined || context.problems.count > 0) throw QueryError.forProblems(context.problems);
  return read;
}

function readForm(query: unknown, context: ParseContext): Query | undefined {
  const members = readMembers(query, '', QUERY_FORM, context);
  if (members === undefined) return undefined;
  let read: Query | undefined;
  for (const [name, content] of readExclusiveMembers(members, QUERY_FORM, '', context))
    read = readContent(name, content, context);
  return read;
}

function readContent(name: QueryMember, content: Member, context: ParseContext): Query | undefined {
  switch (name) {
    case 'check':
      return readCheck(content, context);
    case 'policy':
      return readPolicy(content, 0, context);
    case 'projections': {
      const projections = readProjections(content, context);
      return projections && Object.freeze({ projections });
    }
  }
}
