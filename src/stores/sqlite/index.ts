/** Public API of the SQLite store. */
export type { StoreInspection } from '../inspection.js';
export { NewerSchemaError, type SchemaStatus } from '../migrate.js';
export { EncryptionKeyError } from '../sealing/encryption.js';
export { SealedValueError } from '../sealing/sealing.js';
export type { StoreOptions } from '../sql-store.js';
export { backupSqlite } from './backup-sqlite.js';
export {
  inspectSqliteStore,
  openSqliteStore,
  readSqliteSchema,
  type SqliteOptions,
} from './open-sqlite-store.js';
