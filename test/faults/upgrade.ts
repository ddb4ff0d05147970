/**
 * Runs the previous version and the next one on one PostgreSQL under load, and replaces instances one by one: previous → next → previous → next.
 * Compares each response with the expected one, and each acknowledged write with the store (S390).
 *
 * npm run check -- upgrade [--minutes 6] [--from REVISION] [--forward] [--rate 40] [--seed N]
 *
 * The next version is this checkout with one more migration, which is additive. `--from` is a commit or tag; by default the newest release or, before
 * the first one, the first commit to which this version can be rolled back. `--forward` is for an older commit: replaces the instances once, and
 * checks that the previous version does not start on the new schema.
 * Exit code 0: no wrong response, no lost write, and at most 0.1 % of the load's requests cut off, which a load balancer would send again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MIGRATIONS } from '../../src/stores/migrate.js';
import { ServiceStartError } from '../support/watched-service.js';
import { audit, auditRows, createService, type GrantHistory, reasonOf, report, write } from './grants.js';
import { createSeededChoice, seedOf } from './seeded-choice.js';
import { type Load, sustain } from './soak/load.js';
import { createPerson } from './soak/people.js';
import { createTally } from './soak/tally.js';
import { expectedResultsByPerson } from './soak/verdicts.js';
import { ownPostgres } from './stores.js';
import { createBalancer, type Version } from './upgrade/balancer.js';
import { buildCommit, buildNext, defaultPrevious } from './upgrade/build-version.js';
import { auditCredentials, createCredentialWriter } from './upgrade/credentials.js';

const INSTANCES = 3;
const PEOPLE = 24;
const GRANT_WRITERS = 2;
const CREDENTIAL_WRITERS = 3;
const MS_PER_MINUTE = 60_000;
/** Errors after which a load balancer sends the request again, to another instance. */
const RETRIED = /ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET|socket hang up/;

/** Statements of the additional migration. The previous version does not know its table and columns: a default value, or NULL, is stored for them. */
const SYNTHETIC = [
  'CREATE TABLE upgrade_probe (id TEXT NOT NULL PRIMARY KEY, person_id TEXT REFERENCES person (id) ON DELETE CASCADE);',
  "ALTER TABLE person ADD COLUMN upgrade_state TEXT NOT NULL DEFAULT 'next';",
  "ALTER TABLE credential ADD COLUMN upgrade_state TEXT NOT NULL DEFAULT 'next';",
  'ALTER TABLE access_token ADD COLUMN upgrade_note TEXT;',
  'ALTER TABLE refresh_token ADD COLUMN upgrade_note TEXT;',
  'ALTER TABLE authorization_record ADD COLUMN upgrade_note TEXT;',
];
const SYNTHETIC_INDEX = {
  name: 'upgrade_index',
  statement: 'CREATE INDEX CONCURRENTLY upgrade_index ON access_token (issued_at)',
};

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '6' },
    from: { type: 'string' },
    forward: { type: 'boolean', default: false },
    rate: { type: 'string', default: '40' },
    seed: { type: 'string' },
  },
});
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
if (!(minutes > 0) || !(rate > 0)) {
  process.stderr.write('upgrade: --minutes and --rate must be positive numbers\n');
  process.exit(2);
}
const seed = seedOf(values.seed);
const startedAt = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'proviso-upgrade-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const revision = values.from ?? defaultPrevious();
progress(`building ${revision} and this checkout with one more migration`);
const previous: Version = { name: 'previous', command: buildCommit(revision, join(folder, 'previous')) };
const next: Version = { name: 'next', command: buildNext(syntheticMigration(), join(folder, 'next')) };

const store = await ownPostgres();
const balancer = createBalancer(folder, {
  PROVISO_DATABASE_URL: store.databaseUrl,
  PROVISO_LOG_LEVEL: 'error',
  PROVISO_PLAYGROUND: 'off',
});
const violations: string[] = [];
const tally = createTally();
const connectionErrors = new Map<string, number>();
const credentialWrites = { answered: 0 };
const service = createService(
  () => balancer.nextUrl(),
  (error) => RETRIED.test(reasonOf(error)),
);
const histories: GrantHistory[] = [];
let replaced = 0;
let stopped = false;

