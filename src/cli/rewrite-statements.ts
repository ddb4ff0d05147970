/** The statements that remove old values from the files of a PostgreSQL store (S330). */

/**
 * Returns statements for an administrator of the database, separated by semicolons. The statistics of the planner contain values, and an analysis
 * of a table that is empty now keeps them.
 */
export function toRewriteStatements(tables: readonly string[]): string {
  const names = tables.map((table) => `'${table}'`);
  return [
    `DELETE FROM pg_statistic WHERE starelid = ANY (ARRAY[${names.join(', ')}]::regclass[])`,
    `VACUUM (FULL, ANALYZE) ${tables.join(', ')}`,
    'VACUUM FULL pg_statistic',
    'CHECKPOINT',
  ].join('; ');
}
