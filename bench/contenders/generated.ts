/** Source text made from the query and compiled by `new Function`: what Proviso does not do, for how fast it would be. */
import type { PolicyItem } from '../../src/index.js';
import { type Contender, type FlatPredicate, flatContender } from './contender.js';
import { type ExpressionDialect, toExpression } from './expression-text.js';

/** Lists and patterns that the source text refers to by index. */
interface Generated {
  readonly source: string;
  readonly constants: readonly (ReadonlySet<unknown> | RegExp)[];
}

const peer = flatContender(
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
  const constants: (ReadonlySet<unknown> | RegExp)[] = [];
  const refer = (constant: ReadonlySet<unknown> | RegExp): string =>
    `constant${constants.push(constant) - 1}`;
  const dialect: ExpressionDialect = {
    and: '&&',
    or: '||',
    not: '!',
    claim: (flat) => `claims.${flat}`,
    literal: (value) => JSON.stringify(value),
    isIn: (claim, list) => {
      if (list.length <= 4) return list.map((entry) => `${claim} === ${entry}`).join(' || ');
      return `${refer(new Set(list.map((entry) => JSON.parse(entry) as unknown)))}.has(${claim})`;
    },
    startsWith: (claim, beginning) => `${claim}.startsWith(${beginning})`,
    matches: (claim, pattern) => `${refer(new RegExp(JSON.parse(pattern) as string))}.test(${claim})`,
  };
  const body = toExpression(query, dialect).replaceAll(' == ', ' === ').replaceAll(' != ', ' !== ');
  const names = constants.map((_, index) => `constant${index}`).join(', ');
  return { source: `const [${names}] = constants; return (claims) => ${body};`, constants };
}
