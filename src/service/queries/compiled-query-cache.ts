/** Bounded cache of compiled queries by canonical text, never by scopes or person (L25, S172). */
import { compileParsed } from '../../engine/compile/compile.js';
import {
  type CompiledQuery,
  canonicalText,
  type EvidenceLevel,
  type Query,
  type QueryLimits,
  type RegexEngine,
  type ScopeCatalogue,
} from '../../engine/index.js';
import { readQuery } from '../../engine/query/parse.js';
import { ParseContext } from '../../engine/query/parse-context.js';
import type { EvaluationRequest } from './evidence-level.js';

/** Compiles queries and caches the most recently used. */
export interface CompiledQueryCache {
  /** Returns the cached request of an identical body; `undefined` without one. */
  findByText(text: string): EvaluationRequest | undefined;
  /**
   * Compiles a query.
   *
   * @throws {QueryError} As `compile` of the engine does, with every problem.
   */
  compile(query: unknown): CompiledQuery;
  /**
   * Compiles the query of a request.
   *
   * @param text - The request body, as a key for `findByText`.
   * @throws {QueryError} As `compile` does.
   */
  compileRequest(query: unknown, evidence: EvidenceLevel, text: string): EvaluationRequest;
  readStatistics(): QueryCacheStatistics;
}

/** Statistics of a cache since its creation. */
export interface QueryCacheStatistics {
  /** Number of cached queries. */
  readonly queries: number;
  /** Their estimated size. */
  readonly bytes: number;
  /** Queries that were found in the cache. */
  readonly hits: number;
  /** Queries that were compiled. */
  readonly misses: number;
  /** Queries that were evicted because the cache was full. */
  readonly evictions: number;
}

/** Longer request bodies are not used as keys. */
const MAX_TEXT_CODE_UNITS = 8_192;
/** Maximum number of request bodies per query that are used as keys, since the same query can be written in many ways. */
const MAX_TEXTS = 4;

/** Estimates of a compiled query's size, measured after its first evaluation. */
const BASE_BYTES = 2_000;
const BYTES_PER_CODE_UNIT = 8;
const BYTES_PER_INSTRUCTION = 200;

/** A request body and its entry. */
interface TextEntry {
  readonly entry: Entry;
  /** Created once per body, so that finding it allocates nothing. */
  readonly request: EvaluationRequest;
}

interface Entry {
  readonly compiled: CompiledQuery;
  readonly key: string;
  /** Request bodies with this query. */
  readonly texts: string[];
  bytes: number;
}

/**
 * @param catalogue - Maps scopes to the claims that they cover.
 * @param capacity - In estimated bytes; the least recently used queries are evicted. A query that exceeds it alone evicts all others, and is not cached.
 * @param limits - Changes to the limits of a query (L7).
 */
export function createCompiledQueryCache(
  regex: RegexEngine,
  catalogue: ScopeCatalogue,
  capacity: number,
  limits: Partial<QueryLimits> = {},
): CompiledQueryCache {
  const options = { regex, catalogue, limits };
  /** Entries in the order of their last use. */
  const byKey = new Map<string, Entry>();
  const byText = new Map<string, TextEntry>();
  const counts = { bytes: 0, hits: 0, misses: 0, evictions: 0 };

  const remove = ({ key, texts, bytes }: Entry) => {
    byKey.delete(key);
    for (const text of texts) byText.delete(text);
    counts.bytes -= bytes;
  };
  const evictUntilWithin = () => {
    for (const entry of byKey.values()) {
      if (counts.bytes <= capacity) return;
      remove(entry);
      counts.evictions += 1;
    }
  };
  const use = (entry: Entry) => {
    byKey.delete(entry.key);
    byKey.set(entry.key, entry);
    counts.hits += 1;
  };
  const addText = (entry: Entry, request: EvaluationRequest, text: string) => {
    if (text.length > MAX_TEXT_CODE_UNITS || entry.texts.length === MAX_TEXTS || byText.has(text)) return;
    entry.texts.push(text);
    byText.set(text, { entry, request });
    entry.bytes += text.length;
    counts.bytes += text.length;
    evictUntilWithin();
  };
  const add = (compiled: CompiledQuery, key: string, instructions: number): Entry => {
    const bytes = BASE_BYTES + BYTES_PER_CODE_UNIT * key.length + BYTES_PER_INSTRUCTION * instructions;
    const entry = { compiled, key, texts: [], bytes };
    byKey.set(key, entry);
    counts.bytes += bytes;
    counts.misses += 1;
    return entry;
  };
  const find = (parsed: Query | undefined): Entry | undefined =>
    parsed === undefined ? undefined : byKey.get(canonicalText(parsed));

  const getEntry = (query: unknown): Entry => {
    // Parses without compiling patterns, which a cached query does not need.
    const withoutPatterns = new ParseContext({ limits });
    const parsed = readWithoutPatterns(query, withoutPatterns);
    const known = find(parsed);
    if (known !== undefined) {
      use(known);
      return known;
    }
    const isReady = parsed !== undefined && withoutPatterns.patterns.size === 0;
    const context = isReady ? withoutPatterns : new ParseContext(options);
    const complete = isReady ? parsed : readQuery(query, context);
    const compiled = compileParsed(complete, context, options);
    return add(compiled, canonicalText(complete), countInstructions(context));
  };

  return {
    findByText: (text) => {
      const found = byText.get(text);
      if (found === undefined) return undefined;
      use(found.entry);
      return found.request;
    },
    compile: (query) => {
      const { compiled } = getEntry(query);
      evictUntilWithin();
      return compiled;
    },
    compileRequest: (query, evidence, text) => {
      const entry = getEntry(query);
      const request = { query: entry.compiled, evidence };
      addText(entry, request, text);
      evictUntilWithin();
      return request;
    },
    readStatistics: () => ({ queries: byKey.size, ...counts }),
  };
}

/** The instructions of all patterns. */
function countInstructions({ patterns }: ParseContext): number {
  let instructions = 0;
  for (const outcome of patterns.values()) {
    if (outcome?.accepted === true) instructions += outcome.pattern.programSize;
  }
  return instructions;
}

/**
 * Reads a query without compiling its patterns. Returns `undefined` for an invalid query with patterns: the caller reads it again and
 * compiles them, so that all problems are reported together. For an invalid query without patterns, throws as `readQuery` does.
 */
function readWithoutPatterns(query: unknown, context: ParseContext): Query | undefined {
  try {
    return readQuery(query, context);
  } catch (error) {
    if (context.patterns.size > 0) return undefined;
    throw error;
  }
}
