/** Renders a query as JsonLogic, for the two packages that read it. */
import type { PolicyItem } from '../../src/index.js';
import { flatName } from '../scenarios/claims.js';
import { cachedPattern } from './pattern.js';

/** Two operators that JsonLogic lacks, added to the engines as functions. */
export const startsWith = (text: string, prefix: string): boolean => text.startsWith(prefix);
export const matchRegex = (text: string, pattern: string): boolean => cachedPattern(pattern).test(text);

/** Renders an item. */
export function toJsonLogic(item: PolicyItem): object {
  if ('check' in item) {
    const { claim, operator, value } = item.check;
    const read = { var: flatName(claim) };
    if (operator === 'notIn') return { '!': [{ in: [read, value] }] };
    // Claims and operands have the same types, and the strict form is faster.
    const name = operator === '==' || operator === '!=' ? `${operator}=` : operator;
    return { [name]: [read, value] };
  }
  const { policy } = item;
  if ('not' in policy) return { '!': [toJsonLogic(policy.not)] };
  return 'allOf' in policy ? { and: policy.allOf.map(toJsonLogic) } : { or: policy.anyOf.map(toJsonLogic) };
}
