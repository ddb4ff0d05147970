/** The store's contents, damaged by hand: rows while the service runs, and rows and pages before it starts. It may fail, clearly, and goes on. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import Libsql from 'libsql';
import { type RawResponse, ResponseError } from '../../support/raw-connection.js';
import { ServiceStartError, startWatched } from '../../support/watched-service.js';
import { type Finding, fuzzTarget, type Ground, type OpenTarget } from '../fuzz-target.js';
import { type Deployment, openDeployment } from '../http/deployment.js';
import { JOURNEYS } from '../http/flows.js';
import { judgeDamaged } from '../http/judge-answer.js';
import { type PlannedRequest, toSent } from '../http/planned-request.js';
import type { Session } from '../http/session.js';

/** What is put in the place of a value. */
type Damage =
  | { readonly kind: 'null' }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'bytes'; readonly hex: string }
  /** A part of what was there. */
  | { readonly kind: 'cut'; readonly length: number };

type Damaged =
  | {
      readonly when: 'running';
      readonly table: string;
      readonly row: number;
      readonly column: number;
      readonly damage: Damage;
    }
  | {
      readonly when: 'stopped';
      readonly table: string;
      readonly row: number;
      readonly column: number;
      readonly damage: Damage;
    }
  /** Bytes of the file itself. */
  | {
      readonly when: 'file';
      /** From whose first occurrence the places count; from the beginning of the file where absent. */
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
/** Marks every inserted value: no response and no log may contain it. */
const MARKER = 'damaged-by-hand';
/** Every page of an authorization request shows the application. */
const TOLD_TO_PEOPLE = 'application.name';
/** A start is a process: one in this many inputs. */
const STARTS = 25;

export const store = fuzzTarget<Damaged>(
  'store',
  'the store’s contents: rows and pages damaged by hand, while the service runs and before it starts',
  openStore,
);

async function openStore(ground: Ground): Promise<OpenTarget<Damaged>> {
  const { folder } = ground;
  const deployment = await openDeployment('sandbox', ground);
  const path = join(folder, 'store.sqlite');
  const counts = new Map<string, number>();
  const note = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  let session: Session | undefined;
  return {
    inputs: damages(),
    probe: async (input) => {
      if (input.when !== 'running') return await startOn(input, path, folder, note);
      session ??= await deployment.newSession();
      const damaged = damageRow(path, input);
      if (damaged === undefined) {
        note('refused by the database');
        return undefined;
      }
      try {
        return await useAll(session, deployment, note, damaged.place === TOLD_TO_PEOPLE);
      } catch (error) {
        if (error instanceof ResponseError) return await deployment.explain(error, `${input.table}, damaged`);
        throw error;
      } finally {
        damaged.repair();
        session = undefined;
      }
    },
    memory: () => deployment.service().memory(),
    reached: () => [...counts].map(([what, count]) => `${what} × ${count}`).join(', '),
    close: () => deployment.stop(),
  };
}

/** Calls the operations that read each table. Steps use results of earlier ones. */
async function useAll(
  session: Session,
  deployment: Deployment,
  note: (what: string) => void,
  shown: boolean,
): Promise<Finding | undefined> {
  for (const request of BATTERY) {
    const sent = toSent(request, deployment.host, session.known);
    const [answer] = (await deployment.send(sent)) as [RawResponse];
    note(String(answer.status));
    const finding = judgeDamaged(sent, answer, MARKER, shown);
    if (finding !== undefined) return finding;
    const stderr = deployment.service().stderr();
    if (stderr.includes(MARKER)) return { kind: 'the log repeats a value', detail: stderr.slice(-400) };
    await deployment.follow(session, sent, answer);
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

const BATTERY: readonly PlannedRequest[] = [
  get('readUserInfo', '/v2/userinfo', 'Bearer {{access}}'),
  get('listCredentials', '/v2/credentials', 'Bearer {{access}}'),
  get('listAuthorizations', '/v2/authorizations', 'Bearer {{access}}'),
  get('readPreset', '/v2/presets/kyc_level', 'Bearer {{access}}'),
  get('readKeys', '/v2/.well-known/jwks.json'),
  get('readReadiness', '/v2/ready'),
  ...[0, 1, 3, 5, 9].flatMap((journey) => JOURNEYS[journey] ?? []),
];

/** What was damaged, as `table.column`, and what puts it back. */
interface DamagedPlace {
  readonly place: string;
  readonly repair: () => void;
}

/** @returns Nothing where the database refuses the value. */
function damageRow(
  path: string,
  { table, row, column, damage }: Exclude<Damaged, { when: 'file' }>,
): DamagedPlace | undefined {
  const file = new Libsql(path);
  try {
    file.exec('PRAGMA busy_timeout = 5000');
    file.exec('PRAGMA foreign_keys = OFF');
    file.exec('PRAGMA ignore_check_constraints = ON');
    const ids = file.prepare(`SELECT rowid AS id FROM ${table} ORDER BY rowid DESC LIMIT 64`).all([]) as {
      id: number;
    }[];
    const columns = file.prepare(`PRAGMA table_info(${table})`).all([]) as { name: string }[];
    const id = ids[row % Math.max(1, ids.length)]?.id;
    const name = columns[column % columns.length]?.name;
    if (id === undefined || name === undefined) return undefined;
    const [old] = file.prepare(`SELECT ${name} AS value FROM ${table} WHERE rowid = ?`).all([id]) as {
      value: unknown;
    }[];
    const value = valueOfDamage(damage, old?.value);
    file.prepare(`UPDATE ${table} SET ${name} = ? WHERE rowid = ?`).run([value, id]);
    const repair = () => {
      const again = new Libsql(path);
      again.exec('PRAGMA busy_timeout = 5000');
      again.exec('PRAGMA ignore_check_constraints = ON');
      again.prepare(`UPDATE ${table} SET ${name} = ? WHERE rowid = ?`).run([old?.value ?? null, id]);
      again.close();
    };
    return { place: `${table}.${name}`, repair };
  } catch {
    // A value that the table's own constraints do not take.
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

/** A program that starts on what is damaged serves, or ends and says in a sentence why. */
async function startOn(
  input: Exclude<Damaged, { when: 'running' }>,
  original: string,
  folder: string,
  note: (what: string) => void,
): Promise<Finding | undefined> {
  const own = join(folder, 'damaged');
  mkdirSync(own, { recursive: true });
  const path = join(own, 'store.sqlite');
  const source = new Libsql(original);
  if (existsSync(path)) rmSync(path);
  source.exec(`VACUUM INTO '${path}'`);
  source.close();
  if (input.when === 'file') damageFile(path, input);
  else if (damageRow(path, input) === undefined) return undefined;
  try {
    const service = await startWatched(own, { PROVISO_DATABASE_URL: `sqlite:${path}` });
    note('started all the same');
    const outcome = await service.stop('SIGTERM');
    const stderr = service.stderr();
    if (stderr.includes(MARKER)) return { kind: 'the log repeats a value', detail: stderr.slice(-400) };
    return outcome === 0
      ? undefined
      : { kind: 'a start on damaged contents does not end by SIGTERM', detail: String(outcome) };
  } catch (error) {
    if (!(error instanceof ServiceStartError)) throw error;
    note('refused to start');
    return refusalFault(error);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Exit code 1 or 2, and a sentence: no stack, no value. */
function refusalFault({ exitCode, stderr }: ServiceStartError): Finding | undefined {
  if (exitCode === null)
    return { kind: 'a start on damaged contents hangs or is killed', detail: stderr.slice(-600) };
  if (exitCode > 2)
    return { kind: `a start on damaged contents ends with ${exitCode}`, detail: stderr.slice(-600) };
  if (/\n\s+at |node:internal/.test(stderr))
    return { kind: 'a start on damaged contents shows its stack', detail: stderr.slice(-900) };
  if (stderr.includes(MARKER))
    return { kind: 'a start on damaged contents repeats a value', detail: stderr.slice(-600) };
  return stderr.trim() === ''
    ? { kind: 'a start on damaged contents ends without a word', detail: String(exitCode) }
    : undefined;
}

function damageFile(path: string, { text, places, byte, cutTo }: Extract<Damaged, { when: 'file' }>): void {
  const bytes = readFileSync(path);
  const start = text === undefined ? 0 : bytes.indexOf(text);
  for (const place of places) bytes[(start + place) % bytes.length] = byte;
  writeFileSync(path, cutTo === undefined ? bytes : bytes.subarray(0, cutTo % bytes.length));
  copyFileSync(path, `${path}.kept`);
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

function damages(): fc.Arbitrary<Damaged> {
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
    table: fc.constantFrom(...TABLES),
    row: fc.nat({ max: 7 }),
    column: fc.nat({ max: 24 }),
    damage,
  };
  const plain = { noNullPrototype: true };
  return fc.oneof(
    { weight: STARTS, arbitrary: fc.record({ when: fc.constant('running' as const), ...inRow }, plain) },
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
