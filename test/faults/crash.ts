/**
 * Kills a serving process at a random moment during writes and restarts it: no acknowledged token or revocation may be lost.
 *
 *   npm run check -- crash [--rounds 50] [--store sqlite|postgres] [--seed N]
 *
 * Settings in the environment apply to the service: `PROVISO_PROCESSES=2 npm run check -- crash` tests two processes on one port.
 */
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { parseChoice, parseCount } from '../support/check-options.js';
import { type ServeProcess, startServe } from '../support/run-command.js';
import { audit, auditRows, createService, type GrantHistory, report, write } from './grants.js';
import { createSeededChoice, seedOf } from './seeded-choice.js';
import { ownPostgres, sqliteIn } from './stores.js';

const WRITERS = 8;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    store: { type: 'string', default: 'sqlite' },
    seed: { type: 'string' },
  },
});
const rounds = parseCount('rounds', values.rounds);
const storeName = parseChoice('store', values.store, ['sqlite', 'postgres']);
const seed = seedOf(values.seed);
const choice = createSeededChoice(seed, 'kill');
const store = storeName === 'postgres' ? await ownPostgres() : sqliteIn();
let serving: ServeProcess | undefined;
let killed = false;
const service = createService(
  () => serving?.url ?? '',
  () => killed,
);
let unknown = 0;
let audited = 0;

try {
  for (let round = 0; round < rounds; round += 1) {
    const histories: GrantHistory[] = [];
    await start();
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      write(service, histories, createSeededChoice(seed, `${round}:${writer}`), () => killed),
    );
    await new Promise((resolve) => setTimeout(resolve, choice.between(50, 600)));
    killed = true;
    await serving?.stop('SIGKILL');
    await Promise.all(writers);
    await start();
    service.violations.push(...(await auditRows(store.runSql)));
    audited += await audit(service, histories);
    unknown += histories.filter(({ inFlight }) => inFlight !== undefined).length;
    killed = true;
    await serving?.stop('SIGKILL');
  }
  if (storeName === 'sqlite') {
    const check = JSON.stringify(await store.runSql('pragma integrity_check'));
    if (!check.includes('"ok"')) service.violations.push(`integrity: ${check}`);
  }
} finally {
  await serving?.stop('SIGKILL');
  await store.remove();
}
if (audited === 0) service.violations.push('no grant was audited');
process.stdout.write(
  `${2 * rounds} kills on ${storeName}: ${service.answered} responses, ${audited} grants audited, ${unknown} requests whose outcome is unknown\n`,
);
report('no acknowledged token or revocation is lost, no operation is half done', service.violations);

async function start(): Promise<void> {
  serving = await startServe({ cwd: tmpdir(), env: { PROVISO_DATABASE_URL: store.databaseUrl } });
  killed = false;
}
