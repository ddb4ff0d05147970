/** Validates requests against their schemas, and reports the problems together, each with its pointer and requirement (S34, S38, S39). */

import { parseInstant } from '../../engine/index.js';
import { pointerTo } from '../../engine/problems.js';
import { type ListRequest, ServiceError } from '../../service/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { malformed } from '../errors.js';
import { VALIDATORS } from '../schemas/generated/request-validators.js';
import { REQUEST_SCHEMAS, type RequestName, type ValidRequest } from '../schemas/requests.js';
import type { Parameters } from './body.js';

/** An error of Ajv. */
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

/** Maximum number of reported problems, so that a small request cannot cause a large response (S153). */
const MAX_PROBLEMS = 32;
const MAX_NAME_CODE_UNITS = 64;
/** Integers that a double represents exactly. */
const INTEGER = /^-?\d{1,15}$/;

/**
 * Validates the members of a body. An empty member counts as absent (RFC 6749 §3.1, S40), and so does an optional member that is `null`.
 *
 * @throws {ServiceError} `malformed_body` with the problems, at most {@link MAX_PROBLEMS}.
 */
export function validateRequest<Name extends RequestName>(
  name: Name,
  parameters: Parameters,
): ValidRequest<Name> {
  const schema: { readonly properties: object; readonly required?: readonly string[] } =
    REQUEST_SCHEMAS[name];
  const isOptional = (member: string) =>
    Object.hasOwn(schema.properties, member) && schema.required?.includes(member) !== true;
  const members = [...parameters].filter(
    ([member, value]) => value !== '' && !(value === null && isOptional(member)),
  );
  const request: unknown = Object.fromEntries(members);
  const validate: Validate = VALIDATORS[name];
  // The validator has checked that the value has the schema's type.
  if (validate(request)) return request as ValidRequest<Name>;
  const problems = (validate.errors ?? [])
    .slice(0, MAX_PROBLEMS)
    .map((failure) => toProblem(failure, schema))
    // A value of the wrong type may also violate `enum`, `minimum` or `maximum`; both failures have the same message.
    .filter(({ pointer, message }, index, all) => {
      const first = all.findIndex((one) => one.pointer === pointer && one.message === message);
      return first === index;
    });
  throw new ServiceError('malformed_body', { problems });
}

/** Same as {@link validateRequest}, for a query string: parameters with a numeric schema are parsed as numbers. */
export function validateParameters<Name extends RequestName>(
  name: Name,
  parameters: ReadonlyMap<string, string>,
): ValidRequest<Name> {
  const { properties } = REQUEST_SCHEMAS[name];
  const typed = [...parameters].map(([member, text]): [string, unknown] => {
    const schema = Object.hasOwn(properties, member) ? nodeAt(properties, [member]) : undefined;
    return [member, schema?.['type'] === 'integer' && INTEGER.test(text) ? Number(text) : text];
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
        message: `The request must have \`${params['missingProperty']}\`.`,
      };
    case 'additionalProperties': {
      const member = String(params['additionalProperty']).slice(0, MAX_NAME_CODE_UNITS).toWellFormed();
      const message = `Unknown member \`${member}\`: the request may have ${known.map((one) => `\`${one}\``).join(', ')}.`;
      return { pointer: pointerTo(instancePath, member), code: 'member_unknown', message };
    }
    default: {
      const node = nodeAt(schema, path.slice(0, -1)) ?? {};
      const member = instancePath.split('/').slice(1).join('/');
      const message = `\`${member}\` must be ${requirementOf(keyword, node)}.`;
      return { pointer: instancePath, code: codeOf(keyword, node['type']), message };
    }
  }
}

const TYPE_CODES: Readonly<Record<string, string>> = {
  string: 'not_a_string',
  array: 'not_an_array',
  object: 'not_an_object',
};

function codeOf(keyword: string, type: unknown): string {
  switch (keyword) {
    case 'type':
      if (Array.isArray(type)) return 'not_a_flag';
      return TYPE_CODES[String(type)] ?? 'not_an_integer';
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

/** Returns the violated requirement; completes "`member` must be …". */
function requirementOf(keyword: string, node: Readonly<Record<string, unknown>>): string {
  const { type, enum: values, minimum, maximum, minItems, maxItems } = node;
  if (Array.isArray(values))
    return `one of ${[...new Set(values.map((value) => `\`${value}\``))].join(', ')}`;
  if (minimum !== undefined) return `an integer from ${minimum} to ${maximum}`;
  switch (keyword) {
    case 'minItems':
    case 'maxItems':
      return minItems === undefined
        ? `an array of at most ${maxItems} items`
        : `an array of ${minItems} to ${maxItems} items`;
    case 'uniqueItems':
      return 'an array without duplicates';
    default:
      return `${/^[aeio]/.test(String(type)) ? 'an' : 'a'} ${type}`;
  }
}

/** Returns a node of a schema; `undefined` if there is none. */
function nodeAt(schema: unknown, path: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  let node: unknown = schema;
  for (const segment of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, segment)) return undefined;
    node = (node as Readonly<Record<string, unknown>>)[segment];
  }
  return typeof node === 'object' && node !== null ? (node as Readonly<Record<string, unknown>>) : undefined;
}

const DEFAULT_LIMIT = 50;

/** Converts list parameters. @throws {ServiceError} `malformed_body` for a malformed `updated_since`. */
export function toListRequest(parameters: {
  readonly updated_since?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}): ListRequest {
  const { updated_since: since, limit = DEFAULT_LIMIT, cursor } = parameters;
  const updatedSince = since === undefined ? undefined : parseInstant(since);
  if (since !== undefined && updatedSince === undefined) {
    const message = '`updated_since` must be an RFC 3339 date-time such as `2026-01-31T09:00:00Z`.';
    throw malformed('/updated_since', 'instant_malformed', message);
  }
  return {
    limit,
    ...omitUndefined({ updatedSince, cursor }),
  };
}
