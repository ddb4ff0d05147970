/** Renders a query in MongoDB's query language, for the four packages that read it. */
import type { Check, PolicyItem } from '../../src/index.js';
import { flatName } from '../scenarios/claims.js';

/** A MongoDB query document. */
export type MongoDocument = { readonly [member: string]: unknown };

const COMPARISONS: Readonly<Partial<Record<Check['operator'], string>>> = {
  '==': '$eq',
  '!=': '$ne',
  '>': '$gt',
  '>=': '$gte',
  '<': '$lt',
  '<=': '$lte',
  in: '$in',
  notIn: '$nin',
};

/** Renders an item. Patterns become `RegExp` objects, which are compiled once. */
export function toMongo(item: PolicyItem): MongoDocument {
  if ('check' in item) return { [flatName(item.check.claim)]: condition(item.check) };
  const { policy } = item;
  if ('not' in policy) return { $nor: [toMongo(policy.not)] };
  return 'allOf' in policy ? { $and: policy.allOf.map(toMongo) } : { $or: policy.anyOf.map(toMongo) };
}

function condition({ operator, value }: Check): MongoDocument {
  if (operator === 'matchRegex') return { $regex: new RegExp(value as string) };
  if (operator === 'startsWith') return { $regex: new RegExp(`^${escapeRegExp(value as string)}`) };
  const comparison = COMPARISONS[operator];
  if (comparison === undefined) throw new Error(`no workload uses ${operator}`);
  return { [comparison]: value };
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}
