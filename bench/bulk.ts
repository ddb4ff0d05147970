/**
 * Compares three ways to evaluate a policy for one million people: a hand-written loop over an array of plain objects, `evaluateMany` on
 * columns, and DuckDB's `count(*)` in memory; the latter two on one thread and on two.
 *
 * `npm run check -- bench-bulk [people] [rounds]`, which runs a bundle like the published one. The contenders alternate, so that other
 * load affects all of them; each must find the same number of people before it is timed.
 */
import { cpus } from 'node:os';
import { DuckDBInstance, version } from '@duckdb/node-api';
import {
  type ClaimColumns,
  ClaimColumnsBuilder,
  evaluateMany,
  type PolicyInput,
  type PolicyItemInput,
  re2js,
} from '../src/index.js';
import { ColumnWorkers } from '../src/workers/index.js';
import { createSeededDraw } from './scenarios/random.js';

interface Person {
  readonly age: number;
  readonly country: string;
  readonly email: string;
  readonly highRisk: boolean;
  readonly nationalities: readonly string[];
  readonly verifiedAt: string;
}

/** A way to count the people who pass. */
interface Contender {
  readonly name: string;
  count(): number | Promise<number>;
}

const PEOPLE = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = Number(process.argv[3] ?? 31);
const SEED = 20_261_121;

const COUNTRIES = ['DE', 'FR', 'IT', 'ES', 'PL', 'NL', 'BE', 'SE', 'AT', 'PT', 'US', 'GB'];
const WEST = new Set(['DE', 'FR', 'BE', 'NL', 'AT']);
const SINCE = '2025-06-01';

/** Six checks, nested three deep. */
const POLICY_ITEMS: readonly PolicyItemInput[] = [
  { claim: 'identity.age', operator: '>=', value: 18 },
  {
    anyOf: [
      { claim: 'identity.country', operator: 'in', value: [...WEST] },
      {
        allOf: [
          { claim: 'identity.nationalities', operator: 'contains', value: 'FR' },
          { claim: 'contact.email', operator: 'startsWith', value: 'a' },
        ],
      },
    ],
  },
  { not: { claim: 'kyc.is_high_risk', operator: '==', value: true } },
  { claim: 'kyc.verified_at', operator: '>=', value: SINCE },
];
const POLICY: PolicyInput = { allOf: POLICY_ITEMS };

/** The policy, hand-written; dates of one format compare as strings. */
function passes(person: Person): boolean {
  return (
    person.age >= 18 &&
    (WEST.has(person.country) || (person.nationalities.includes('FR') && person.email.startsWith('a'))) &&
    person.highRisk !== true &&
    person.verifiedAt >= SINCE
  );
}

const SQL = `SELECT count(*) FROM people WHERE age >= 18
  AND (country IN (${[...WEST].map((country) => `'${country}'`).join(', ')})
    OR (list_contains(nationalities, 'FR') AND starts_with(email, 'a')))
  AND NOT high_risk AND verified_at >= DATE '${SINCE}'`;

/**
 * Draws people with distinct e-mail addresses, for whom no two checks alone decide the policy. Parses them from JSON, so that no string is a
 * slice of another.
 */
function drawPeople(count: number): readonly Person[] {
  const random = createSeededDraw(SEED);
  const country = () => COUNTRIES[Math.floor(random() * COUNTRIES.length)] as string;
  return Array.from({ length: count }, (_, index) => {
    const first = country();
    const person: Person = {
      age: Math.floor(random() * 90),
      country: first,
      email: `${String.fromCharCode(97 + Math.floor(random() * 8))}${index}@example.org`,
      highRisk: random() < 0.1,
      nationalities: random() < 0.7 ? [first] : [first, country()],
      verifiedAt: new Date(Date.UTC(2024, 0, 1 + Math.floor(random() * 1_000))).toISOString().slice(0, 10),
    };
    return JSON.parse(JSON.stringify(person)) as Person;
  });
}

function toColumns(people: readonly Person[]): ClaimColumns {
  const builder = new ClaimColumnsBuilder({ now: 0 });
  for (const person of people) {
    builder.addRow({
      'identity.age': person.age,
      'identity.country': person.country,
      'identity.nationalities': person.nationalities,
      'contact.email': person.email,
      'kyc.is_high_risk': person.highRisk,
      'kyc.verified_at': person.verifiedAt,
    });
  }
  return builder.build();
}

function handWrittenContender(people: readonly Person[]): Contender {
  return {
    name: 'rows, by hand',
    count: () => {
      let count = 0;
      for (const person of people) if (passes(person)) count += 1;
      return count;
    },
  };
}

function evaluateManyContender(columns: ClaimColumns): Contender {
  return {
    name: `evaluateMany, ${onThreads(1)}`,
    count: () => evaluateMany({ policy: POLICY }, columns, { regex: re2js }).count,
  };
}

