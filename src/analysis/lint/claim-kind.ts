/** A claim's type in the catalogue as a policy of its own: it passes on the values that the claim may have. */
import type { CatalogueClaim, JsonValue, PolicyInput } from '../../engine/index.js';

/** @returns A policy on the claim. */
export function kindOf({
  path,
  type,
  values,
}: Pick<CatalogueClaim, 'path' | 'type' | 'values'>): PolicyInput {
  const is = (operator: string, value: JsonValue) => ({ claim: path, operator, value }) as never;
  const isNumber: PolicyInput = { anyOf: [is('>=', 0), is('<', 0)] };
  const isText: PolicyInput = { allOf: [is('startsWith', '')] };
  switch (type) {
    case 'boolean':
      return { allOf: [is('in', [true, false])] };
    case 'number':
    case 'integer':
      return isNumber;
    case 'string':
      return isText;
    case 'enum':
      return { allOf: [is('in', values ?? [])] };
    case 'date':
    case 'datetime':
      return { anyOf: [is('>=', '2000-01-01'), is('<', '2000-01-01')] };
    case 'array':
    case 'object':
      return {
        allOf: [
          { claim: path, operator: 'isDefined' },
          { not: isNumber },
          { not: isText },
          { not: is('in', [true, false, null]) },
        ],
      };
  }
}
