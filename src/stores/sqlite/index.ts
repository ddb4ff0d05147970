/** The SQLite store's public names. */
export { NewerSchemaError, type SchemaStatus } from '../migrate.js';
export { backupSqlite } from './backup-sqlite.js';
export { openSqliteStore, readSqliteSchema } from './open-sqlite-store.js';
