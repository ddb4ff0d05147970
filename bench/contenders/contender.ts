/** What stands beside what: one interface for Proviso, its peers, and the limits of the possible. */
import { createRequire } from 'node:module';
import { checksOf } from '../../src/engine/query/query.js';
import type { PolicyItem } from '../../src/index.js';
import type { Scenario } from '../scenarios/scenario.js';

/** A query and its people, in the form that a contender wants natively. */
export type Prepared = PreparedSync | PreparedAsync;

export interface PreparedSync {
  readonly mode: 'sync';
  /** The people, each in the native form. */
  readonly inputs: readonly unknown[];
  /** Whether a person passes. The timing loop calls it as it is: nobody has a layer more than another. */
  readonly passes: (input: never) => boolean;
  /**
   * Counts those who pass in a loop of its own, `count` calls going round the inputs: set only for the limit that no call
   * through a variable can reach.
   */
  readonly countPassed?: (inputs: readonly unknown[], count: number) => number;
}

export interface PreparedAsync {
  readonly mode: 'async';
  readonly inputs: readonly unknown[];
  readonly passes: (input: never) => Promise<boolean>;
}

export interface Contender {
  readonly name: string;
  readonly version: string;
  readonly kind: 'ours' | 'peer' | 'limit';
  /** What a reader must know to judge the figure. */
  readonly note?: string;
  /** `true`, or why the contender cannot express the query. */
  supports(scenario: Scenario): true | string;
  /** Compiles the query and brings the people into the native form: all that is not timed. */
  prepare(scenario: Scenario): Prepared;
  /**
   * Takes the query in the native form, and returns what compiles it and answers for the first person. Absent where
   * nothing is compiled.
   */
  readonly compiling?: (scenario: Scenario) => () => boolean;
}

/** A query compiled by a contender that reads flat objects. */
export type FlatPredicate = (claims: Scenario['people'][number]['flat']) => boolean;

/**
 * A contender that reads flat objects and answers at once.
 *
 * @param toNative - The query in the contender's own form: a text, a tree.
 * @param compile - What the contender does once a query; whatever it puts off is done at the first answer.
 */
export function flatContender<Native>(
  about: Pick<Contender, 'name' | 'version' | 'note'> & { readonly supports?: Contender['supports'] },
  toNative: (query: PolicyItem) => Native,
  compile: (native: Native) => FlatPredicate,
): Contender {
  return {
    kind: 'peer',
    supports: () => true,
    ...about,
    prepare: ({ query, people }) => ({
      mode: 'sync',
      inputs: people.map(({ flat }) => flat),
      passes: compile(toNative(query)),
    }),
    compiling: ({ query, people }) => {
      const native = toNative(query);
      const [first] = people.map(({ flat }) => flat);
      return () => compile(native)(first as NonNullable<typeof first>);
    },
  };
}

/** The version of an installed package, as its manifest tells it. */
export function versionOf(packageName: string): string {
  const require = createRequire(import.meta.url);
  // Not every package exports its manifest, so it is looked for beside what is resolved.
  for (const folder of require.resolve.paths(packageName) ?? []) {
    try {
      return (require(`${folder}/${packageName}/package.json`) as { version: string }).version;
    } catch {
      // Not in this folder; the next one up may have it.
    }
  }
  throw new Error(`${packageName} is not installed: npm ci --prefix bench`);
}

/** `supports` of contenders without regular expressions. */
export function withoutPatterns({ query }: Scenario): true | string {
  const matches = checksOf(query).some(({ operator }) => operator === 'matchRegex');
  return matches ? 'it has no regular expressions' : true;
}
