/** `proviso audit head` and `proviso audit verify`: detect tampering with the audit log (S449). */
import type { Command } from 'commander';
import { formatInstant, parseInstant } from '../../index.js';
import {
  AUDIT_PROBLEMS,
  type AuditChain,
  AuditChainError,
  type AuditHead,
  type AuditVerification,
  createAuditChain,
  createAuditSealer,
  getAuditKey,
  type Store,
  verifyAudit,
} from '../../service/index.js';
import { systemClock } from '../../system/clock.js';
import { systemDigest, systemRandom } from '../../system/node-ports.js';
import { loadConfiguration } from '../configuration/read-configuration.js';
import type { Configuration } from '../configuration/settings.js';
import { openExistingStore } from '../database.js';
import { readJsonFile } from '../json-file.js';
import { CommandError, EXIT, printOutput, printResult } from '../output.js';
import { assertStoreEnvironment } from '../with-store.js';

interface VerifyOptions {
  /** A file with the output of `proviso audit head`. */
  readonly head?: string;
  readonly json?: boolean;
}

const HEAD_FORMAT = 'proviso-audit-head-1';

/** Adds the commands. @param audit - The parent command. */
export function addAuditChain(audit: Command, variables: NodeJS.ProcessEnv): void {
  // Otherwise `--json` after a subcommand's name would be the option of `proviso audit`.
  audit.enablePositionalOptions();
  audit
    .command('head')
    .description('seal the audit log now and print its head, to be stored outside of the database')
    .addHelpText(
      'after',
      `
The head is a line of JSON: the number of entries, the hash of all entries, and a MAC that only this deployment can compute.
In production PROVISO_KEY must be the key of the service.

Exits with 0, 1 when the log is empty, its end was tampered with, or it cannot be read, 2 for invalid configuration.

Example:
  proviso audit head > head.json`,
    )
    .action(() => printHead(variables));
  audit
    .command('verify')
    .description('verify the audit log against its seals, and report the first entry that was tampered with')
    .option('--head <file>', 'an earlier head: every entry that was sealed up to it must be present')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      `
Detects entries that were changed, removed, inserted or moved after they were sealed. Removal of the newest entries together with
their seals can only be detected with a head that is stored elsewhere. A running service seals entries within seconds.
In production PROVISO_KEY must be the key of the service.

Exits with 0 when the log is intact, 1 when it was tampered with or cannot be read, 2 for invalid input.

Example:
  proviso audit verify --head head.json`,
    )
    .action(async (options: VerifyOptions) => {
      process.exitCode = await verify(options, variables);
    });
}

/** @throws {CommandError} If the log is empty, or the end of the chain was tampered with. */
async function printHead(variables: NodeJS.ProcessEnv): Promise<void> {
  await withChain(variables, async (store, chain) => {
    const seal = createAuditSealer({ store, clock: systemClock, chain });
    while (await seal());
    const head = await store.findLastSeal();
    if (head === undefined) throw new CommandError('the audit log has no entries');
    const { number, position, entries, at, hash, mac } = head;
    printResult(
      JSON.stringify({ format: HEAD_FORMAT, number, position, entries, at: formatInstant(at), hash, mac }),
    );
  });
}

/** @returns The exit code: 1 if the log was tampered with. */
async function verify(options: VerifyOptions, variables: NodeJS.ProcessEnv): Promise<number> {
  const head = options.head === undefined ? undefined : readHead(options.head);
  return await withChain(variables, async (store, chain) => {
    const found = await verifyAudit({ store, chain, clock: systemClock }, head);
    const { problem } = found;
    if (problem === undefined) {
      printOutput(options, { intact: true, ...found }, describe(found));
      return EXIT.ok;
    }
    const at = problem.position === undefined ? '' : `entry ${problem.position}: `;
    if (options.json === true) printOutput(options, { intact: false, ...found }, '');
    throw new CommandError(`the audit log was tampered with: ${at}${AUDIT_PROBLEMS[problem.kind]}`);
  });
}

function describe({ entries, unsealed, head }: AuditVerification): string {
  const lines = [
    entries === 1 ? '1 sealed entry is intact' : `${entries} sealed entries are intact`,
    ...(unsealed === 0
      ? []
      : [unsealed === 1 ? '1 entry is not sealed yet' : `${unsealed} entries are not sealed yet`]),
    ...(head === 'included' ? ['the log continues the given head'] : []),
    ...(head === 'before_retention'
      ? ['the given head is older than the retained entries: nothing could be compared with it']
      : []),
  ];
  return lines.join('\n');
}

async function withChain<Result>(
  variables: NodeJS.ProcessEnv,
  work: (store: Store, chain: AuditChain) => Promise<Result>,
): Promise<Result> {
  const configuration = loadConfiguration({ variables });
  assertKey(configuration);
  const store = await openExistingStore(configuration);
  try {
    await assertStoreEnvironment(configuration.environment, store);
    const key = await getAuditKey({ store, random: systemRandom, digest: systemDigest }, configuration.key);
    return await work(store, createAuditChain(key, systemDigest));
  } catch (error) {
    if (error instanceof AuditChainError)
      throw new CommandError(`the audit log was tampered with: ${error.message}`);
    throw error;
  } finally {
    await store.close();
  }
}

function assertKey({ environment, key }: Configuration): void {
  if (environment === 'production' && key === undefined)
    throw new CommandError(
      'PROVISO_KEY is missing: it must be the key of the service, which seals the log',
      EXIT.usage,
    );
}

/** @throws {CommandError} If the file is not a head. */
function readHead(file: string): AuditHead {
  const json = readJsonFile(file);
  const head = typeof json === 'object' && json !== null ? toHead(json) : undefined;
  if (head === undefined)
    throw new CommandError(`${file} must be a head that proviso audit head printed`, EXIT.usage);
  return head;
}

function toHead(json: object): AuditHead | undefined {
  const { format, at: written, ...rest } = json as Readonly<Record<string, unknown>>;
  const at = typeof written === 'string' ? parseInstant(written) : undefined;
  const hasNumbers = [rest['number'], rest['position'], rest['entries']].every(Number.isSafeInteger);
  const hasStrings = [rest['hash'], rest['mac']].every((text) => typeof text === 'string');
  return format === HEAD_FORMAT && at !== undefined && hasNumbers && hasStrings
    ? ({ ...rest, at } as unknown as AuditHead)
    : undefined;
}
