/** The form of policy test files as a JSON Schema (2020-12), for completion and validation in editors. */

import type { JsonObject } from '../engine/index.js';
import { queryJsonSchema } from '../engine/query/json-schema.js';
import type { CASE_MEMBERS, FILE_MEMBERS } from './parse-policy-test.js';

const NOW: JsonObject = {
  description: 'Instant of evaluation, RFC 3339. Required for credentials.',
  type: 'string',
};

/**
 * Returns the JSON Schema of policy test files.
 *
 * Every file that `parsePolicyTest` accepts is valid under the schema, if its query is valid, its claim paths are within
 * the default limits, and its `$schema` is a string. The reverse does not hold. The schema does not check that titles are
 * unique, that claims are in the catalogue, that `passes` is false if `failing` is present, that `now` is present if a case
 * has credentials, and that instants and credentials are well formed.
 *
 * @returns A new plain object for each call.
 */
export function policyTestJsonSchema(): JsonObject {
  // The query's own definitions move to the root, since not every editor resolves references inside an embedded schema.
  const { $schema, $id: _id, $defs, ...query } = queryJsonSchema();
  return {
    $schema: $schema ?? '',
    $id: 'urn:proviso:policy-test',
    title: 'Policy test',
    description: 'A policy, and people with the verdict that is expected for each.',
    type: 'object',
    properties: fileProperties(),
    required: ['query', 'cases'],
    additionalProperties: false,
    $defs: { ...($defs as JsonObject), query, case: caseSchema() },
  };
}

function fileProperties(): { readonly [Name in (typeof FILE_MEMBERS)[number]]: JsonObject } {
  return {
    $schema: { type: 'string' },
    query: {
      description: 'The query, or the path of its file, relative to this file.',
      anyOf: [{ type: 'string', minLength: 1 }, { $ref: '#/$defs/query' }],
    },
    catalogue: {
      description:
        'The path of a catalogue file, relative to this file, or `none` to accept any claim. Default: the default catalogue.',
      type: 'string',
      minLength: 1,
    },
    now: NOW,
    cases: { type: 'array', minItems: 1, items: { $ref: '#/$defs/case' } },
  };
}

function caseSchema(): JsonObject {
  const properties: { readonly [Name in (typeof CASE_MEMBERS)[number]]: JsonObject } = {
    title: { description: 'What the case shows; unique in the file.', type: 'string', minLength: 1 },
    claims: { description: 'Claim path → value.', type: 'object', propertyNames: { $ref: '#/$defs/claim' } },
    credentials: {
      description: 'Credentials as in `proviso eval`: id, source, issuedAt, expiresAt, revokedAt, claims.',
      type: 'array',
      items: { type: 'object' },
    },
    now: NOW,
    passes: { description: 'The expected verdict.', type: 'boolean' },
    failing: {
      description: 'The claims whose checks make the policy fail, in any order.',
      type: 'array',
      minItems: 1,
      items: { $ref: '#/$defs/claim' },
    },
  };
  return {
    title: 'Case',
    description: 'One person, and the expected verdict.',
    type: 'object',
    properties,
    required: ['title', 'passes'],
    additionalProperties: false,
    oneOf: [{ required: ['claims'] }, { required: ['credentials'] }],
  };
}
