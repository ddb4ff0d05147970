/** The SQLite store's public names. */
export { NewerSchemaError } from '../migrate.js';
export { openSqliteStore } from './open-sqlite-store.js';
