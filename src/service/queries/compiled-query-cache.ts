/** Keeps compiled queries, bounded, by their whole canonical text: never by scopes or person (L25, S172). */
import {
  type CompiledQuery,
  canonicalText,
  compile,
  parse,
  QueryError,
  type RegexEngine,
  type ScopeCatalogue,
} from '../../engine/index.js';

/** Compiles queries, each once while it is among the last used. */
export interface CompiledQueryCache {
  /** @throws {QueryError} As `compile` does, with every problem. */
  compile(query: unknown): CompiledQuery;
}

/**
 * @param catalogue - Which scopes cover which claims.
 * @param capacity - How many compiled queries are kept; the one used longest ago goes first.
 */
export function createCompiledQueryCache(
  regex: RegexEngine,
  catalogue: ScopeCatalogue,
  capacity: number,
): CompiledQueryCache {
  const compiled = new Map<string, CompiledQuery>();
  return {
    compile: (query) => {
      const text = canonicalTextOf(query);
      const kept = text === undefined ? undefined : compiled.get(text);
      const found = kept ?? compile(query, { regex, catalogue });
      const key = text ?? canonicalText(found.query);
      compiled.delete(key);
      compiled.set(key, found);
      const [oldest] = compiled.keys();
      if (compiled.size > capacity && oldest !== undefined) compiled.delete(oldest);
      return found;
    },
  };
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
