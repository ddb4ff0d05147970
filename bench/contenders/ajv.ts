/** ajv: a JSON Schema compiled to JavaScript, as a predicate. */
import { Ajv } from 'ajv';
import type { Check, PolicyItem } from '../../src/index.js';
import { flatName } from '../scenarios/claims.js';
import { createFlatObjectContender, versionOf } from './contender.js';

export const ajv = createFlatObjectContender(
  { name: 'ajv', version: versionOf('ajv') },
  toSchema,
  (schema) => {
    // An instance caches every schema that it compiled, so each query gets a new one.
    const validate = new Ajv({ strict: false, validateSchema: false, meta: false }).compile(schema);
    return (claims) => validate(claims);
  },
);

function toSchema(item: PolicyItem): object {
  if ('check' in item) return { properties: { [flatName(item.check.claim)]: condition(item.check) } };
  const { policy } = item;
  if ('not' in policy) return { not: toSchema(policy.not) };
  return 'allOf' in policy ? { allOf: policy.allOf.map(toSchema) } : { anyOf: policy.anyOf.map(toSchema) };
}

function condition({ operator, value }: Check): object {
  switch (operator) {
    case '==':
      return { const: value };
    case '!=':
      return { not: { const: value } };
    case '>':
      return { exclusiveMinimum: value };
    case '>=':
      return { minimum: value };
    case '<':
      return { exclusiveMaximum: value };
    case '<=':
      return { maximum: value };
    case 'in':
      return { enum: value };
    case 'notIn':
      return { not: { enum: value } };
    case 'matchRegex':
      return { pattern: value };
    case 'startsWith':
      return { pattern: `^${(value as string).replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')}` };
    default:
      throw new Error(`no workload uses ${operator}`);
  }
}
