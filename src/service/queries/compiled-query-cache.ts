/** Bounded cache of compiled queries by canonical text, never by scopes or person (L25, S172). */
import { compileParsed } from '../../engine/compile/compile.js';
import {
  type CompiledQuery,
  canonicalText,
  compile,
  type Query,
  type QueryLimits,
  type RegexEngine,
  type ScopeCatalogue,
} from '../../engine/index.js';
import { readQuery } from '../../engine/query/parse.js';
import { ParseContext } from '../../engine/query/parse-context.js';

/** Compiles queries and caches the most recently used. */
export interface CompiledQueryCache {
  /** Returns the cached query of an identical request body; `undefined` without one. */
  findByText(text: string): CompiledQuery | undefined;
  /**
   * Compiles a query.
   *
   * @param text - The request body, as a key for `findByText`.
   * @throws {QueryError} As `compile` of the engine does, with every problem.
   */
  compile(query: unknown, text?: string): CompiledQuery;
}

/** Longer request bodies are not used as keys, to bound memory. */
const MAX_TEXT_CODE_UNITS = 8_192;

/**
 * @param catalogue - Maps scopes to the claims that they cover.
 * @param capacity - Maximum number of entries by canonical text, and by request body; the least recently used entry is evicted.
 * @param limits - Changes to the limits of a query (L7).
 */
export function createCompiledQueryCache(
  regex: RegexEngine,
  catalogue: ScopeCatalogue,
  capacity: number,
  limits: Partial<QueryLimits> = {},
): CompiledQueryCache {
  const options = { regex, catalogue, limits };
  const byText = new Map<string, CompiledQuery>();
  const byKey = new Map<string, CompiledQuery>();
  const compileOnce = (query: unknown): CompiledQuery => {
    // Parses without compiling patterns, which a cached query does not need.
    const context = new ParseContext({ limits });
    const parsed = readUnlessPatterns(query, context);
    const key = parsed && canonicalText(parsed);
    const cached = key === undefined ? undefined : byKey.get(key);
    const compiled =
      cached ??
      (parsed === undefined || context.patterns.size > 0
        ? compile(query, options)
        : compileParsed(parsed, context, options));
    setMostRecent(byKey, key ?? canonicalText(compiled.query), compiled, capacity);
    return compiled;
  };
  return {
    findByText: (text) => {
      const cached = byText.get(text);
      if (cached !== undefined) setMostRecent(byText, text, cached, capacity);
      return cached;
    },
    compile: (query, text) => {
      const compiled = compileOnce(query);
      // Clients repeat identical bodies, which then skip parsing.
      if (text !== undefined && text.length <= MAX_TEXT_CODE_UNITS)
        setMostRecent(byText, text, compiled, capacity);
      return compiled;
    },
  };
}

/** Stores an entry as the most recently used and evicts the least recently used. */
function setMostRecent<Value>(
  entries: Map<string, Value>,
  key: string,
  value: Value,
  capacity: number,
): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= capacity) return;
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}

/** Reads a query; `undefined` for an invalid query with patterns, whose problems `compile` reports with the others. Throws as `readQuery`. */
function readUnlessPatterns(query: unknown, context: ParseContext): Query | undefined {
  try {
    return readQuery(query, context);
  } catch (error) {
    if (context.patterns.size > 0) return undefined;
    throw error;
  }
}
