/** The statements that remove old values from the files of a PostgreSQL store (S330). */

/**
 * Returns statements for an administrator of the database, separated by semicolons. The statistics of the planner contain values, and an analysis
 * of a table that is empty now keeps them.
 *
 * @param tables - Names of tables, separated by commas.
 */
export function toRewriteStatements(tables: string): string {
  const names = tables.split(', ').map((table) => `'${table}'`);
  return [
    `DELETE FROM pg_statistic WHERE starelid = ANY (ARRAY[${names.join(', ')}]::regclass[])`,
    `VACUUM (FULL, ANALYZE) ${tables}`,
    'VACUUM FULL pg_statistic',
    'CHECKPOINT',
  ].join('; ');
}
