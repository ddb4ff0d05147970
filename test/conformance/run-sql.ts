/**
 * Compares the SQL translation with the engine, on SQLite, PostgreSQL and DuckDB: random policies on random people, in every layout.
 *
 *   npm run check -- conformance-sql --runs 50000 [--seed=N] [--only=sqlite,duckdb]
 */
import { parseArgs } from 'node:util';
import { createPostgresCluster } from '../support/postgres-cluster.js';
import { checkSql, type SqlReport } from './sql/check-sql.js';
import { openDuckdb, openPostgres, openSqlite } from './sql/databases.js';

const DEFAULT_RUNS = 50_000;
const REFRESH_MS = 500;

const { values } = parseArgs({
  options: { runs: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const runs = parseInteger('runs', values.runs) ?? DEFAULT_RUNS;
const seed = parseInteger('seed', values.seed) ?? Date.now() | 0;
const dialects = values.only?.split(',') ?? ['sqlite', 'postgres', 'duckdb'];

const cluster = dialects.includes('postgres') ? await createPostgresCluster() : undefined;
const databases = [
  ...(dialects.includes('sqlite') ? [openSqlite()] : []),
  ...(cluster === undefined ? [] : [await openPostgres(cluster.url)]),
  ...(dialects.includes('duckdb') ? [await openDuckdb()] : []),
];
const startedAt = performance.now();
let writtenAt = 0;
const report = await checkSql(databases, { runs, seed, onProgress });
for (const database of databases) await database.close();
await cluster?.remove();
writeReport(report);
process.exitCode = report.counterexample === undefined && report.runs >= runs ? 0 : 1;

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
    process.stdout.write('no counterexample: engine and databases selected the same people in every run\n');
    return;
  }
  process.stdout.write(`counterexample, shrunk:\n${JSON.stringify(counterexample, null, 2)}\n`);
  process.stdout.write(`repeat with: npm run check -- conformance-sql --runs=${done} --seed=${seed}\n`);
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

function parseInteger(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  process.stderr.write(`--${name} must be an integer (got ${text})\n`);
  process.exit(2);
}
