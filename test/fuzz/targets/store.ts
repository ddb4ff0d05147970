/** Damages the store: rows while the service runs, and rows and file pages before it starts. The service may fail, but only with a clear error. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import Libsql from 'libsql';
import { type RawResponse, ResponseError } from '../../support/raw-connection.js';
import { ServiceStartError, startWatched } from '../../support/watched-service.js';
import { type Finding, fuzzTarget, type OpenTarget, type TargetContext } from '../fuzz-target.js';
import { type Deployment, openDeployment } from '../http/deployment.js';
import { JOURNEYS } from '../http/flows.js';
import { judgeResponseOnDamage } from '../http/judge-response.js';
import { type PlannedRequest, toSent } from '../http/planned-request.js';
import type { Session } from '../http/session.js';

/** The replacement of a value. */
type Damage =
  | { readonly kind: 'null' }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'bytes'; readonly hex: string }
  /** The beginning of the previous value. */
  | { readonly kind: 'cut'; readonly length: number };

/** A value of a row, and its replacement. */
interface RowDamage {
  /** The column, as `table.column`. */
  readonly place: string;
  readonly row: number;
  readonly damage: Damage;
}

type DamageInput =
  | ({ readonly when: 'running' } & RowDamage)
  | ({ readonly when: 'stopped' } & RowDamage)
  /** Replaces bytes of the database file. */
  | {
      readonly when: 'file';
      /** Offsets count from the first occurrence of this text, or from the beginning of the file if this member is absent. */
      readonly text?: string;
      readonly places: readonly number[];
      readonly byte: number;
      readonly cutTo?: number;
    };

const TABLES = [
  'application',
  'authorization_record',
  'access_token',
  'refresh_token',
  'credential',
  'person',
  'signing_key',
  'kept_secret',
  'rate_limit',
];
/** Marks the inserted texts: no error response and no log may contain it. */
const MARKER = 'damaged-by-hand';
/** The column whose value pages show on purpose: on a page, its marker is not a finding. */
const SHOWN_ON_PAGES = 'application.name';
/** The weight of inputs that damage the store of the running service. The two kinds of input that start a process have weight 1 each. */
const RUNNING_WEIGHT = 25;

export const store = fuzzTarget<DamageInput>('store', openStore);

async function openStore(context: TargetContext): Promise<OpenTarget<DamageInput>> {
  const { folder } = context;
  const deployment = await openDeployment('sandbox', context);
  const path = join(folder, 'store.sqlite');
  const places = columnsOf(path);
  const counts = new Map<string, number>();
  const note = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  let session: Session | undefined;
  return {
    inputs: damageInputs(places),
    probe: async (input) => {
      if (input.when !== 'file' && !places.includes(input.place))
        throw new Error(`the store has no column ${input.place}`);
      if (input.when !== 'running') return await startOn(input, path, folder, note);
      session ??= await deployment.newSession();
      const repair = damageRow(path, input);
      if (repair === undefined) {
        note('no such row, or rejected by the database');
        return undefined;
      }
      try {
        return await runRequests(session, deployment, note, input.place === SHOWN_ON_PAGES);
      } catch (error) {
        if (error instanceof ResponseError)
          return await deployment.explainFault(error, `${input.place}, damaged`);
        throw error;
      } finally {
        repair();
        session = undefined;
      }
    },
    memory: () => deployment.service().memory(),
    reached: () => [...counts].map(([what, count]) => `${what} × ${count}`).join(', '),
    close: () => deployment.stop(),
  };
}

/** Calls the operations that read each table. Requests use values of earlier responses. */
async function runRequests(
  session: Session,
  deployment: Deployment,
  note: (what: string) => void,
  shown: boolean,
): Promise<Finding | undefined> {
  for (const request of REQUESTS) {
    const sent = toSent(request, deployment.host, session.known);
    const [response] = (await deployment.send(sent)) as [RawResponse];
    note(String(response.status));
    const finding = judgeResponseOnDamage(sent, response, MARKER, shown);
    if (finding !== undefined) return finding;
    const stderr = deployment.service().stderr();
    if (stderr.includes(MARKER)) return { kind: 'the log repeats a value', detail: stderr.slice(-400) };
    await deployment.follow(session, sent, response);
  }
  return undefined;
}

