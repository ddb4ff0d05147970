/** The query language as a JSON Schema (2020-12), for completion and validation in editors (L1–L7). */
import type { JsonObject } from '../claims/json-value.js';
import { OPERATOR_NAMES, OPERATORS, type OperandKind } from '../operators/operators.js';
import { DEFAULT_QUERY_LIMITS, type QueryLimits } from './parse-context.js';

/** The form of an RFC 3339 `full-date` or `date-time`; whether the day exists is checked by `parse` (L17). */
const DATE_PATTERN = '^\\d{4}-\\d{2}-\\d{2}([Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2}))?$';

/**
 * Returns the JSON Schema of a query.
 *
 * Every query that `parse` accepts is valid under the schema. The reverse does not hold: a schema cannot express
 * nesting depth, the number of checks, the total number of entries in an operand and the length of strings in it,
 * whether a pattern is valid RE2 and how large it compiles, whether a date exists, and that each claim is projected
 * once; and it counts characters where the language counts code units.
 *
 * @param limits - The limits that the schema contains (L7).
 * @returns A new plain object for each call.
 */
export function queryJsonSchema(limits: QueryLimits = DEFAULT_QUERY_LIMITS): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:proviso:query',
    title: 'Query',
    description: 'A question about a person: exactly one of a check, a policy or projections (L1).',
    ...exactlyOne({
      check: { $ref: '#/$defs/check' },
      policy: { $ref: '#/$defs/policy' },
      projections: {
        title: 'Projections',
        description: 'Claims to disclose, each through a lens and only once (L5).',
        type: 'array',
        minItems: 1,
        maxItems: limits.projections,
        items: { $ref: '#/$defs/projection' },
      },
    }),
    $defs: {
      claim: claimSchema(limits),
      check: {
        title: 'Check',
        description: 'A condition on one claim; it fails where the claim is undefined (L2, L14).',
        anyOf: checkSchemas(limits),
      },
      policy: policySchema(),
      item: {
        title: 'Item',
        description: 'A check or a policy, wrapped or bare (L4).',
        anyOf: [
          { ...exactlyOne({ check: { $ref: '#/$defs/check' }, policy: { $ref: '#/$defs/policy' } }) },
          { $ref: '#/$defs/check' },
          { $ref: '#/$defs/policy' },
        ],
      },
      projection: {
        title: 'Projection',
        description: 'A claim and the lens through which it is disclosed (L5).',
        anyOf: lensSchemas(limits),
      },
    },
  };
}

/**
 * Returns the JSON Schema of a query in a file: that of a query, and `$schema` at the top, which names the schema for
 * editors and is not part of the query.
 *
 * @returns A new plain object for each call.
 */
export function queryFileJsonSchema(): JsonObject {
  const { properties, minProperties: _one, maxProperties: _most, $defs, ...schema } = queryJsonSchema();
  const forms = properties as JsonObject;
  return {
    ...schema,
    properties: {
      $schema: { description: 'The JSON Schema of this file, for editors.', type: 'string' },
      ...forms,
    },
    oneOf: Object.keys(forms).map((form) => ({ required: [form] })),
    $defs: $defs as JsonObject,
  };
}

/** Returns the schema of an object with exactly one of some members. */
function exactlyOne(properties: { readonly [name: string]: JsonObject }): JsonObject {
  return { type: 'object', properties, additionalProperties: false, minProperties: 1, maxProperties: 1 };
}

function claimSchema({ pathCodeUnits, pathSegments }: QueryLimits): JsonObject {
  const name = '[A-Za-z][A-Za-z0-9_]*';
  return {
    title: 'Claim path',
    description: 'Category and names joined by dots, such as `identity.age` (L9).',
    type: 'string',
    maxLength: pathCodeUnits,
    pattern: `^${name}(\\.${name}){1,${pathSegments - 1}}$`,
  };
}

/** Returns one schema for each operand type, so that an editor knows the valid `value` of each operator. */
function checkSchemas(limits: QueryLimits): JsonObject[] {
  const kinds = [...new Set(OPERATOR_NAMES.map((name) => OPERATORS[name].operand))];
  return kinds.map((kind) => {
    const operators = OPERATOR_NAMES.filter((name) => OPERATORS[name].operand === kind);
    const value = operandSchema(kind, limits);
    return {
      type: 'object',
      properties: {
        claim: { $ref: '#/$defs/claim' },
        operator: {
          title: 'Operator',
          description: 'How the claim is compared with `value`.',
          enum: operators,
        },
        ...(value === undefined ? {} : { value }),
      },
      required: value === undefined ? ['claim', 'operator'] : ['claim', 'operator', 'value'],
      additionalProperties: false,
    };
  });
}

function operandSchema(kind: OperandKind, limits: QueryLimits): JsonObject | undefined {
  const string = { type: 'string', maxLength: limits.stringCodeUnits };
  switch (kind) {
    case 'none':
      return undefined;
    case 'any':
      return { title: 'Operand', description: 'Any JSON value, by JSON equality (L16).' };
    case 'string':
      return { title: 'Operand', description: 'The prefix, compared by code unit (L18).', ...string };
    case 'pattern':
      return {
        title: 'Pattern',
        description: 'An RE2 pattern, searched anywhere in the claim, case-sensitive (L18).',
        type: 'string',
        maxLength: limits.patternCodeUnits,
      };
    case 'array':
      return {
        title: 'Operand',
        description: 'The values to compare with (L18).',
        type: 'array',
        maxItems: limits.listEntries,
      };
    case 'number-or-date':
      return {
        title: 'Operand',
        description: 'A number, or an RFC 3339 date or date-time, which is compared as an instant (L17).',
        anyOf: [{ type: 'number' }, { ...string, pattern: DATE_PATTERN }],
      };
  }
}

function policySchema(): JsonObject {
  const items = { type: 'array', minItems: 1, items: { $ref: '#/$defs/item' } };
  return {
    title: 'Policy',
    description: 'Items combined: all of them, any of them, or the negation of one (L3).',
    ...exactlyOne({
      allOf: { title: 'All of', description: 'Passes when every item passes (L19).', ...items },
      anyOf: { title: 'Any of', description: 'Passes when at least one item passes (L19).', ...items },
      not: {
        title: 'Not',
        description:
          'Passes when its item fails, including a check that fails because its claim is undefined (L19).',
        anyOf: [{ $ref: '#/$defs/item' }, { ...items, maxItems: 1 }],
      },
    }),
  };
}

function lensSchemas({ listEntries, stringCodeUnits }: QueryLimits): JsonObject[] {
  const field = { type: 'string', maxLength: stringCodeUnits };
  return [
    lensSchema('pluck', 'The value as it is.', {}),
    lensSchema('pick', 'Some members of an object; all of them without `fields`.', {
      fields: {
        title: 'Fields',
        type: 'array',
        minItems: 1,
        maxItems: listEntries,
        uniqueItems: true,
        items: field,
      },
    }),
    lensSchema('at', 'One element of an array.', {
      index: {
        title: 'Index',
        description: 'From 0; a negative one counts from the end.',
        type: 'integer',
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
      },
    }),
  ];
}

function lensSchema(lens: string, description: string, parameters: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: {
      claim: { $ref: '#/$defs/claim' },
      lens: { title: 'Lens', description, const: lens },
      ...parameters,
    },
    required: ['claim', 'lens'],
    additionalProperties: false,
  };
}
