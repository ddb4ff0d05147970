/**
 * One million people, one policy, one thread: a loop written by hand over an array of plain objects, `evaluateMany` over
 * columns, and DuckDB's `count(*)` in memory where `@duckdb/node-api` is at hand.
 *
 * `npm run bench:bulk -- [people] [rounds]`, which runs a bundle as one would be published. DuckDB is no dependency of this package: install it anywhere and name the folder in
 * `DUCKDB_NODE_API`. The contenders take turns, so that what slows the machine slows them all; each has to find
 * the same people before it is timed.
 */
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { join } from 'node:path';
import {
  type ClaimColumns,
  ClaimColumnsBuilder,
  evaluateMany,
  type PolicyInput,
  type PolicyItemInput,
} from '../src/index.js';

interface Person {
  readonly age: number;
  readonly country: string;
  readonly email: string;
  readonly highRisk: boolean;
  readonly nationalities: readonly string[];
  readonly verifiedAt: string;
}

/** One way to count who passes. */
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

/** What the policy says, as one writes it by hand; dates of one form compare as text. */
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

/** Numbers from 0 to below 1, the same every time (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** People of whom no two checks decide alone; every e-mail address is another. As JSON gave them: no string is a view of others. */
function drawPeople(count: number): readonly Person[] {
  const random = seededRandom(SEED);
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

function handWritten(people: readonly Person[]): Contender {
  return {
    name: 'rows, by hand',
    count: () => {
      let count = 0;
      for (const person of people) if (passes(person)) count += 1;
      return count;
    },
  };
}

function overColumns(name: string, columns: ClaimColumns): Contender {
  return { name, count: () => evaluateMany({ policy: POLICY }, columns).count };
}

/** The part of DuckDB's client that is used here. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string, options: Record<string, string>): Promise<{ connect(): Promise<DuckDbConnection> }>;
  };
  listValue(values: readonly string[]): unknown;
  readonly VARCHAR: unknown;
  LIST(of: unknown): unknown;
  version(): string;
}
interface DuckDbConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRows(): readonly (readonly unknown[])[] }>;
  createAppender(table: string): Promise<DuckDbAppender>;
}
interface DuckDbAppender {
  appendInteger(value: number): void;
  appendVarchar(value: string): void;
  appendBoolean(value: boolean): void;
  endRow(): void;
  closeSync(): void;
}

async function duckDb(people: readonly Person[], threads: number): Promise<Contender | undefined> {
  const folder = process.env['DUCKDB_NODE_API'];
  if (folder === undefined) return undefined;
  const client = createRequire(join(folder, 'package.json'))('@duckdb/node-api') as DuckDb;
  const instance = await client.DuckDBInstance.create(':memory:', { threads: String(threads) });
  const connection = await instance.connect();
  await connection.run(
    'CREATE TABLE arrived (age INTEGER, country VARCHAR, email VARCHAR, high_risk BOOLEAN, nationalities VARCHAR, verified_at VARCHAR)',
  );
  const appender = await connection.createAppender('arrived');
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
       string_split(nationalities, ',') AS nationalities, verified_at::DATE AS verified_at FROM arrived`,
  );
  await connection.run('DROP TABLE arrived');
  const threadsText = threads === 1 ? 'one thread' : `${threads} threads`;
  return {
    name: `DuckDB ${client.version()}, ${threadsText}`,
    count: async () => Number((await connection.runAndReadAll(SQL)).getRows()[0]?.[0]),
  };
}

async function timeOnce(contender: Contender): Promise<number> {
  const start = performance.now();
  await contender.count();
  return performance.now() - start;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.round((sorted.length - 1) * share)] as number;
}

function line(...cells: readonly (string | number)[]): string {
  return cells
    .map((cell, index) => (index === 0 ? String(cell).padEnd(30) : String(cell).padStart(12)))
    .join('');
}

const people = drawPeople(PEOPLE);
const started = performance.now();
const columns = toColumns(people);
const built = performance.now() - started;
const contenders = [
  handWritten(people),
  overColumns('evaluateMany', columns),
  await duckDb(people, 1),
  await duckDb(people, 2),
].filter((contender) => contender !== undefined);

const found = people.filter(passes).length;
for (const contender of contenders) {
  const count = await contender.count();
  if (count !== found) throw new Error(`${contender.name} finds ${count} people, not ${found}`);
}

// Nobody asks one query only: code that has seen others is slower than code that has not.
for (const item of POLICY_ITEMS) evaluateMany({ policy: { not: item } }, columns);

const times = new Map(contenders.map((contender) => [contender, [] as number[]]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const contender of contenders) times.get(contender)?.push(await timeOnce(contender));
}

/** Of each round how many times as fast as the first contender of that round: what slows both shows in neither. */
const [floor = []] = times.values();
const report = [...times].map(([contender, drawn]) => {
  const sorted = drawn.toSorted((left, right) => left - right);
  const ratios = drawn
    .map((time, round) => (floor[round] as number) / time)
    .toSorted((left, right) => left - right);
  return { name: contender.name, sorted, ratios };
});
const lines = [
  `${PEOPLE} people, six checks, ${found} pass; ${ROUNDS} rounds; Node ${process.version}, ${cpus()[0]?.model}`,
  `columns built from rows in ${built.toFixed(0)} ms`,
  line('', 'median ms', '25 %', '75 %', 'times rows', '25 %', '75 %'),
  ...report.map(({ name, sorted, ratios }) =>
    line(
      name,
      ...[sorted, ratios].flatMap((drawn) =>
        [0.5, 0.25, 0.75].map((share) => quantile(drawn, share).toFixed(2)),
      ),
    ),
  ),
  ...(process.env['DUCKDB_NODE_API'] === undefined
    ? ['DuckDB: not measured, `DUCKDB_NODE_API` is not set']
    : []),
];
process.stdout.write(`${lines.join('\n')}\n`);
