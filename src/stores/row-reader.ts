/** How statements that only read, and read often, reach an engine (V12). */
import type { CompiledQuery, Kysely } from 'kysely';
import type { Freshness } from './read-memory.js';
import type { Schema } from './schema.js';

/** Runs statements that change nothing; each sees what is committed when it begins. */
export interface RowReader {
  /** The first row; `undefined` where there is none. */
  row<Row>(statement: CompiledQuery<Row>): Promise<Row | undefined>;
  rows<Row>(statement: CompiledQuery<Row>): Promise<readonly Row[]>;
  /** How often what is read changes, where the engine tells that for less than reading it costs. */
  readonly freshness?: Freshness;
  /** Where it is not the database itself. */
  close?(): void;
}

/** Reads as everything else is done: for engines that take many connections. */
export function readThrough(database: Kysely<Schema>): RowReader {
  return {
    row: async (statement) => (await database.executeQuery(statement)).rows[0],
    rows: async (statement) => (await database.executeQuery(statement)).rows,
  };
}
