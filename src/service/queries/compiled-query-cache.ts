/** Keeps compiled queries, bounded, by their whole canonical text: never by scopes or person (L25, S172). */
import {
  type CompiledQuery,
  canonicalText,
  compile,
  parse,
  QueryError,
  type QueryLimits,
  type RegexEngine,
  type ScopeCatalogue,
} from '../../engine/index.js';

/** A query as it came: the whole text of the request that it stands in, and how to read it out of that. */
export interface QueryRequest {
  readonly text: string;
  /** Not called for a text that was read before, and is among the last used. May throw whatever is wrong with the text. */
  read(): unknown;
}

/** Compiles queries, each once while it is among the last used. */
export interface CompiledQueryCache {
  /** As {@link compile}; a request that is word for word one of the last is not read again. */
  compileRequest(request: QueryRequest): CompiledQuery;
  /** @throws {QueryError} As `compile` does, with every problem. */
  compile(query: unknown): CompiledQuery;
}

/** Longer texts are read each time: what is kept stays small. */
const MAX_TEXT_CODE_UNITS = 8_192;

/**
 * @param catalogue - Which scopes cover which claims.
 * @param capacity - How many are kept by their canonical text, and how many by the text of their request; the one used longest ago goes
 *   first.
 * @param limits - Changes to the limits of a query (L7).
 */
export function createCompiledQueryCache(
  regex: RegexEngine,
  catalogue: ScopeCatalogue,
  capacity: number,
  limits: Partial<QueryLimits> = {},
): CompiledQueryCache {
  const byText = new Map<string, CompiledQuery>();
  const byKey = new Map<string, CompiledQuery>();
  const compileOnce = (query: unknown): CompiledQuery => {
    const key = canonicalTextOf(query);
    const known = key === undefined ? undefined : byKey.get(key);
    const compiled = known ?? compile(query, { regex, catalogue, limits });
    keep(byKey, key ?? canonicalText(compiled.query), compiled, capacity);
    return compiled;
  };
  return {
    compile: compileOnce,
    // One client asks in one spelling: its own text leads to the query.
    compileRequest: ({ text, read }) => {
      const compiled = byText.get(text) ?? compileOnce(read());
      if (text.length <= MAX_TEXT_CODE_UNITS) keep(byText, text, compiled, capacity);
      return compiled;
    },
  };
}

/** Keeps an entry as the one used last; the one used longest ago goes where there are too many. */
function keep<Value>(entries: Map<string, Value>, key: string, value: Value, capacity: number): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= capacity) return;
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}

/** The query's key, without the work of compiling its patterns; `undefined` where compiling will say what is wrong with it. */
function canonicalTextOf(query: unknown): string | undefined {
  try {
    return canonicalText(parse(query));
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}