const get = (operation: string, path: string, authorization?: string): PlannedRequest => ({
  operation,
  method: 'GET',
  path,
  query: [],
  headers: authorization === undefined ? [] : [['Authorization', authorization]],
});

const REQUESTS: readonly PlannedRequest[] = [
  get('readUserInfo', '/v2/userinfo', 'Bearer {{access}}'),
  get('listCredentials', '/v2/credentials', 'Bearer {{access}}'),
  get('listAuthorizations', '/v2/authorizations', 'Bearer {{access}}'),
  get('readPreset', '/v2/presets/kyc_level', 'Bearer {{access}}'),
  get('readKeys', '/v2/.well-known/jwks.json'),
  get('readReadiness', '/v2/ready'),
  ...[0, 1, 3, 5, 9].flatMap((journey) => JOURNEYS[journey] ?? []),
];

/** The columns of the tables, as `table.column`. */
function columnsOf(path: string): readonly string[] {
  const file = new Libsql(path);
  try {
    return TABLES.flatMap((table) => {
      const columns = file.prepare(`PRAGMA table_info(${table})`).all([]) as { name: string }[];
      return columns.map(({ name }) => `${table}.${name}`);
    });
  } finally {
    file.close();
  }
}

/** Damages a value of a row. @returns A function that restores it; `undefined` if there is no row, or the statement fails. */
function damageRow(path: string, { place, row, damage }: RowDamage): (() => void) | undefined {
  const [table, name] = place.split('.');
  const file = new Libsql(path);
  try {
    file.exec('PRAGMA busy_timeout = 5000');
    file.exec('PRAGMA foreign_keys = OFF');
    file.exec('PRAGMA ignore_check_constraints = ON');
    const ids = file.prepare(`SELECT rowid AS id FROM ${table} ORDER BY rowid DESC LIMIT 64`).all([]) as {
      id: number;
    }[];
    const id = ids[row % Math.max(1, ids.length)]?.id;
    if (id === undefined) return undefined;
    const [old] = file.prepare(`SELECT ${name} AS value FROM ${table} WHERE rowid = ?`).all([id]) as {
      value: unknown;
    }[];
    const value = valueOfDamage(damage, old?.value);
    file.prepare(`UPDATE ${table} SET ${name} = ? WHERE rowid = ?`).run([value, id]);
    return () => {
      const connection = new Libsql(path);
      connection.exec('PRAGMA busy_timeout = 5000');
      connection.exec('PRAGMA ignore_check_constraints = ON');
      connection.prepare(`UPDATE ${table} SET ${name} = ? WHERE rowid = ?`).run([old?.value ?? null, id]);
      connection.close();
    };
  } catch {
    // Most often, the value violates a constraint of the table.
    return undefined;
  } finally {
    file.close();
  }
}

function valueOfDamage(damage: Damage, old: unknown): string | number | null | Uint8Array {
  switch (damage.kind) {
    case 'null':
      return null;
    case 'number':
      return damage.value;
    case 'text':
      return damage.value;
    case 'bytes':
      return Buffer.from(damage.hex, 'hex');
    case 'cut':
      return String(old ?? '').slice(0, damage.length);
  }
}

/** Starts the service on a damaged store: it must serve, or exit with a message that names the reason. */
async function startOn(
  input: Exclude<DamageInput, { when: 'running' }>,
  original: string,
  folder: string,
  note: (what: string) => void,
): Promise<Finding | undefined> {
  const damagedFolder = join(folder, 'damaged');
  mkdirSync(damagedFolder, { recursive: true });
  const path = join(damagedFolder, 'store.sqlite');
  const source = new Libsql(original);
  if (existsSync(path)) rmSync(path);
  source.exec(`VACUUM INTO '${path}'`);
  source.close();
  if (input.when === 'file') damageFile(path, input);
  else if (damageRow(path, input) === undefined) return undefined;
  try {
    const service = await startWatched(damagedFolder, { PROVISO_DATABASE_URL: `sqlite:${path}` });
    note('started');
    const outcome = await service.stop('SIGTERM');
    const stderr = service.stderr();
    if (stderr.includes(MARKER)) return { kind: 'the log repeats a value', detail: stderr.slice(-400) };
    return outcome === 0
      ? undefined
      : { kind: 'a start on damaged contents does not exit with 0 on SIGTERM', detail: String(outcome) };
  } catch (error) {
    if (!(error instanceof ServiceStartError)) throw error;
    note('did not start');
    return startFailureFault(error);
  } finally {
    rmSync(damagedFolder, { recursive: true, force: true });
  }
}

