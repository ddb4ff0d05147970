/**
 * Compares the filters of `toPrismaWhere` with the engine on a Prisma client, on SQLite and PostgreSQL: random policies on random
 * people. Installs Prisma into a temporary folder; if that fails, the check is skipped with a message.
 *
 *   npm run check -- conformance-prisma [--runs=500] [--seed=N]
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { ClaimSet, compile, type JsonValue } from '../../src/index.js';
import {
  type PrismaField,
  type PrismaWhere,
  SqlTranslationError,
  toPrismaWhere,
} from '../../src/sql/index.js';
import { parseRunsAndSeed } from '../support/check-options.js';
import { createPostgresCluster } from '../support/postgres-cluster.js';

const PACKAGES = [
  'prisma@7.10.0',
  '@prisma/client@7.10.0',
  '@prisma/adapter-pg@7.10.0',
  '@prisma/adapter-libsql@7.10.0',
];
const PEOPLE = 80;
const DEFAULT_RUNS = 500;

type Provider = 'postgresql' | 'sqlite';

const FIELDS = {
  'x.age': { field: 'age', type: 'integer' },
  'x.level': { field: 'level', type: 'integer', isRequired: true },
  'x.score': { field: 'score', type: 'number' },
  'x.country': { field: 'country', type: 'text' },
  'x.member': { field: 'member', type: 'boolean' },
} as const satisfies Readonly<Record<string, PrismaField>>;

const MODEL = `model Person {
  id      Int      @id
  age     Int?
  level   Int
  score   Float?
  country String?
  member  Boolean?
}`;
const TABLES: Readonly<Record<Provider, string>> = {
  postgresql:
    'create table "Person" (id integer primary key, age integer, level integer not null, score double precision, country text, member boolean)',
  sqlite:
    'create table "Person" (id integer primary key, age integer, level integer not null, score real, country text, member boolean)',
};

const INTEGERS = fc.constantFrom(-(2 ** 31), -1, 0, 1, 17, 18, 2 ** 31 - 1);
/** At most 15 significant digits: Prisma rounds other numbers. */
const NUMBERS = fc.oneof(
  INTEGERS,
  fc.constantFrom(0.1, -0.5, 17.5, 1e-7, 1e21),
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
    .map((x) => Number(x.toPrecision(15))),
);
const STRINGS = fc.constantFrom('', 'DE', 'de', 'DEU', 'D%', 'É', '18', '2026-01-01');
const VALUES = fc.oneof(NUMBERS, STRINGS, fc.boolean(), fc.constant(null));

interface Row {
  readonly id: number;
  readonly age: number | null;
  readonly level: number;
  readonly score: number | null;
  readonly country: string | null;
  readonly member: boolean | null;
}

const ROWS = fc
  .array(
    fc.record({
      age: fc.option(INTEGERS),
      level: INTEGERS,
      score: fc.option(NUMBERS),
      country: fc.option(STRINGS),
      member: fc.option(fc.boolean()),
    }),
    { minLength: PEOPLE, maxLength: PEOPLE },
  )
  .map((rows) => rows.map((row, id): Row => ({ id, ...row })));

const CLAIM = fc.constantFrom(...Object.keys(FIELDS), 'x.unmapped');
/** Checks that may not fit their field, or whose claim has no field: most are rejected. */
const ANY_CHECK = fc.oneof(
  fc.record({ claim: CLAIM, operator: fc.constantFrom('==', '!=', 'contains'), value: VALUES }),
  fc.record({ claim: CLAIM, operator: fc.constantFrom('>', '>=', '<', '<='), value: NUMBERS }),
);
const checksOf = (claims: readonly (keyof typeof FIELDS)[], values: fc.Arbitrary<JsonValue>) => {
  const claim = fc.constantFrom(...claims);
  return fc.oneof(
    fc.record({ claim, operator: fc.constantFrom('==', '!='), value: values }),
    fc.record({
      claim,
      operator: fc.constantFrom('in', 'notIn'),
      value: fc.array(values, { maxLength: 4 }),
    }),
    fc.record({ claim, operator: fc.constant('isDefined') }),
  );
};
const ordersOf = (claim: keyof typeof FIELDS) =>
  fc.record({
    claim: fc.constant(claim),
    operator: fc.constantFrom('>', '>=', '<', '<='),
    value: NUMBERS,
  });
const CHECK = fc.oneof(
  { weight: 4, arbitrary: checksOf(['x.age', 'x.level'], INTEGERS) },
  { weight: 2, arbitrary: checksOf(['x.score'], NUMBERS) },
  { weight: 2, arbitrary: checksOf(['x.country'], STRINGS) },
  { weight: 2, arbitrary: checksOf(['x.member'], fc.boolean()) },
  // Some are beyond the values of an `Int`, and rejected.
  { weight: 1, arbitrary: ordersOf('x.age') },
  { weight: 1, arbitrary: ordersOf('x.level') },
  { weight: 1, arbitrary: ordersOf('x.score') },
  {
    weight: 1,
    arbitrary: fc.record({
      claim: fc.constant('x.country'),
      operator: fc.constant('startsWith'),
      value: STRINGS,
    }),
  },
  { weight: 1, arbitrary: ANY_CHECK },
);
const POLICY = fc.letrec<{ item: unknown }>((tie) => {
  const items = fc.array(tie('item'), { minLength: 1, maxLength: 3 });
  return {
    item: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      CHECK,
      fc.record({ allOf: items }),
      fc.record({ anyOf: items }),
      fc.record({ not: tie('item') }),
    ),
  };
}).item;

