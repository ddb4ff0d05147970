/** Types of claims in the catalogue. */
import type { CatalogueClaim } from '../scopes/catalogue.js';
import { parseInstant } from './instant.js';
import type { JsonValue } from './json-value.js';

const BARE_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a value is of a claim's type. Never throws. */
export function fitsClaimType(
  value: JsonValue,
  { type, values }: Pick<CatalogueClaim, 'type' | 'values'>,
): boolean {
  switch (type) {
    case 'boolean':
    case 'string':
    case 'number':
      return typeof value === type;
    case 'integer':
      return Number.isInteger(value);
    case 'date':
      return typeof value === 'string' && BARE_DATE.test(value) && parseInstant(value) !== undefined;
    case 'datetime':
      return typeof value === 'string' && !BARE_DATE.test(value) && parseInstant(value) !== undefined;
    case 'array':
      return (
        Array.isArray(value) &&
        (values === undefined || value.every((each) => typeof each === 'string' && values.includes(each)))
      );
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'enum':
      return typeof value === 'string' && (values === undefined || values.includes(value));
  }
}
