/**
 * The package entry `proviso/internal`: the parts of the engine, of the descriptions and of the SQL translation that `proviso-server` uses.
 *
 * Not part of the public interface: it changes in any version. Both packages are released together, and `proviso-server` depends on
 * exactly its own version of `proviso`.
 */
export * from './describe/claim-names.js';
export * from './describe/hidden-claims.js';
export * from './describe/intl-formatters.js';
export * from './describe/language.js';
export * from './describe/message-formatter.js';
export * from './describe/quote.js';
export * from './describe/value-formatter.js';
export * from './engine/catalogue/catalogue-problems.js';
export * from './engine/catalogue/json-reader.js';
export * from './engine/catalogue/parse-catalogue.js';
export * from './engine/claims/claim-set.js';
export * from './engine/claims/claim-type.js';
export * from './engine/claims/instant.js';
export { canonicalCopy, MAX_VALUE_DEPTH } from './engine/claims/json-value.js';
export * from './engine/compile/compile.js';
export * from './engine/names.js';
export * from './engine/problems.js';
export * from './engine/query/json-schema.js';
export * from './engine/query/parse.js';
export * from './engine/query/parse-context.js';
export * from './engine/query/query.js';
export * from './sql/dialects/dialect.js';
export * from './sql/dialects/postgres.js';
export * from './sql/dialects/sqlite.js';
export * from './sql/layouts/layout.js';
export * from './sql/statement.js';
