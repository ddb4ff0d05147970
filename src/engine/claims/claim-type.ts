/** Types of claims in the catalogue. */
import type { CatalogueClaim } from '../scopes/catalogue.js';
import { parseInstant } from './instant.js';
import type { JsonValue } from './json-value.js';

/** More values are not listed in a message. */
const MAX_LISTED_VALUES = 20;

/** Returns what a value of a claim must be, for messages. */
export function requiredValue({ type, values }: Pick<CatalogueClaim, 'type' | 'values'>): string {
  if (values === undefined) return `of type ${type}${EXAMPLES[type] ?? ''}`;
  const listed =
    values.length > MAX_LISTED_VALUES
      ? `the ${values.length} values of the catalogue`
      : values.map((each) => `\`${each}\``).join(', ');
  return `${type === 'array' ? 'an array of' : 'one of'} ${listed}`;
}

const EXAMPLES: Partial<Readonly<Record<CatalogueClaim['type'], string>>> = {
  date: ', such as `2026-01-31`',
  datetime: ', such as `2026-01-31T09:30:00Z` (RFC 3339)',
};

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
