/** The SQLite store on disk: the contracts, and behavior of SQLite only (V12, V13, S183, S193, S201). */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { Kysely, SqliteDialect } from 'kysely';
import Libsql from 'libsql';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { assertBindable } from '../../src/stores/bindable.js';
import type { Schema } from '../../src/stores/schema.js';
import {
  createForeignCommitDetector,
  guardDatabase,
  retryWhenBusy,
} from '../../src/stores/sqlite/connections.js';
import {
  backupSqlite,
  NewerSchemaError,
  openSqliteStore,
  readSqliteSchema,
} from '../../src/stores/sqlite/index.js';
import { omitUndefined } from '../../src/util/omit-undefined.js';
import { cipherOf } from '../support/encryption-keys.js';
import { runCommand } from '../support/run-command.js';
import { describeAudit } from './audit.contract.js';
import { describeAuditChain } from './audit-chain.contract.js';
import { describeEncryption } from './encryption.contract.js';
import { describeLedger } from './ledger.contract.js';
import { describeMigrations } from './migrations.contract.js';
import { describeOpening } from './opening.contract.js';
import { describePlanCheck } from './query-plans.contract.js';
import { sqlitePlans } from './query-plans.js';
import { describeStore } from './store.contract.js';

const folder = mkdtempSync(join(tmpdir(), 'proviso-sqlite-'));
let files = 0;

afterAll(() => rmSync(folder, { recursive: true }));

function createPath(): string {
  files += 1;
  return join(folder, `store-${files}.sqlite`);
}

describeStore('SQLite', async () => {
  const path = createPath();
  return {
    store: await openSqliteStore(path),
    database: sqlitePlans(path),
    reopen: () => openSqliteStore(path),
  };
});

describeStore(
  'SQLite, encrypted',
  async () => {
    const path = createPath();
    const open = () => openSqliteStore(path, { cipher: cipherOf('one'), audit: true });
    return { store: await open(), database: sqlitePlans(path), reopen: open };
  },
  { encrypted: true },
);

describeAudit('SQLite', async () => {
  const path = createPath();
  const runSql = async (text: string) => withConnection(path, (file) => file.exec(text));
  return { store: await openSqliteStore(path, { audit: true }), database: sqlitePlans(path), runSql };
});

describeLedger('SQLite', () => openSqliteStore(createPath()));

describePlanCheck('SQLite', 'sqlite', async () => {
  const path = createPath();
  return { store: await openSqliteStore(path), database: sqlitePlans(path) };
});

describeOpening('SQLite', async () => {
  const path = createPath();
  return { database: sqlitePlans(path), open: (cipher) => openSqliteStore(path, omitUndefined({ cipher })) };
});

describeAuditChain(
  'SQLite',
  async () => {
    const path = createPath();
    const [store, other] = [await openSqliteStore(path, { audit: true }), await openSqliteStore(path)];
    const triggers = withConnection(path, (file) =>
      file.prepare(`select name, sql from sqlite_master where type = 'trigger'`).all([]),
    ) as readonly { readonly name: string; readonly sql: string }[];
    return {
      store,
      other,
      database: sqlitePlans(path),
      runSql: async (text) => withConnection(path, (file) => file.exec(text)),
      disarm: [triggers.map(({ name }) => `drop trigger ${name}`).join(';\n')],
      arm: [triggers.map(({ sql }) => sql).join(';\n')],
      overriding: '',
    };
  },
  60,
);

describeEncryption('SQLite', async () => {
  const path = createPath();
  return {
    open: (cipher, encryptionRequired = false) =>
      openSqliteStore(path, { audit: true, encryptionRequired, ...(cipher === undefined ? {} : { cipher }) }),
    runSql: async (text) => withConnection(path, (file) => file.exec(text)),
    rows: async (text) =>
      withConnection(path, (file) => file.prepare(text).all([]) as Record<string, unknown>[]),
    contents: async () =>
      readdirSync(folder)
        .filter((name) => name.startsWith(basename(path)))
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join(''),
    listColumns: `select m.name || '.' || p.name as name from sqlite_master m join pragma_table_info(m.name) p
      where m.type = 'table' and m.name not like 'sqlite_%' and m.name <> 'recent_change'`,
  };
});

describeMigrations('SQLite', async () => {
  const database = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: guardDatabase(new Libsql(createPath())) }),
  });
  return { dialect: 'sqlite', database };
});

