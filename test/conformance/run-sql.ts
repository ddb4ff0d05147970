/**
 * Compares the SQL translation with the engine, on SQLite, PostgreSQL and DuckDB: random policies on random people, in every layout.
 *
 *   npm run check -- conformance-sql --runs 50000 [--seed=N] [--only=sqlite,duckdb]
 */
import { parseArgs } from 'node:util';
import { parseRunsAndSeed, selectNames } from '../support/check-options.js';
import { createPostgresCluster } from '../support/postgres-cluster.js';
import { checkSql, type SqlReport } from './sql/check-sql.js';
import { type CheckedDatabase, openDuckdb, openPostgres, openSqlite } from './sql/databases.js';

const DEFAULT_RUNS = 50_000;
const REFRESH_MS = 500;

const { values } = parseArgs({
  options: { runs: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const { runs, seed } = parseRunsAndSeed(values, DEFAULT_RUNS);
const dialects = selectNames('database', values.only, ['sqlite', 'postgres', 'duckdb']);

const startedAt = performance.now();
let writtenAt = 0;
const cluster = dialects.includes('postgres') ? await createPostgresCluster() : undefined;
const databases: CheckedDatabase[] = [];
try {
  if (dialects.includes('sqlite')) databases.push(openSqlite());
  if (cluster !== undefined) databases.push(await openPostgres(cluster.url));
  if (dialects.includes('duckdb')) databases.push(await openDuckdb());
  const report = await checkSql(databases, { runs, seed, onProgress });
  writeReport(report);
  process.exitCode = report.counterexample === undefined && report.runs >= runs ? 0 : 1;
} finally {
  for (const database of databases) await database.close();
  await cluster?.remove();
}

function writeReport({ runs: done, databases: tallies, counterexample }: SqlReport): void {
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
  process.stdout.write(`${count(done)} runs, ${count(rate(done))} per second, seed ${seed}\n`);
  for (const [name, { translated, rejected, unfitting, selected, people }] of Object.entries(tallies)) {
    const share = Math.round((100 * selected) / Math.max(people, 1));
    process.stdout.write(
      `  ${name}: ${count(translated)} translated, ${count(rejected)} rejected with a reason (${count(unfitting)} with a check that does not fit its column); ${share} % of ${count(people)} people selected\n`,
    );
  }
  if (counterexample === undefined) {
    process.stdout.write(
      'no counterexample: engine and databases selected the same people for every translated query\n',
    );
    return;
  }
  process.stdout.write(`counterexample, shrunk:\n${JSON.stringify(counterexample, null, 2)}\n`);
  process.stdout.write(
    `repeat with: npm run check -- conformance-sql --runs=${done} --seed=${seed} --only=${dialects.join(',')}\n`,
  );
}

function onProgress(done: number): void {
  const now = performance.now();
  const tenth = Math.max(1, Math.floor(runs / 10));
  if (process.stdout.isTTY ? now - writtenAt < REFRESH_MS : done % tenth !== 0) return;
  writtenAt = now;
  const text = `${Math.floor((done * 100) / runs)} % · ${count(done)} of ${count(runs)} runs · ${count(rate(done))} per second`;
  process.stdout.write(process.stdout.isTTY ? `\r${text}\u001b[K` : `${text}\n`);
}

function rate(done: number): number {
  return Math.round((done * 1_000) / (performance.now() - startedAt));
}

function count(number: number): string {
  return number.toLocaleString('en');
}
