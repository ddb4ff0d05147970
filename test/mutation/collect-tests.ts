/**
 * A small replacement for `describe`, `it` and `expect` of Vitest: collects the tests of a file, so that the same process can run them
 * again and again with fresh modules. Supports what the engine's tests use, and throws a `TypeError` for anything else.
 */
import { format } from 'node:util';
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
} from '@vitest/expect';

export interface CollectedTest {
  /** The path of the file, and its titles: unique, since a repeated title is numbered. */
  readonly id: string;
  readonly run: () => unknown;
}

type Body<Args extends readonly unknown[]> = (...args: Args) => unknown;

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

// The asymmetric matchers (`expect.any`) are kept by the library in a property of the global object.
const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
  Reflect.get(globalThis, ASYMMETRIC_MATCHERS_OBJECT),
);

/** Returns the tests of a file. `load` evaluates the file; it receives the module that replaces `vitest`. */
export function collectTests(file: string, load: (vitest: object) => void): readonly CollectedTest[] {
  const tests: CollectedTest[] = [];
  const counts = new Map<string, number>();
  let titles: readonly string[] = [file];

  function describe(title: string, body: Body<[]>): void {
    const outer = titles;
    titles = [...titles, title];
    try {
      body();
    } finally {
      titles = outer;
    }
  }

  function it(title: string, ...rest: readonly unknown[]): void {
    const body = rest.find((value) => typeof value === 'function');
    if (body === undefined) throw new TypeError(`the test ${title} has no function`);
    const name = [...titles, title].join(' > ');
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    tests.push({
      id: count === 1 ? name : `${name} (${count})`,
      run: () => Reflect.apply(body, undefined, []),
    });
  }

  load({
    expect,
    describe: Object.assign(describe, { each: forEach(describe) }),
    it: Object.assign(it, { each: forEach(it) }),
  });
  return tests;
}

/** The `each` of `define`: one call per row; the values of a row are the arguments if every row is an array. */
function forEach(define: (title: string, body: Body<[]>) => void) {
  return (rows: readonly unknown[]) => {
    const spread = rows.every(Array.isArray);
    return (title: string, ...rest: readonly unknown[]): void => {
      const body = rest.find((value) => typeof value === 'function');
      if (body === undefined) throw new TypeError(`the test ${title} has no function`);
      for (const row of rows) {
        const args: readonly unknown[] = spread && Array.isArray(row) ? row : [row];
        define(rowTitle(title, args), () => Reflect.apply(body, undefined, args));
      }
    };
  };
}

/** Replaces `$name` by the member of the first argument, and `%s` and the like by the arguments. */
function rowTitle(title: string, args: readonly unknown[]): string {
  const [first] = args;
  const named = title.replace(/\$(\w+)/g, (_match, name) => String(Reflect.get(Object(first), name)));
  const placeholders = named.match(/%[^%]/g)?.length ?? 0;
  return format(named, ...args.slice(0, placeholders));
}