/** Runs a function with a separate connection. */
function withConnection<Result>(path: string, work: (file: Libsql.Database) => Result): Result {
  const file = new Libsql(path);
  try {
    return work(file);
  } finally {
    file.close();
  }
}

describe('a SQLite file', () => {
  // S122
  it('uses an index for the grants of a person to an application', async () => {
    const path = createPath();
    const store = await openSqliteStore(path);
    const capture = sqlitePlans(path).capture();
    await store.findActiveGrant('client', { by: 'email', value: 'nobody@people.example' }, [], 1);
    capture.stop();
    const [text = ''] = capture.runs();
    const plan = withConnection(path, (file) => file.prepare(`EXPLAIN QUERY PLAN ${text}`).all([]));
    expect(JSON.stringify(plan)).toContain('authorization_of_application (client_id=? AND person_id=?)');
    await store.close();
  });

  it('has an audit log whose entries cannot be replaced', async () => {
    const path = createPath();
    const store = await openSqliteStore(path);
    await store.recordAudit([{ at: 1, kind: 'client_refused', reason: 'first' }]);
    const replace = `REPLACE INTO audit_entry (position, at, kind) VALUES (1, 1, 'query_answered')`;
    expect(() => withConnection(path, (file) => file.exec(replace))).toThrow(/must not be changed/);
    expect(await store.listAudit({ limit: 5 })).toMatchObject([{ reason: 'first' }]);
    await store.close();
  });

  // V13, S193
  it('of a newer program is rejected and left unchanged', async () => {
    const path = createPath();
    await (await openSqliteStore(path)).close();
    withConnection(path, (file) => file.exec('UPDATE schema_version SET version = 99, compatible_from = 99'));
    await expect(openSqliteStore(path)).rejects.toThrow(NewerSchemaError);
    const version = withConnection(path, (file) =>
      file.prepare('SELECT version FROM schema_version').get([]),
    );
    expect(version).toMatchObject({ version: 99 });
  });

  it('is closed if SQLite rejects a setting while it is opened', async () => {
    const prepared = vi.spyOn(Libsql.prototype, 'prepare');
    const closed = vi.spyOn(Libsql.prototype, 'close');
    const { pragma } = Libsql.prototype;
    const rejecting = vi.spyOn(Libsql.prototype, 'pragma').mockImplementation(function (
      this: Libsql.Database,
      ...given: Parameters<typeof pragma>
    ) {
      // The value `NORMAL`, which is set last.
      if (given[0] === 'synchronous = 1') throw new Error('rejected');
      return Reflect.apply(pragma, this, given) as unknown;
    } as typeof pragma);
    try {
      await expect(openSqliteStore(createPath())).rejects.toThrow('rejected');
      const used = new Set(prepared.mock.contexts);
      expect(used.size).toBeGreaterThan(0);
      const closedHandles = new Set(closed.mock.contexts);
      // The connections that write and read.
      expect(closedHandles.size).toBe(2);
      expect([...used].filter((handle) => !closedHandles.has(handle))).toEqual([]);
    } finally {
      for (const spy of [prepared, closed, rejecting]) spy.mockRestore();
    }
  });

  // V13, S193
  it('is migrated and seeded by one of several programs that start concurrently', async () => {
    // Each process generates its own signing key: the tests' shared key has a single id.
    const path = createPath();
    const env = { PROVISO_DATABASE_URL: `sqlite:${path}`, PROVISO_TEST_RSA_KEY: '' };
    const args = ['sandbox', 'token', '--person', 'ada', '--scope', 'openid'];
    const runs = await Promise.all([1, 2, 3].map(() => runCommand(args, { cwd: folder, env })));
    expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(Array(3).fill([0, '']));
    const counts = withConnection(path, (file) =>
      file
        .prepare(
          `SELECT (SELECT count(*) FROM schema_version) AS versions, (SELECT count(*) FROM person WHERE name = 'ada') AS people`,
        )
        .get([]),
    );
    expect(counts).toMatchObject({ versions: 1, people: 1 });
  });

  // V11, S110, S148
  it('shows changes of another program at once, including revocations', async () => {
    const path = createPath();
    const [ownStore, otherStore] = [await openSqliteStore(path), await openSqliteStore(path)];
    const credential = { id: 'c1', source: 's', issuedAt: 0, claims: { 'a.b': 1 } };
    await ownStore.getOrCreatePerson({ id: 'p', name: 'p', about: '' });
    expect(await ownStore.readCredentials('p')).toEqual([]);
    for (const writer of [otherStore, ownStore]) {
      const id = `c-${writer === ownStore}`;
      await writer.addCredential('p', { ...credential, id }, 1);
      const ids = async () =>
        (await ownStore.readCredentials('p')).map((found) => [found.id, found.revokedAt]);
      expect(await ids()).toContainEqual([id, undefined]);
      expect(await ownStore.readCredentials('p')).toBe(await ownStore.readCredentials('p'));
      await writer.revokeCredential(id, 5);
      expect(await ids()).toContainEqual([id, 5]);
    }
    await Promise.all([ownStore.close(), otherStore.close()]);
  });

  // V12
  it("waits for another program's transaction to write, while reads continue", async () => {
    const path = createPath();
    const store = await openSqliteStore(path, { audit: true });
    const other = new Libsql(path);
    other.exec('BEGIN IMMEDIATE');
    let written = 0;
    const count = () => {
      written += 1;
    };
    const writes = [
      store.recordAudit([{ at: 1, kind: 'query_answered' }]).then(count),
      store.getOrCreateSecret('name', 'x').then(count),
      store.getOrCreatePerson({ id: 'p', name: 'p', about: '' }).then(count),
    ];
    expect(await store.readCredentials('p')).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve));
    expect(written).toBe(0);
    other.exec('COMMIT');
    other.close();
    await Promise.all(writes);
    expect(await store.listAudit({ limit: 5 })).toHaveLength(1);
    await store.close();
  });

  // S183
  it('is flushed to disk for each acknowledged write, also after it was reopened', async () => {
    const path = createPath();
    await (await openSqliteStore(path)).close();
    const program = `
      import { openSqliteStore } from ${JSON.stringify(fileURLToPath(new URL('../../dist/server/sqlite.js', import.meta.url)))};
      const store = await openSqliteStore(${JSON.stringify(path)});
      console.error('writes begin');
      for (let write = 0; write < 20; write += 1) await store.getOrCreateSecret('name-' + write, 'x');
      console.error('writes end');`;
    const traced = execFileSync(
      'sh',
      ['-c', 'strace -f -e trace=fsync,fdatasync,write node --input-type=module -e "$PROGRAM" 2>&1 || true'],
      {
        env: { ...process.env, PROGRAM: program },
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    const tracedWrites = traced.slice(traced.indexOf('writes begin'), traced.indexOf('writes end'));
    expect(tracedWrites.match(/f(?:data)?sync\(/g)?.length ?? 0).toBeGreaterThanOrEqual(20);
  });

  // S183
  it('rejects writes if the disk cannot flush them, and can still be read', async () => {
    const path = createPath();
    await (await openSqliteStore(path)).close();
    const program = `
      import { openSqliteStore } from ${JSON.stringify(fileURLToPath(new URL('../../dist/server/sqlite.js', import.meta.url)))};
      const store = await openSqliteStore(${JSON.stringify(path)});
      const outcomes = [];
      for (let write = 0; write < 6; write += 1)
        outcomes.push(await store.getOrCreateSecret('name-' + write, 'x').then(() => 'durable', ({ cause }) => cause.code));
      outcomes.push((await store.readCredentials('p')).length);
      console.log(JSON.stringify(outcomes));`;
    const printed = execFileSync(
      'sh',
      [
        '-c',
        'strace -f -e trace=fdatasync -e inject=fdatasync:error=EIO:when=3+ -o /dev/null node --input-type=module -e "$PROGRAM"',
      ],
      {
        // strace counts the calls of each thread.
        env: { ...process.env, PROGRAM: program, UV_THREADPOOL_SIZE: '1' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    expect(JSON.parse(printed)).toEqual(['durable', 'durable', 'EIO', 'EIO', 'EIO', 'EIO', 0]);
  });
});

// S196
it('opening a SQLite store leaves a directory at its path unchanged, and names the fault', async () => {
  const path = createPath();
  mkdirSync(path, { mode: 0o755 });
  await expect(openSqliteStore(path)).rejects.toThrow('its path must be that of a file');
  expect(statSync(path).mode & 0o777).toBe(0o755);
});

// S196
it('opening a SQLite store leaves the mode and the content of a file that is no database unchanged', async () => {
  const path = createPath();
  writeFileSync(path, 'settings of another program, which other users read');
  chmodSync(path, 0o644);
  await expect(openSqliteStore(path)).rejects.toThrow('file is not a database');
  expect(statSync(path).mode & 0o777).toBe(0o644);
  expect(readFileSync(path, 'utf8')).toBe('settings of another program, which other users read');
});

// S196
it('a SQLite database of another program keeps its mode and content, and is not read, opened or copied as a store', async () => {
  const own = createPath();
  mkdirSync(own);
  const path = join(own, 'notes.sqlite');
  const file = new Libsql(path);
  // As migration tools name their table.
  file.exec('CREATE TABLE schema_version (version TEXT); CREATE TABLE person (name TEXT)');
  file.close();
  chmodSync(path, 0o644);
  const before = readFileSync(path);
  await expect(readSqliteSchema(path)).rejects.toThrow('it is a database of another program');
  await expect(openSqliteStore(path)).rejects.toThrow('it is a database of another program');
  expect(() => backupSqlite(path, `${path}.copy`, 1)).toThrow('it is a database of another program');
  expect(statSync(path).mode & 0o777).toBe(0o644);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(own)).toEqual(['notes.sqlite']);
});

// S195
it('a backup of a SQLite file without tables is rejected', () => {
  const path = createPath();
  writeFileSync(path, '');
  expect(() => backupSqlite(path, `${path}.copy`, 1)).toThrow('the store to back up does not exist');
});

// S196
it('a SQLite store that cannot be opened gets a private file mode', async () => {
  const path = createPath();
  await (await openSqliteStore(path)).close();
  const file = new Libsql(path);
  file.exec('UPDATE schema_version SET version = 99, compatible_from = 99');
  file.close();
  chmodSync(path, 0o644);
  await expect(openSqliteStore(path)).rejects.toThrow(NewerSchemaError);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

// V12, S183
it('a SQLite transaction that a full disk ended is rejected with this cause, and the next one is committed', async () => {
  const file = new Libsql(createPath());
  const database = new Kysely<{ note: { text: string } }>({
    dialect: new SqliteDialect({
      database: guardDatabase(file),
      onCreateConnection: async (connection) => retryWhenBusy(connection, () => undefined),
    }),
  });
  file.exec('CREATE TABLE note (text TEXT)');
  // SQLite reports this limit like the end of the disk.
  file.exec('PRAGMA max_page_count = 4');
  const insert = (text: string) =>
    database
      .transaction()
      .execute((transaction) => transaction.insertInto('note').values({ text }).execute());
  await expect(insert('x'.repeat(100_000))).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  await insert('x');
  expect(file.prepare('SELECT text FROM note').all([])).toEqual([{ text: 'x' }]);
  await database.destroy();
});

// V12, S183
it('commits of other connections are detected once, so that results that are based on them wait for a flush', () => {
  const path = createPath();
  const [own, other] = [new Libsql(path), new Libsql(path)];
  own.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x)');
  const hasOthersCommitted = createForeignCommitDetector(guardDatabase(own));
  own.exec('INSERT INTO t VALUES (1)');
  expect(hasOthersCommitted()).toBe(false);
  other.exec('INSERT INTO t VALUES (2)');
  expect([hasOthersCommitted(), hasOthersCommitted()]).toEqual([true, false]);
  own.close();
  other.close();
});

// D1, S201
describe('the guard of the driver', () => {
  const REJECTED = [
    true,
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    {},
    [],
    Object.create(null),
    new Date(0),
    Symbol('x'),
    () => 1,
    'a\0b',
    '\ud800',
  ];
  const ACCEPTED = ['', 'é🌍', 0, -1.5, Number.MAX_SAFE_INTEGER, 2n ** 62n, null, new Uint8Array([1])];

  it.each(REJECTED.map((value) => [inspect(value), value]))('rejects the value %s', (_shown, value) => {
    expect(() => assertBindable(value)).toThrow(TypeError);
  });

  it.each(ACCEPTED.map((value) => [inspect(value), value]))('accepts the value %s', (_shown, value) => {
    expect(assertBindable(value)).toBe(value);
  });

  it('requires as many values as the statement has parameters, and an open database', () => {
    const guarded = guardDatabase(new Libsql(':memory:'));
    const statement = guarded.prepare('SELECT ? AS a, ? AS b');
    expect(() => statement.all([1])).toThrow(TypeError);
    expect(() => statement.all([1, 2, 3])).toThrow(TypeError);
    expect(statement.all([1, 'x'])).toMatchObject([{ a: 1, b: 'x' }]);
    guarded.close();
    expect(() => statement.all([1, 2])).toThrow(/closed/);
    expect(() => guarded.prepare('SELECT 1')).toThrow(/closed/);
  });
});
