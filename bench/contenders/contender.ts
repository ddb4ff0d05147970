/** The interface of contenders: Proviso, its peers, and upper limits. */
import { createRequire } from 'node:module';
import { checksOf } from '../../src/engine/query/query.js';
import type { PolicyItem } from '../../src/index.js';
import type { Scenario } from '../scenarios/scenario.js';

/** A query and its people in a contender's native form. */
export type Prepared = PreparedSync | PreparedAsync;

export interface PreparedSync {
  readonly mode: 'sync';
  /** The people, each in the native form. */
  readonly inputs: readonly unknown[];
  /** Whether a person passes. The timing loop calls this function directly, so that no contender is slowed by a wrapper. */
  readonly passes: (input: never) => boolean;
  /**
   * Counts the people who pass in a specialized loop of `count` calls over the inputs. Set only by the contender whose
   * function is inlined.
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
  /** A note for readers of the results. */
  readonly note?: string;
  /** `true`, or why the contender cannot express the query. */
  supports(scenario: Scenario): true | string;
  /** Compiles the query and converts the people to the native form; not timed. */
  prepare(scenario: Scenario): Prepared;
  /**
   * Returns a function that compiles the query from its native form and evaluates it for the first person. Absent if the
   * contender does not compile.
   */
  readonly prepareCompilation?: (scenario: Scenario) => () => boolean;
}

/** A query compiled by a contender that reads flat objects. */
export type FlatPredicate = (claims: Scenario['people'][number]['flat']) => boolean;

/**
 * Creates a contender that reads flat objects and evaluates synchronously.
 *
 * @param toNative - Converts the query to the contender's native form, such as a text or a tree.
 * @param compile - Compiles a query. May leave work to the first evaluation, which {@link Contender.prepareCompilation} includes.
 */
export function createFlatObjectContender<Native>(
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
    prepareCompilation: ({ query, people }) => {
      const native = toNative(query);
      const [first] = people.map(({ flat }) => flat);
      return () => compile(native)(first as NonNullable<typeof first>);
    },
  };
}

/** The version of an installed package, from its manifest. */
export function versionOf(packageName: string): string {
  const require = createRequire(import.meta.url);
  // Not every package exports its manifest, so search the folders of the resolved module.
  for (const folder of require.resolve.paths(packageName) ?? []) {
    try {
      return (require(`${folder}/${packageName}/package.json`) as { version: string }).version;
    } catch {
      // Not in this folder: try the parent.
    }
  }
  throw new Error(`${packageName} is not installed: npm ci --prefix bench`);
}

/** `supports` of contenders without regular expressions. */
export function withoutPatterns({ query }: Scenario): true | string {
  const matches = checksOf(query).some(({ operator }) => operator === 'matchRegex');
  return matches ? 'it has no regular expressions' : true;
}
