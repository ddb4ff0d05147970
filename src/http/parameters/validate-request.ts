/** Validates what a caller sent against its schema: every problem is reported at once, each with its place and what would be right (S34, S38, S39). */

import { parseInstant } from '../../engine/index.js';
import { pointerTo } from '../../engine/problems.js';
import { type ListRequest, ServiceError } from '../../service/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { malformed } from '../errors.js';
import { VALIDATORS } from '../schemas/generated/request-validators.js';
import { REQUEST_SCHEMAS, type RequestName, type ValidRequest } from '../schemas/requests.js';
import type { Parameters } from './body.js';

/** What Ajv says of one failure. */
interface Failure {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Validate {
  (value: unknown): boolean;
  readonly errors?: readonly Failure[] | null;
}

/** More are not told, so that a small request cannot cause a large answer (S153). */
const MAX_PROBLEMS = 32;
const MAX_NAME_CODE_UNITS = 64;
const WHOLE_NUMBER = /^-?\d{1,9}$/;

/**
 * Reads a body's members as its schema types them. A member that is empty counts as absent (RFC 6749 §3.1, S40), and so does an optional
 * one that is `null` (contract).
 *
 * @throws {ServiceError} `malformed_body` with every problem.
 */
export function validateRequest<Name extends RequestName>(
  name: Name,
  parameters: Parameters,
): ValidRequest<Name> {
  const schema: { readonly properties: object; readonly required?: readonly string[] } =
    REQUEST_SCHEMAS[name];
  const isOptional = (member: string) =>
    Object.hasOwn(schema.properties, member) && schema.required?.includes(member) !== true;
  const given = [...parameters].filter(
    ([member, value]) => value !== '' && !(value === null && isOptional(member)),
  );
  const request: unknown = Object.fromEntries(given);
  const validate: Validate = VALIDATORS[name];
  // The validator has just shown that the value is of the schema's type.
  if (validate(request)) return request as ValidRequest<Name>;
  const problems = (validate.errors ?? [])
    .slice(0, MAX_PROBLEMS)
    .map((failure) => toProblem(failure, schema));
  throw new ServiceError('malformed_body', { problems });
}

/** As {@link validateRequest}, for a query string: what the schema says is a number is read as one. */
export function validateParameters<Name extends RequestName>(
  name: Name,
  parameters: ReadonlyMap<string, string>,
): ValidRequest<Name> {
  const { properties } = REQUEST_SCHEMAS[name];
  const typed = [...parameters].map(([member, text]): [string, unknown] => {
    const schema = Object.hasOwn(properties, member) ? nodeAt(properties, [member]) : undefined;
    return [member, schema?.['type'] === 'integer' && WHOLE_NUMBER.test(text) ? Number(text) : text];
  });
  return validateRequest(name, new Map(typed));
}

function toProblem({ instancePath, schemaPath, keyword, params }: Failure, schema: unknown) {
  const path = schemaPath.slice('#/'.length).split('/');
  const known = Object.keys(nodeAt(schema, ['properties']) ?? {});
  switch (keyword) {
    case 'required':
      return {
        pointer: instancePath,
        code: 'member_missing',
        message: `The request needs \`${params['missingProperty']}\`.`,
      };
    case 'additionalProperties': {
      const member = String(params['additionalProperty']).slice(0, MAX_NAME_CODE_UNITS);
      const message = `The request has ${known.map((one) => `\`${one}\``).join(', ')} only.`;
      return { pointer: pointerTo(instancePath, member), code: 'member_unknown', message };
    }
    default: {
      const { description, type } = nodeAt(schema, path.slice(0, -1)) ?? {};
      const place = instancePath.split('/').slice(1).join('/');
      const message = `\`${place || 'the request'}\` is ${asPredicate(String(description ?? 'of another kind'))}`;
      return { pointer: instancePath, code: codeOf(keyword, type), message };
    }
  }
}

function codeOf(keyword: string, type: unknown): string {
  switch (keyword) {
    case 'type':
      if (Array.isArray(type)) return 'not_a_flag';
      return type === 'string' ? 'not_a_string' : type === 'array' ? 'not_an_array' : 'not_an_integer';
    case 'enum':
      return Array.isArray(type) ? 'not_a_flag' : 'value_unknown';
    case 'minItems':
    case 'maxItems':
      return 'list_size';
    case 'uniqueItems':
      return 'list_repeated';
    default:
      return 'number_range';
  }
}

/** A description of its own as the end of a sentence. */
function asPredicate(description: string): string {
  return `${description.charAt(0).toLowerCase()}${description.slice(1)}`;
}

/** A node of a schema; nothing where there is none. */
function nodeAt(schema: unknown, path: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  let node: unknown = schema;
  for (const segment of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, segment)) return undefined;
    node = (node as Readonly<Record<string, unknown>>)[segment];
  }
  return typeof node === 'object' && node !== null ? (node as Readonly<Record<string, unknown>>) : undefined;
}

const DEFAULT_LIMIT = 50;

/** @throws {ServiceError} `malformed_body` for an instant that is none. */
export function toListRequest(given: {
  readonly updated_since?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}): ListRequest {
  const { updated_since: since, limit = DEFAULT_LIMIT, cursor } = given;
  const updatedSince = since === undefined ? undefined : parseInstant(since);
  if (since !== undefined && updatedSince === undefined) {
    const message = '`updated_since` is an RFC 3339 date-time such as `2026-01-31T09:00:00Z`.';
    throw malformed('/updated_since', 'instant_malformed', message);
  }
  return {
    limit,
    ...omitUndefined({ updatedSince, cursor }),
  };
}
