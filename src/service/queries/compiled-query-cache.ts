/** Keeps compiled queries, bounded, by their whole canonical text: never by scopes or person (L25, S172). */
import {
  type CompiledQuery,
  type CompileOptions,
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

/** A compiled query, and its canonical text. */
interface KeptQuery {
  readonly key: string;
  readonly compiled: CompiledQuery;
}

/** Longer texts are read each time: what is kept stays small. */
const MAX_TEXT_CODE_UNITS = 8_192;

/**
 * @param catalogue - Which scopes cover which claims.
 * @param capacity - How many compiled queries are kept; the one used longest ago goes first.
 * @param limits - Changes to the limits of a query (L7).
 */
export function createCompiledQueryCache(
  regex: RegexEngine,
  catalogue: ScopeCatalogue,
  capacity: number,
  limits: Partial<QueryLimits> = {},
): CompiledQueryCache {
  const byText = new Map<string, KeptQuery>();
  const byKey = new Map<string, CompiledQuery>();
  return {
    compile: (query) => {
      const { key, compiled } = find(query, byKey, { regex, catalogue, limits });
      keep(byKey, key, compiled, capacity);
      return compiled;
    },
    // One client asks in one spelling: its own text leads to the query.
    compileRequest: ({ text, read }) => {
      const known = byText.get(text);
      const { key, compiled } = known ?? find(read(), byKey, { regex, catalogue, limits });
      if (text.length <= MAX_TEXT_CODE_UNITS) keep(byText, text, known ?? { key, compiled }, capacity);
      keep(byKey, key, compiled, capacity);
      return compiled;
    },
  };
}

function find(query: unknown, byKey: ReadonlyMap<string, CompiledQuery>, options: CompileOptions): KeptQuery {
  const key = canonicalTextOf(query);
  const known = key === undefined ? undefined : byKey.get(key);
  const compiled = known ?? compile(query, options);
  return { key: key ?? canonicalText(compiled.query), compiled };
}

/** Keeps an entry as the one used last; the one used longest ago goes where there are too many. */
function keep<Value>(entries: Map<string, Value>, key: string, value: Value, capacity: number): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > capacity && oldest !== undefined) entries.delete(oldest);
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
