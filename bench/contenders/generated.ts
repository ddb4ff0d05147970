/** Code generated from the query and compiled by `new Function`, as a reference: Proviso does not use `new Function`. */
import type { PolicyItem } from '../../src/index.js';
import { type Contender, createFlatObjectContender, type FlatPredicate } from './contender.js';
import { type ExpressionDialect, toExpression } from './expression-text.js';

/** Lists and patterns that the source text refers to by index. */
interface Generated {
  readonly source: string;
  readonly constants: readonly (ReadonlySet<unknown> | RegExp)[];
}

const peer = createFlatObjectContender(
  {
    name: 'generated code',
    version: `Node ${process.versions.node}`,
    note: '`new Function`, which many deployments forbid',
  },
  (query) => query,
  (query) => {
    const { source, constants } = generate(query);
    return new Function('constants', `${source}`)(constants) as FlatPredicate;
  },
);

export const generated: Contender = { ...peer, kind: 'limit' };

function generate(query: PolicyItem): Generated {
  const { dialect, constants } = javascript((flat) => `claims.${flat}`);
  const body = toJavascript(query, dialect);
  const names = constants.map((_, index) => `constant${index}`).join(', ');
  return { source: `const [${names}] = constants; return (claims) => ${body};`, constants };
}

/**
 * JavaScript as an expression dialect. Patterns, and lists of more than four entries, become constants `constant0` and so on.
 *
 * @param claim - Renders the read of a claim's value.
 */
export function javascript(claim: ExpressionDialect['claim']): {
  readonly dialect: ExpressionDialect;
  readonly constants: readonly (ReadonlySet<unknown> | RegExp)[];
} {
  const constants: (ReadonlySet<unknown> | RegExp)[] = [];
  const refer = (constant: ReadonlySet<unknown> | RegExp): string =>
    `constant${constants.push(constant) - 1}`;
  const dialect: ExpressionDialect = {
    and: '&&',
    or: '||',
    not: '!',
    claim,
    literal: (value) => JSON.stringify(value),
    isIn: (name, list) => {
      if (list.length <= 4) return list.map((entry) => `${name} === ${entry}`).join(' || ');
      return `${refer(new Set(list.map((entry) => JSON.parse(entry) as unknown)))}.has(${name})`;
    },
    startsWith: (name, prefix) => `${name}.startsWith(${prefix})`,
    matches: (name, pattern) => `${refer(new RegExp(JSON.parse(pattern) as string))}.test(${name})`,
  };
  return { dialect, constants };
}

/** Renders an item as an expression with strict comparisons. */
export function toJavascript(item: PolicyItem, dialect: ExpressionDialect): string {
  return toExpression(item, dialect).replaceAll(' == ', ' === ').replaceAll(' != ', ' !== ');
}