function workersContender(workers: ColumnWorkers): Contender {
  return {
    name: `evaluateMany, ${onThreads(workers.threads)}`,
    count: async () => (await workers.evaluateMany({ policy: POLICY })).count,
  };
}

function onThreads(threads: number): string {
  return threads === 1 ? 'one thread' : `${threads} threads`;
}

async function duckDbContender(people: readonly Person[], threads: number): Promise<Contender> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
  const connection = await instance.connect();
  await connection.run(
    'CREATE TABLE raw_people (age INTEGER, country VARCHAR, email VARCHAR, high_risk BOOLEAN, nationalities VARCHAR, verified_at VARCHAR)',
  );
  const appender = await connection.createAppender('raw_people');
  for (const person of people) {
    appender.appendInteger(person.age);
    appender.appendVarchar(person.country);
    appender.appendVarchar(person.email);
    appender.appendBoolean(person.highRisk);
    appender.appendVarchar(person.nationalities.join(','));
    appender.appendVarchar(person.verifiedAt);
    appender.endRow();
  }
  appender.closeSync();
  await connection.run(
    `CREATE TABLE people AS SELECT age, country, email, high_risk,
       string_split(nationalities, ',') AS nationalities, verified_at::DATE AS verified_at FROM raw_people`,
  );
  await connection.run('DROP TABLE raw_people');
  return {
    name: `DuckDB ${version()}, ${onThreads(threads)}`,
    count: async () => Number((await connection.runAndReadAll(SQL)).getRows()[0]?.[0]),
  };
}

async function timeOnce(contender: Contender): Promise<number> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await contender.count();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  cpuMs.get(contender)?.push((user + system) / 1_000);
  return ms;
}

/** Formats the mean. Not the median, since the clock that measures CPU time is coarse. */
function formatMean(values: readonly number[] = []): string {
  return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(2);
}

/** Returns the speed relative to another contender in each round, so that other load on the machine cancels out; higher is faster. */
function relativeSpeed(durations: readonly number[], other: Contender): readonly number[] {
  const otherDurations = times.get(other) ?? [];
  return durations.map((time, round) => (otherDurations[round] as number) / time);
}

/** Formats the median and the quartiles. */
function formatQuartiles(values: readonly number[]): readonly string[] {
  const sorted = values.toSorted((left, right) => left - right);
  return [0.5, 0.25, 0.75].map((share) =>
    (sorted[Math.round((sorted.length - 1) * share)] as number).toFixed(2),
  );
}

function line(name: string, ...figures: readonly string[]): string {
  return name.padEnd(30) + figures.map((figure) => figure.padStart(14)).join('');
}

const people = drawPeople(PEOPLE);
const startedAt = performance.now();
const columns = toColumns(people);
const buildMs = performance.now() - startedAt;
const workers = new ColumnWorkers(columns, { threads: 2 });
const byHand = handWrittenContender(people);
const duckDbSingleThread = await duckDbContender(people, 1);
const contenders = [
  byHand,
  evaluateManyContender(columns),
  workersContender(workers),
  duckDbSingleThread,
  await duckDbContender(people, 2),
];

const found = people.filter(passes).length;
for (const contender of contenders) {
  const count = await contender.count();
  if (count !== found) throw new Error(`${contender.name} found ${count} people instead of ${found}`);
}

// Warm up with other queries: code specialized for a single query would be faster than in practice.
for (const item of POLICY_ITEMS) {
  evaluateMany({ policy: { not: item } }, columns, { regex: re2js });
  await workers.evaluateMany({ policy: { not: item } });
}

const times = new Map(contenders.map((contender) => [contender, [] as number[]]));
/** CPU times of the process, all threads included. */
const cpuMs = new Map(contenders.map((contender) => [contender, [] as number[]]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const contender of contenders) times.get(contender)?.push(await timeOnce(contender));
}

await workers.close();

const report = [...times].map(([contender, durations]) => [
  contender.name,
  ...formatQuartiles(durations),
  ...formatQuartiles(relativeSpeed(durations, byHand)),
  ...formatQuartiles(relativeSpeed(durations, duckDbSingleThread)),
  formatMean(cpuMs.get(contender)),
]);
const lines = [
  `${PEOPLE} people, six checks, ${found} pass; ${ROUNDS} rounds; Node ${process.version}, ${cpus()[0]?.model}`,
  `columns built from rows in ${buildMs.toFixed(0)} ms`,
  line(
    '',
    ...['median ms', 'speed/by hand', 'speed/DuckDB'].flatMap((title) => [title, '25 %', '75 %']),
    'CPU ms',
  ),
  ...report.map(([name = '', ...figures]) => line(name, ...figures)),
];
process.stdout.write(`${lines.join('\n')}\n`);
