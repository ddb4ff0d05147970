/** Describes the types of claims for messages. */
import type { CatalogueClaim } from '../../engine/index.js';

/** Describes a claim's type for a message. */
export function describeClaimType({ type, values }: Pick<CatalogueClaim, 'type' | 'values'>): string {
  switch (type) {
    case 'boolean':
    case 'string':
    case 'number':
      return `a ${type}`;
    case 'integer':
      return 'an integer';
    case 'date':
      return 'a date such as `2026-01-31`';
    case 'datetime':
      return 'an RFC 3339 date-time such as `2026-01-31T09:00:00Z`';
    case 'array':
      return values === undefined ? 'an array' : `an array of ${list(values)}`;
    case 'object':
      return 'an object';
    case 'enum':
      return values === undefined ? 'a string' : `one of ${list(values)}`;
  }
}

function list(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(', ');
}
