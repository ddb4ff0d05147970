/** The package entry `proviso/sql`: translation of queries to SQL, for the database that holds the claims (V14). */
export { adviseIndexes, type IndexAdvice } from './advise-indexes.js';
export { DIALECT_NAMES, type DialectName } from './dialects/dialect.js';
export { type SqlProblem, type SqlProblemCode, SqlTranslationError } from './errors.js';
export type { SqlParameter, WrittenSql } from './fragment.js';
export {
  type ClaimColumn,
  type ClaimsLayout,
  type ColumnsLayout,
  type ColumnType,
  type CredentialsLayout,
  type DocumentsLayout,
  SERVICE_STORE_LAYOUT,
  type SqlLayout,
} from './layouts/layout.js';
export { type PrismaField, type PrismaFilterOptions, type PrismaWhere, toPrismaWhere } from './prisma.js';
export type {
  CandidateSql,
  CandidateStatementOptions,
  ConditionOptions,
  StatementOptions,
} from './statement.js';
export { type CandidateOptions, type ToSqlOptions, toCandidateSql, toSql } from './to-sql.js';
export { type SqlTag, toWhere, type WhereOptions } from './where.js';