/** Requires exit code 1 or 2, and a message without a stack or a damaged value. */
function startFailureFault({ outcome, stderr }: ServiceStartError): Finding | undefined {
  if (typeof outcome === 'string')
    return { kind: 'a start on damaged contents hangs or is killed', detail: stderr.slice(-600) };
  if (outcome !== 1 && outcome !== 2)
    return { kind: `a start on damaged contents exits with ${outcome}`, detail: stderr.slice(-600) };
  if (/\n\s+at |node:internal/.test(stderr))
    return { kind: 'a start on damaged contents shows its stack', detail: stderr.slice(-900) };
  if (stderr.includes(MARKER))
    return { kind: 'a start on damaged contents repeats a value', detail: stderr.slice(-600) };
  return stderr.trim() === ''
    ? { kind: 'a start on damaged contents exits without a message', detail: String(outcome) }
    : undefined;
}

function damageFile(
  path: string,
  { text, places, byte, cutTo }: Extract<DamageInput, { when: 'file' }>,
): void {
  const bytes = readFileSync(path);
  const start = text === undefined ? 0 : bytes.indexOf(text);
  for (const place of places) bytes[(start + place) % bytes.length] = byte;
  writeFileSync(path, cutTo === undefined ? bytes : bytes.subarray(0, cutTo % bytes.length));
}

const TEXTS = [
  MARKER,
  `"${MARKER}"`,
  `["${MARKER}"]`,
  `{"${MARKER}":1}`,
  `{"kyc.level":"${MARKER}","__proto__":{"x":1}}`,
  `{"kyc.level":${'['.repeat(400)}`,
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `{"kty":"EC","crv":"P-256","d":"${MARKER}","x":"A","y":"A"}`,
  `${MARKER}\u0000x`,
  `javascript:${MARKER}`,
  `https://${MARKER}.example/\r\nX-Injected: 1`,
  '',
  'null',
  '[]',
  '{}',
  'true',
  '1e999',
];

function damageInputs(places: readonly string[]): fc.Arbitrary<DamageInput> {
  const damage: fc.Arbitrary<Damage> = fc.oneof(
    fc.constant({ kind: 'null' as const }),
    fc.record(
      {
        kind: fc.constant('number' as const),
        value: fc.constantFrom(
          0,
          -1,
          1,
          1.5,
          1e18,
          -1e18,
          8.64e15,
          1e300,
          253_402_300_800_000,
          Date.UTC(2026, 0),
        ),
      },
      { noNullPrototype: true },
    ),
    fc.record(
      { kind: fc.constant('text' as const), value: fc.constantFrom(...TEXTS) },
      { noNullPrototype: true },
    ),
    fc.record(
      { kind: fc.constant('bytes' as const), hex: fc.constantFrom('', '00', 'ff', 'c328', '64616d61676564') },
      { noNullPrototype: true },
    ),
    fc.record({ kind: fc.constant('cut' as const), length: fc.nat({ max: 60 }) }, { noNullPrototype: true }),
  );
  const inRow = {
    place: fc.constantFrom(...places),
    row: fc.nat({ max: 7 }),
    damage,
  };
  const plain = { noNullPrototype: true };
  return fc.oneof(
    {
      weight: RUNNING_WEIGHT,
      arbitrary: fc.record({ when: fc.constant('running' as const), ...inRow }, plain),
    },
    { weight: 1, arbitrary: fc.record({ when: fc.constant('stopped' as const), ...inRow }, plain) },
    {
      weight: 1,
      arbitrary: fc.record(
        {
          when: fc.constant('file' as const),
          places: fc.array(fc.oneof(fc.nat({ max: 200 }), fc.nat({ max: 400_000 })), {
            minLength: 1,
            maxLength: 40,
          }),
          byte: fc.nat({ max: 255 }),
          cutTo: fc.nat({ max: 400_000 }),
        },
        { ...plain, requiredKeys: ['when', 'places', 'byte'] },
      ),
    },
  );
}
