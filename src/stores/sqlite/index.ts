/** The SQLite store's public names. */
export { NewerSchemaError, type SchemaStatus } from '../migrate.js';
export { openSqliteStore, readSqliteSchema } from './open-sqlite-store.js';
