/** The PostgreSQL store's public names. */
export { NewerSchemaError, type SchemaStatus } from '../migrate.js';
export { openPostgresStore, type PostgresOptions, readPostgresSchema } from './open-postgres-store.js';
