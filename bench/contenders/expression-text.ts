/** Renders a query as an expression, for expression languages. */
import type { Check, PolicyItem } from '../../src/index.js';
import { type ClaimValue, flatName } from '../scenarios/claims.js';

/** The syntax of an expression language. */
export interface ExpressionDialect {
  readonly and: string;
  readonly or: string;
  readonly not: string;
  claim(flat: string): string;
  literal(value: ClaimValue): string;
  isIn(claim: string, list: readonly string[]): string;
  startsWith(claim: string, prefix: string): string;
  matches(claim: string, pattern: string): string;
}

/** Renders an item with every part in parentheses, so that precedence does not matter. */
export function toExpression(item: PolicyItem, dialect: ExpressionDialect): string {
  if ('check' in item) return checkText(item.check, dialect);
  const { policy } = item;
  if ('not' in policy) return `${dialect.not}(${toExpression(policy.not, dialect)})`;
  const [items, combinator] =
    'allOf' in policy ? ([policy.allOf, dialect.and] as const) : ([policy.anyOf, dialect.or] as const);
  return `(${items.map((inner) => toExpression(inner, dialect)).join(` ${combinator} `)})`;
}

function checkText({ claim, operator, value }: Check, dialect: ExpressionDialect): string {
  const name = dialect.claim(flatName(claim));
  const isMember = () => {
    const list = (value as readonly string[]).map((entry) => dialect.literal(entry));
    return `(${dialect.isIn(name, list)})`;
  };
  switch (operator) {
    case 'in':
      return isMember();
    case 'notIn':
      return `${dialect.not}${isMember()}`;
    case 'startsWith':
      return dialect.startsWith(name, dialect.literal(value as string));
    case 'matchRegex':
      return dialect.matches(name, dialect.literal(value as string));
    case 'contains':
    case 'isDefined':
      throw new Error(`no workload uses ${operator}`);
    default:
      return `(${name} ${operator} ${dialect.literal(value as ClaimValue)})`;
  }
}
