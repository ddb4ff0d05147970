/** The PostgreSQL store's public names. */
export { NewerSchemaError } from '../migrate.js';
export { openPostgresStore, type PostgresOptions } from './open-postgres-store.js';
