/** Public API of the PostgreSQL store. */
export type { StoreInspection } from '../inspection.js';
export { NewerSchemaError, type SchemaStatus } from '../migrate.js';
export { EncryptionKeyError } from '../sealing/encryption.js';
export { SealedValueError } from '../sealing/sealing.js';
export type { StoreOptions } from '../sql-store.js';
export {
  inspectPostgresStore,
  openPostgresStore,
  type PostgresOptions,
  readPostgresSchema,
} from './open-postgres-store.js';