try {
  for (let count = 0; count < INSTANCES; count += 1) await balancer.add(previous);
  const load = createLoad();
  const sustained = sustain(load, { ...tally, failed }, rate);
  const writers = load.people.slice(0, CREDENTIAL_WRITERS).map((_, index) =>
    createCredentialWriter(personAt(index), balancer.requests, {
      answered: () => {
        credentialWrites.answered += 1;
      },
      failed: (why) => failed(why, performance.now(), performance.now()),
      wrong: tally.wrong,
    }),
  );
  const flows = [
    ...writers.map((writer) => writer.run(() => stopped)),
    ...Array.from({ length: GRANT_WRITERS }, (_, writer) =>
      write(service, histories, createSeededChoice(seed, String(writer)), () => stopped),
    ),
  ];
  const steps = values.forward ? [next] : [next, previous, next];
  const phaseMs = (minutes * MS_PER_MINUTE) / (steps.length + 0.5);
  await delay(phaseMs / 4);
  for (const version of steps) {
    await replaceAll(version, phaseMs);
    if (values.forward) violations.push(...(await expectRefusal()));
  }
  await delay(phaseMs / 4);
  stopped = true;
  await sustained.stop();
  await Promise.all(flows);

  progress('comparing the acknowledged writes with the store');
  violations.push(...balancer.ended(), ...service.violations);
  violations.push(...(await auditRows(store.runSql)), ...(await auditSchema()));
  violations.push(...(await auditCredentials(writers, store.runSql)));
  for (const writer of writers)
    for (let count = 0; count < INSTANCES; count += 1) violations.push(...(await writer.audit()));
  service.violations.length = 0;
  const audited = await audit(service, histories);
  violations.push(...service.violations);
  const { text, violations: wrong } = tally.summary('load');
  violations.push(...wrong);
  const credentials = writers.flatMap(({ written }) => written);
  process.stdout.write(
    `${text}\n  ${sustained.notStarted()} actions not started since all people were waiting\ngrants: ${service.answered} responses, ${audited} grants audited, ${service.broken} requests cut off, ${service.unavailable} times 503, longest response ${Math.round(service.longestMs)} ms\ncredentials: ${credentialWrites.answered} responses, ${credentials.length} ingested, ${credentials.filter(({ revoked }) => revoked === true).length} revoked\n${replaced} instances replaced; ${listed(connectionErrors)}\n`,
  );
} finally {
  stopped = true;
  await balancer.stop();
  await store.remove();
}
report(
  `${values.forward ? 'previous → next' : 'previous → next → previous → next'}: 0 wrong answers, 0 lost writes`,
  violations,
);

/** Replaces all instances, one after the other, so that both versions run for most of the time. */
async function replaceAll(version: Version, phaseMs: number): Promise<void> {
  const from = performance.now();
  for (let count = 0; count < INSTANCES; count += 1) {
    await balancer.add(version);
    const fault = await balancer.removeOldest();
    if (fault !== undefined) violations.push(fault);
    replaced += 1;
    progress(
      `${balancer.describe()}; ${tally.requests() + service.answered + credentialWrites.answered} requests`,
    );
    violations.push(...balancer.ended());
    await delay(Math.max(0, from + ((count + 1) * phaseMs) / INSTANCES - performance.now()));
  }
}

/** Starts the previous version on the new schema, with which it is not compatible. @returns A fault if it starts. */
async function expectRefusal(): Promise<readonly string[]> {
  try {
    await balancer.add(previous);
  } catch (error) {
    if (error instanceof ServiceStartError && /schema version/.test(error.stderr)) {
      progress(`the previous version does not start: ${error.stderr.trim()}`);
      return [];
    }
    throw error;
  }
  return ['the previous version started on a schema with which it is not compatible'];
}

async function auditSchema(): Promise<readonly string[]> {
  const [row] = await store.runSql('select version::int, compatible_from::int from schema_version');
  const expected = { version: MIGRATIONS.length + 1, compatible_from: MIGRATIONS.at(-1)?.compatibleFrom };
  if (JSON.stringify(row) !== JSON.stringify(expected)) return [`the schema is ${JSON.stringify(row)}`];
  const indexes = await store.runSql(
    `select 1 from pg_index where indisvalid and indexrelid = to_regclass('${SYNTHETIC_INDEX.name}')`,
  );
  return indexes.length === 1 ? [] : ['the index of the new migration is missing or invalid'];
}

function syntheticMigration(): string {
  const compatibleFrom = MIGRATIONS.at(-1)?.compatibleFrom;
  return JSON.stringify({
    compatibleFrom,
    sqlite: SYNTHETIC,
    postgres: SYNTHETIC,
    postgresIndexes: [SYNTHETIC_INDEX],
  });
}

function createLoad(): Load {
  const people = Array.from({ length: PEOPLE }, (_, index) => {
    const expectations = [...expectedResultsByPerson(Date.now())];
    const [name = '', expected = { queries: [], presets: '' }] =
      expectations[index % expectations.length] ?? [];
    return createPerson(name, expected);
  });
  return { people, choice: createSeededChoice(seed, 'load'), requests: () => balancer.requests };
}

function personAt(index: number): string {
  return [...expectedResultsByPerson(Date.now()).keys()][index] ?? '';
}

/** Counts a failed request. Only a failed connection is allowed, after which a load balancer sends the request again. */
function failed(why: string, dueAt: number, endedAt: number): void {
  tally.failed(why, dueAt, endedAt);
  connectionErrors.set(why, (connectionErrors.get(why) ?? 0) + 1);
  if (!RETRIED.test(why)) violations.push(`a request failed for another reason than its connection: ${why}`);
}

function listed(counts: ReadonlyMap<string, number>): string {
  return counts.size === 0
    ? 'no request of the load failed'
    : [...counts].map(([why, count]) => `${why} × ${count}`).join(', ');
}

function progress(text: string): void {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stdout.write(`${String(seconds).padStart(4)} s  ${text}\n`);
}
