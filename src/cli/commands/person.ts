/** `proviso person`: creates, lists, shows, exports, erases and purges people (V2, S329–S331). */

import type { Command } from 'commander';
import { toPersonalDataBody } from '../../http/wire.js';
import {
  createAuditTrail,
  createPersonalData,
  EVM_ADDRESS_FORM,
  getCredentialKey,
  isEmailAddress,
  type Person,
  type PersonalData,
  parseEvmAddress,
  ServiceError,
  type Store,
  StoreUnavailable,
} from '../../service/index.js';
import { createOpaqueId } from '../../service/tokens/opaque-token.js';
import { systemClock } from '../../system/clock.js';
import { systemDigest, systemRandom, systemSetImmediate } from '../../system/node-ports.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { CommandError, EXIT, printMessage, printOutput, toPrintable, writeResult } from '../output.js';
import { toRewriteStatements } from '../rewrite-statements.js';
import { withStore } from '../with-store.js';

export interface PersonOptions {
  readonly email?: string;
  readonly wallet?: string;
  readonly json?: boolean;
}

const PERSON_ARGUMENT = ['<person>', 'id or name, or `email|ADDRESS` or `wallet|ADDRESS`'] as const;
const LIST_PAGE = 500;

/** Adds the command. */
export function addPerson(program: Command, variables: NodeJS.ProcessEnv): void {
  const people = program.command('person').description('create, list, show, export, erase and purge people');
  people
    .command('create')
    .description('create a person before their first sign-in, so that their credentials can be ingested')
    .argument('<name>', 'their name: with an external login, the `sub` that it asserts')
    .option('--email <address>', 'e-mail address by which applications may look them up')
    .option(
      '--wallet <address>',
      'wallet address by which applications may look them up: 0x and 40 hexadecimal digits',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Prints the person's id. Exits with 2 when a person with this name or address exists.

Example:
  proviso person create u-1842 --email ada@people.example`,
    )
    .action((name: string, options: PersonOptions) => create(name, options, variables));
  people
    .command('list')
    .description('list all people: id, name and addresses')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', '\nExample:\n  proviso person list --json')
    .action((options: PersonOptions) => listPeople(options, variables));
  people
    .command('show')
    .description('summarize what the store holds about a person')
    .argument(...PERSON_ARGUMENT)
    .option('--json', 'print JSON')
    .addHelpText('after', "\nExample:\n  proviso person show 'email|ada@people.example'")
    .action((person: string, options: PersonOptions) => show(person, options, variables));
  people
    .command('export')
    .description('print everything that the store holds about a person as JSON')
    .argument(...PERSON_ARGUMENT)
    .addHelpText(
      'after',
      '\nThe format is docs/reference/person-export.schema.json.\n\nExample:\n  proviso person export u-1842 > u-1842.json',
    )
    .action((person: string) => exportPerson(person, variables));
  people
    .command('erase')
    .description('erase a person with their credentials, grants, tokens and accounts, permanently')
    .argument(...PERSON_ARGUMENT)
    .requiredOption('--yes', 'confirm: this cannot be undone')
    .option(
      '--no-purge',
      'do not rewrite a SQLite file, which takes as long as a copy; run `proviso person purge` later',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The person loses access at once, on all instances. Entries of the audit log stay, under a pseudonym that no longer leads to the
person. A revoked credential cannot be ingested again. Backups still have the person: delete them, or erase again after a restore.

Example:
  proviso person erase u-1842 --yes`,
    )
    .action((person: string, options: EraseOptions) => erase(person, options, variables));
  people
    .command('purge')
    .description('remove the bytes of erased people from the files of the store')
    .addHelpText(
      'after',
      `
Rewrites a SQLite file: requests that write wait meanwhile, and return 503 after about five seconds. For PostgreSQL, prints the statements to run.

Example:
  proviso person purge`,
    )
    .action(() => purge(variables));
}

interface EraseOptions extends PersonOptions {
  readonly purge: boolean;
}

/** Prints the person's id. @throws {CommandError} For invalid input, and for a name or an address that a person has. */
async function create(
  name: string,
  { email, wallet, ...options }: PersonOptions,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  if (name === '' || /\p{Cc}/u.test(name)) {
    throw new CommandError(
      'the name must not be empty or have control characters: with an external login, it is the `sub` that the login asserts',
      EXIT.usage,
    );
  }
  if (email !== undefined && !isEmailAddress(email)) {
    throw new CommandError(
      `--email must be an e-mail address of at most 255 characters, without control characters (got \`${toPrintable(email)}\`)`,
      EXIT.usage,
    );
  }
  const evmAddress = wallet === undefined ? undefined : parseEvmAddress(wallet);
  if (wallet !== undefined && evmAddress === undefined) {
    throw new CommandError(`--wallet must be ${EVM_ADDRESS_FORM} (got \`${wallet}\`)`, EXIT.usage);
  }
  const insert = async (store: Store) => {
    for (const [by, value] of [
      ['name', name],
      ['email', email],
      ['evmAddress', evmAddress],
    ] as const) {
      if (value === undefined) continue;
      const existing = await store.findPerson(by, value);
      if (existing !== undefined) throw alreadyExists(value, existing.id);
    }
    const id = createOpaqueId(systemRandom);
    const person = await store.getOrCreatePerson({
      id,
      name,
      about: '',
      ...omitUndefined({ email, evmAddress }),
    });
    // Another program created a person with this name after the lookup.
    if (person.id !== id) throw alreadyExists(name, person.id);
    printOutput(options, { id }, id);
  };
  await withStore(variables, insert, 'new');
}