/** The members of a generated client that the check uses. */
interface Client {
  readonly person: {
    createMany(options: { readonly data: readonly Row[] }): Promise<unknown>;
    findMany(options: {
      readonly where?: PrismaWhere;
      readonly orderBy: { readonly id: 'asc' };
    }): Promise<readonly Row[]>;
  };
  $executeRawUnsafe(statement: string): Promise<unknown>;
  $disconnect(): Promise<void>;
}

const { values: options } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
const { runs, seed } = parseRunsAndSeed(options, DEFAULT_RUNS);

const folder = mkdtempSync(join(tmpdir(), 'proviso-prisma-'));
try {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  // Prisma's own downloads are not needed: the client runs on the adapters.
  const installed = run('npm', [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--silent',
    ...PACKAGES,
  ]);
  if (installed.status !== 0) {
    process.stdout.write(`skipped: Prisma could not be installed\n${installed.stderr}`);
  } else {
    const cluster = await createPostgresCluster();
    try {
      const found = [
        await compare('sqlite', 'PrismaLibSql', { url: `file:${join(folder, 'people.sqlite')}` }),
        await compare('postgresql', 'PrismaPg', { connectionString: cluster.url }),
      ];
      process.exitCode = found.includes('counterexample') ? 1 : 0;
    } finally {
      await cluster.remove();
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs the policies on one database, up to the first whose filter selects other people than the engine, which is reported. */
async function compare(
  provider: Provider,
  adapter: string,
  connection: object,
): Promise<'equal' | 'counterexample'> {
  const prisma = await createClient(provider, adapter, connection);
  try {
    await prisma.$executeRawUnsafe(TABLES[provider]);
    const [rows = []] = fc.sample(ROWS, { numRuns: 1, seed });
    await prisma.person.createMany({ data: rows });
    const stored = await prisma.person.findMany({ orderBy: { id: 'asc' } });
    if (JSON.stringify(stored) !== JSON.stringify(rows)) throw new Error('the database changed the rows');
    const people = rows.map(({ id, ...row }) => ({ id, claims: claimSetOf(row) }));
    let translated = 0;
    for (const policy of fc.sample(POLICY, { numRuns: runs, seed })) {
      const query = { policy: { allOf: [policy] } };
      const where = translate(query, provider);
      if (where === undefined) continue;
      translated += 1;
      const compiled = compile(query as never, { catalogue: 'none' });
      const expected = people.filter(({ claims }) => compiled.test(claims)).map(({ id }) => id);
      const selected = (await prisma.person.findMany({ where, orderBy: { id: 'asc' } })).map(({ id }) => id);
      if (JSON.stringify(selected) === JSON.stringify(expected)) continue;
      const shown = JSON.stringify({ query, where, selected, expected }, undefined, 2);
      process.stdout.write(`${provider}: counterexample, seed ${seed}\n${shown}\n`);
      return 'counterexample';
    }
    if (translated === 0)
      throw new Error(`${provider}: at least one policy must be translated (got 0 of ${runs})`);
    process.stdout.write(
      `${provider}: ${translated} of ${runs} policies translated, all select the people whom the engine selects (seed ${seed})\n`,
    );
    return 'equal';
  } finally {
    await prisma.$disconnect();
  }
}

/** Returns the filter; `undefined` for a policy that is rejected with a reason. */
function translate(query: unknown, provider: Provider): PrismaWhere | undefined {
  try {
    return toPrismaWhere(query, { provider, fields: FIELDS });
  } catch (error) {
    if (error instanceof SqlTranslationError) return undefined;
    throw error;
  }
}

/** A null in a column is an undefined claim. */
function claimSetOf(row: Omit<Row, 'id'>): ClaimSet {
  const claims = Object.entries(FIELDS).flatMap(([path, { field }]): [string, JsonValue][] =>
    row[field] === null ? [] : [[path, row[field]]],
  );
  return ClaimSet.of(Object.fromEntries(claims));
}

/** Generates a client for a provider and connects it through an adapter. */
async function createClient(provider: Provider, adapter: string, connection: object): Promise<Client> {
  const project = join(folder, provider);
  mkdirSync(project);
  const generator = 'generator client {\n  provider = "prisma-client"\n  output = "./client"\n}';
  const schema = `datasource db {\n  provider = "${provider}"\n}\n${generator}\n${MODEL}\n`;
  writeFileSync(join(project, 'schema.prisma'), schema);
  const config = { schema: join(project, 'schema.prisma') };
  writeFileSync(join(project, 'prisma.config.ts'), `export default ${JSON.stringify(config)};`);
  const generated = run('npx', ['prisma', 'generate', '--config', join(project, 'prisma.config.ts')]);
  if (generated.status !== 0) throw new Error(`prisma generate: ${generated.stdout}${generated.stderr}`);
  // The packages are not installed in this repository, so their types are not known.
  const { PrismaClient } = (await import(pathToFileURL(join(project, 'client/client.ts')).href)) as {
    readonly PrismaClient: new (options: { readonly adapter: unknown }) => Client;
  };
  const adapters = createRequire(join(folder, 'package.json'));
  const packageName = provider === 'sqlite' ? '@prisma/adapter-libsql' : '@prisma/adapter-pg';
  const Adapter = (adapters(packageName) as Record<string, new (connection: object) => unknown>)[adapter];
  if (Adapter === undefined) throw new Error(`${packageName} must export ${adapter}`);
  return new PrismaClient({ adapter: new Adapter(connection) });
}

function run(command: string, args: readonly string[]): SpawnSyncReturns<string> {
  // `generate` needs no schema engine, but would download it.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };
  return spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
}
