/** Types of claims in the catalogue. */
import { quote, suggestion } from '../names.js';
import { pointerTo } from '../problems.js';
import type { ReadableClaim } from '../query/parse-context.js';
import type { CatalogueClaim } from '../scopes/catalogue.js';
import { describeType } from '../value-types.js';
import { parseInstant } from './instant.js';
import { isJsonArray, type JsonValue } from './json-value.js';

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

/**
 * Returns the claims of a catalogue for parsing, which then also rejects operands that no value of the claim equals: a negated check on them would
 * pass for everybody. Apart from `parse`, for programs that need only the latter.
 */
export function withComparableOperands(claims: readonly CatalogueClaim[]): readonly ReadableClaim[] {
  return claims.map((claim) => ({
    path: claim.path,
    type: claim.type,
    reportOperand: ({ operator, value, pointer }, problems) => {
      const report = (operand: JsonValue, at: string): void => {
        if (fitsClaimType(operand, claim)) return;
        const isString = typeof operand === 'string';
        const received = isString ? quote(operand) : describeType(operand);
        const hint = isString ? suggestion(operand, claim.values ?? []) : '';
        const fault = `The \`value\` of \`${operator}\` on \`${claim.path}\` must be ${requiredValue(claim)}, not ${received}.${hint}`;
        problems.add('operand_type', at, fault);
      };
      if (operator === '==' || operator === '!=') report(value, pointer);
      if ((operator === 'in' || operator === 'notIn') && isJsonArray(value))
        for (const [index, operand] of value.entries()) report(operand, pointerTo(pointer, index));
    },
  }));
}

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