function alreadyExists(value: string, id: string): CommandError {
  return new CommandError(`a person with \`${value}\` already exists: their id is ${id}`, EXIT.usage);
}

async function listPeople({ json }: PersonOptions, variables: NodeJS.ProcessEnv): Promise<void> {
  await withPersonalData(variables, async ({ listPeople: list }) => {
    for (let after = ''; ; ) {
      const page = await list(after, LIST_PAGE);
      const toLine = json === true ? (person: Person) => JSON.stringify(toSummary(person)) : toText;
      if (page.length > 0) await writeResult(`${page.map(toLine).join('\n')}\n`);
      if (page.length < LIST_PAGE) return;
      after = page.at(-1)?.id ?? '';
    }
  });
}

function toSummary({ id, name, email, evmAddress }: Person) {
  return { id, name, ...omitUndefined({ email, wallet: evmAddress }) };
}

/** Formats a person as a line of text. Replaces control characters: a login or a sign-in provider chooses the name. */
function toText({ id, name, email, evmAddress }: Person): string {
  return toPrintable([id, name, email ?? '-', evmAddress ?? '-'].join('  '));
}

async function show(person: string, options: PersonOptions, variables: NodeJS.ProcessEnv): Promise<void> {
  await withPersonalData(variables, async ({ find, read }) => {
    const data = await read((await find(person)).id);
    const counts = countsOf(data);
    const lines = Object.entries(counts).map(([name, count]) => `${name.padEnd(12)} ${count}`);
    printOutput(
      options,
      { ...toSummary(data.person), ...counts },
      [toText(data.person), ...lines].join('\n'),
    );
  });
}

function countsOf({ accounts, credentials, grants, audit }: PersonalData) {
  return {
    accounts: accounts.length,
    credentials: credentials.length,
    grants: grants.length,
    activeGrants: grants.filter(({ status }) => status === 'active').length,
    auditEntries: audit.length,
  };
}

async function exportPerson(person: string, variables: NodeJS.ProcessEnv): Promise<void> {
  await withPersonalData(variables, async (personalData) => {
    const { id } = await personalData.find(person);
    const data = await personalData.export(id, 'by_operator');
    await writeResult(`${JSON.stringify(toPersonalDataBody(data), null, 2)}\n`);
  });
}

async function erase(
  person: string,
  { purge: shouldPurge, ...options }: EraseOptions,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  await withPersonalData(variables, async (personalData, store) => {
    const { personId: id, credentials, grants } = await personalData.eraseSelected(person);
    printOutput(
      options,
      { erased: true, id, credentials, grants },
      `erased ${id} with ${credentials} credentials and ${grants} grants`,
    );
    if (shouldPurge) await purgeStore(store);
  });
}

async function purge(variables: NodeJS.ProcessEnv): Promise<void> {
  await withPersonalData(variables, async (_personalData, store) => await purgeStore(store));
}

async function purgeStore(store: Store): Promise<void> {
  const tables = await store.purgeErased().catch((error: unknown) => {
    if (!isBusy(error)) throw error;
    throw new CommandError(
      'the files of the store still have bytes of erased people: stop the programs that read them, and run proviso person purge',
      EXIT.failed,
    );
  });
  if (tables !== undefined)
    printMessage(`PostgreSQL keeps old values until they are rewritten: ${toRewriteStatements(tables)}`);
}

/** Whether the store failed because another program uses its SQLite file. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof StoreUnavailable)) return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_BUSY';
}

/** @throws {CommandError} For an unknown person, or if the store cannot be opened. */
async function withPersonalData(
  variables: NodeJS.ProcessEnv,
  work: (personalData: ReturnType<typeof createPersonalData>, store: Store) => Promise<void>,
): Promise<void> {
  await withStore(variables, async (store, { audit }) => {
    const ports = { store, clock: systemClock, digest: systemDigest, random: systemRandom };
    const personalData = createPersonalData({
      ...ports,
      ...(audit === 'all' ? { audit: createAuditTrail(store, systemSetImmediate) } : {}),
      credentialKey: await getCredentialKey(ports),
    });
    await work(personalData, store).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.subcode !== 'not_found') throw error;
      throw new CommandError('no person has this id, name or address', EXIT.failed);
    });
  });
}
