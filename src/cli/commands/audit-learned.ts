/** `proviso audit learned`: prints the ledger of a person, which records what each application has learned (S360–S367). */
import type { Command } from 'commander';
import { formatInstant } from '../../index.js';
import { type LearnedFact, parseFact } from '../../service/index.js';
import { systemClock } from '../../system/clock.js';
import { loadConfiguration } from '../configuration/read-configuration.js';
import { openExistingStore } from '../database.js';
import { CommandError, EXIT, printMessage, writeResult } from '../output.js';

export interface AuditLearnedOptions {
  readonly application?: string;
}

/** Maximum number of grants that are read. */
const MAX_GRANTS = 10_000;
/** Databases limit the number of parameters of a statement. */
const GRANTS_PER_PAGE = 500;

/** Adds the command. */
export function addAuditLearned(audit: Command, variables: NodeJS.ProcessEnv): void {
  audit
    .command('learned')
    .description('print what applications have learned about a person, as JSON')
    .argument('<person>', 'id or name')
    .option('--application <id>', 'only what this application has learned: its client id')
    .addHelpText(
      'after',
      `
Prints one line of JSON for each entry of the ledger. The entries are personal data, to be given to the person on request. A line has the
application, the grant, the first and the last instant (at most an hour too early), the number of \`changes\`, and one of:
  query   a query, with \`passed\` and, if disclosed, the outcomes of its \`checks\`
  value   the name of a claim whose value was shown; the value is not recorded
  more    the name of a claim about which more was learned than is recorded

Exits with 0 when all entries were printed, 1 when the store cannot be read, 2 for an unknown person.

Example:
  proviso audit learned u-1842 > learned.ndjson`,
    )
    .action((person: string, options: AuditLearnedOptions) => printLearned(person, options, variables));
}

/** @throws {CommandError} For an unknown person, or if the store cannot be read. */
async function printLearned(
  person: string,
  { application }: AuditLearnedOptions,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  const configuration = loadConfiguration({ variables });
  const store = await openExistingStore(configuration);
  try {
    const found = (await store.findPerson('id', person)) ?? (await store.findPerson('name', person));
    if (found === undefined) throw new CommandError(`no person has the id or name \`${person}\``, EXIT.usage);
    const grants = await store.listPersonGrants(found.id, MAX_GRANTS, systemClock.now());
    if (grants.length === MAX_GRANTS)
      printMessage(
        `the person may have more grants: the entries of only ${MAX_GRANTS.toLocaleString('en')} are printed`,
      );
    const clients = new Map(grants.map((grant) => [grant.authorizationId, grant.application.clientId]));
    const ids = [...clients].flatMap(([id, clientId]) =>
      application === undefined || clientId === application ? [id] : [],
    );
    let count = 0;
    for (let first = 0; first < ids.length; first += GRANTS_PER_PAGE)
      for (const record of await store.listLearned(ids.slice(first, first + GRANTS_PER_PAGE))) {
        count += 1;
        const { authorizationId, firstAt, lastAt, changes } = record;
        const line = {
          clientId: clients.get(authorizationId),
          authorizationId,
          firstAt: formatInstant(firstAt),
          lastAt: formatInstant(lastAt),
          changes,
          ...membersOf(parseFact(record.detail)),
        };
        await writeResult(`${JSON.stringify(line)}\n`);
      }
    if (count === 0) printMessage(`no entries${configuration.ledger === 'off' ? LEDGER_OFF_HINT : ''}`);
  } finally {
    await store.close();
  }
}

const LEDGER_OFF_HINT = '; PROVISO_LEDGER is `off`: set it to `on` to record entries';

function membersOf(fact: LearnedFact): Readonly<Record<string, unknown>> {
  if ('query' in fact) return { ...fact, query: JSON.parse(fact.query) as unknown };
  return 'value' in fact ? { value: fact.value } : { more: fact.moreAbout };
}
