/**
 * The checks that take too long for `npm test`, and the benchmarks: `npm run check` lists them, `npm run check -- NAME [options]` runs one,
 * and `npm run check -- NAME --help` prints its options.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Check {
  readonly name: string;
  readonly summary: string;
  /** A line for the shell; options are appended. */
  readonly command: string;
  /** `build` if the package must be built first. */
  readonly needs?: 'build';
}

/** Runs TypeScript that imports the service's sources. */
const TSX = 'tsx --import ./build/text-files.mjs';
const VITEST = 'vitest run --config';

/** The script that a command runs, and the comment at the start of that script: several lines or one. */
const SCRIPT = /^tsx .*?(\S+\.ts)$/;
const HEADER = /^\/\*\*\n([\s\S]*?) ?\*\/|^\/\*\* (.*) \*\//;

/** The folders and files that the build reads. A check that needs the build repeats it after a change to one of them. */
export const BUILD_FOLDERS = ['src', 'build', 'test/vectors'];
export const BUILD_FILES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.types.json',
  'tsup.config.ts',
];

export const CHECKS: readonly Check[] = [
  {
    name: 'conformance',
    summary: 'the engine against the reference interpreter, on random queries and people',
    command: 'tsx test/conformance/run.ts',
  },
  {
    name: 'both-stores',
    summary: 'all HTTP tests on PostgreSQL, including those that `npm test` runs on SQLite only',
    command: `PROVISO_TEST_BOTH_STORES=1 ${VITEST} test/vitest.config.ts --project postgres`,
    needs: 'build',
  },
  {
    name: 'conformance-analysis',
    summary: 'the static analysis against the engine',
    command: 'tsx test/conformance/analysis/run.ts',
  },
  {
    name: 'describe-round-trip',
    summary: 'descriptions of random queries, read back and compared with the query',
    command: 'tsx test/conformance/describe/run.ts',
  },
  {
    name: 'ledger',
    summary: 'the ledger on both stores against a recomputation, on 10,000 random histories of answers',
    command: `PROVISO_TEST_HISTORIES=10000 ${VITEST} test/vitest.config.ts --project proviso --project postgres test/contracts/sqlite-store test/contracts/postgres-store -t 'the ledger on'`,
  },
  {
    name: 'smt',
    summary: 'the static analysis against the SMT solvers z3 and cvc5',
    command: 'tsx test/conformance/smt/run.ts',
  },
  {
    name: 'conformance-policy-set',
    summary: 'policy sets against testing each policy on its own',
    command: 'tsx test/conformance/run-policy-set.ts',
  },
  {
    name: 'conformance-codegen',
    summary: 'generated modules against the engine, on Node 20, 22 and 24 and in Chromium',
    command: 'tsx test/conformance/run-codegen.ts',
  },
  {
    name: 'conformance-sql',
    summary: 'the engine against SQLite, PostgreSQL and DuckDB',
    command: 'tsx test/conformance/run-sql.ts',
  },
  {
    name: 'conformance-prisma',
    summary: 'the engine against filters of a Prisma client, which is installed for it',
    command: 'tsx test/conformance/run-prisma.ts',
  },
  {
    name: 'conformance-suites',
    summary: 'RE2 and JSON against the public test suites, given as files',
    command: 'tsx test/conformance/run-suites.ts',
  },
  {
    name: 'implementations',
    summary: 'the independent implementations of the language: all vectors, and random scenarios',
    command: 'tsx test/implementations/run.ts',
    needs: 'build',
  },
  {
    name: 'implementation-mutants',
    summary: 'one-line mutants of the independent implementations, which the vectors must detect',
    command: 'tsx test/implementations/mutants.ts',
  },
  {
    name: 'proofs',
    summary: 'the mechanized semantics: its proofs, and its extraction through the kit; needs Coq',
    command: 'tsx test/proofs/run.ts',
    needs: 'build',
  },
  {
    name: 'suites',
    summary:
      'the language against the conformance suites of CEL, JSON Schema, JSONPath, RE2 and others, given as checkouts',
    command: 'tsx test/conformance/suites/run.ts',
  },
  {
    name: 'openapi',
    summary: 'requests drawn from the OpenAPI document, every response validated against it',
    command: `${TSX} test/openapi/run.ts`,
  },
  {
    name: 'fuzz',
    summary: 'hostile input: HTTP, raw bytes, signed tokens, queries, damaged stores',
    command: `${TSX} test/fuzz/run.ts`,
    needs: 'build',
  },
  {
    name: 'refused-cost',
    summary: 'searches for the requests that take the most CPU time to reject',
    command: `${TSX} test/fuzz/refused-cost.ts`,
  },
  {
    name: 'crash',
    summary: 'kills the service and its store at random moments',
    command: `${TSX} test/faults/crash.ts`,
    needs: 'build',
  },
  {
    name: 'restart',
    summary: 'restarts PostgreSQL under load',
    command: `${TSX} test/faults/restart.ts`,
    needs: 'build',
  },
  {
    name: 'instances',
    summary: 'several instances on one PostgreSQL, under load',
    command: `${TSX} test/faults/instances.ts`,
    needs: 'build',
  },
  {
    name: 'upgrade',
    summary: 'the previous version and this one on one PostgreSQL, rolled back and forth under load',
    command: `${TSX} test/faults/upgrade.ts`,
  },
  {
    name: 'disk-full',
    summary: 'a full disk under the store',
    command: `${TSX} test/faults/disk-full.ts`,
    needs: 'build',
  },
  {
    name: 'slow-clients',
    summary: 'idle, slow and half-open connections',
    command: `${TSX} test/faults/slow-clients.ts`,
    needs: 'build',
  },
  {
    name: 'soak',
    summary: 'mixed load with faults, every response checked',
    command: `${TSX} test/faults/soak.ts`,
    needs: 'build',
  },
  {
    name: 'examples',
    summary: 'starts and checks every example',
    command: `${TSX} test/examples/run.ts`,
    needs: 'build',
  },
  {
    name: 'containers',
    summary: 'builds the image and starts it, where podman or buildah is installed',
    command: `${TSX} test/deploy/containers.ts`,
  },
  {
    name: 'deployment',
    summary: 'the files in `deploy`, with promtool, systemd-analyze and helm where they are installed',
    command: `${TSX} test/deploy/tools.ts`,
  },
  {
    name: 'wording',
    summary: 'counts phrases in comments and documentation that are not plain technical English',
    command: 'tsx test/architecture/wording.ts',
  },
  {
    name: 'coverage',
    summary: 'branch coverage of the engine: 100 %',
    command: `${VITEST} test/vitest.engine.config.ts --coverage`,
  },
  {
    name: 'mutation',
    summary: 'mutation testing of the engine; each survivor needs a reason',
    command: 'tsx test/mutation/run.ts',
  },
  {
    name: 'security-coverage',
    summary: 'the security requirements with a test, and the reasons for those without',
    command: 'tsx test/architecture/security-coverage.ts',
  },
  {
    name: 'package',
    summary: 'the packed packages: exports, types, metadata',
    command:
      'export npm_config_pack_destination=$(mktemp -d) && npm pack --silent --ignore-scripts && tsx build/pack-server.ts && for packed in $npm_config_pack_destination/*.tgz; do publint run $packed --strict && attw $packed --profile node16 --exclude-entrypoints cli schema.json conformance-kit yaml || exit 1; done && rm -r $npm_config_pack_destination',
    needs: 'build',
  },
  {
    name: 'api-docs',
    summary: 'the links of the API reference',
    command: 'typedoc --options build/typedoc.json --emit none',
  },
  {
    name: 'docs-site',
    summary: 'the documentation site: broken links, accessibility, search',
    command: 'tsx build/build-docs.ts && tsx test/docs/check-site.ts',
  },
  {
    name: 'sizes',
    summary: 'the size of each entry point, and of the installed package, with their budgets',
    command: 'tsx build/measure-sizes.ts',
    needs: 'build',
  },
  {
    name: 'nodes',
    summary: 'the tests on Node 20, 22 and 24',
    command: 'tsx build/test-on-nodes.ts',
    needs: 'build',
  },
  {
    name: 'newcomer',
    summary: 'from a clone to the first response, timed',
    command: 'tsx build/newcomer.ts',
  },
  {
    name: 'playground-speed',
    summary: 'from a key stroke in the playground to the redrawn tree',
    command: `${TSX} test/browser/measure-playground.ts`,
    needs: 'build',
  },
  {
    name: 'screenshots',
    summary: 'redraws the pictures of the documentation',
    command: `${VITEST} test/vitest.screenshots.config.ts`,
    needs: 'build',
  },
  {
    name: 'bench-contenders',
    summary: 'the results of all contenders of the benchmark',
    command: 'npm ci --prefix bench && tsc -p bench && vitest run --config bench/vitest.config.ts',
  },
  {
    name: 'bench-bulk',
    summary: 'bulk evaluation of a million people',
    command:
      'esbuild bench/bulk.ts src/workers/column-worker.ts --bundle --platform=node --format=esm --packages=external --log-level=warning --outdir=bench/.build --entry-names=[name] && node bench/.build/bulk.js',
  },
  {
    name: 'bench-memory',
    summary: 'memory after ten million evaluations',
    command: 'tsx bench/memory.ts',
  },
  {
    name: 'bench-query-memory',
    summary: 'memory of compiled queries, by part',
    command: 'tsx bench/query-memory.ts',
  },
  {
    name: 'bench-audience',
    summary: 'a million people in PostgreSQL and DuckDB',
    command: 'tsx bench/audience.ts',
  },
  {
    name: 'bench-http',
    summary: 'the service compared with servers that answer from memory',
    command: 'tsx bench/http/run.ts',
    needs: 'build',
  },
  {
    name: 'bench-service',
    summary: 'the cost of writes and of the audit log for queries',
    command: 'tsx bench/http/ratios.ts',
    needs: 'build',
  },
  {
    name: 'scale',
    summary: 'every operation on stores of up to a million people',
    command: `${TSX} bench/scale/run.ts`,
    needs: 'build',
  },
  {
    name: 'bench-encryption',
    summary: 'the encryption of a store with a new key, and requests meanwhile',
    command: `${TSX} bench/scale/encryption.ts`,
    needs: 'build',
  },
  {
    name: 'bench-store',
    summary: 'the stores compared with the bare drivers',
    command: `${TSX} test/faults/bench-store.ts`,
    needs: 'build',
  },
  {
    name: 'bench-lookups',
    summary: 'lookups in stores of up to a million people',
    command: `${TSX} test/faults/bench-lookups.ts`,
    needs: 'build',
  },
];

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = runCheck(process.argv.slice(2));

function runCheck([name, ...options]: readonly string[]): number {
  const check = CHECKS.find((candidate) => candidate.name === name);
  if (check === undefined) {
    if (name !== undefined) process.stderr.write(`unknown check \`${name}\`\n\n`);
    const width = Math.max(...CHECKS.map(({ name }) => name.length)) + 2;
    process.stdout.write(CHECKS.map(({ name, summary }) => `${name.padEnd(width)}${summary}\n`).join(''));
    return name === undefined ? 0 : 2;
  }
  const usage = usageOf(check);
  if (options.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const unknown = findUnknownOption(usage, options);
  if (unknown !== undefined) {
    process.stderr.write(`unknown option \`${unknown}\` of the check \`${name}\`\n\n${usage}\n`);
    return 2;
  }
  const { command, needs } = check;
  if (needs !== undefined) {
    const status = isBuilt() ? 0 : run('tsx build/build.ts', []);
    if (status !== 0) return status;
  }
  return run(command, options);
}

/** Returns the comment at the start of a check's script, which has its options; the summary of a check without a script. */
export function usageOf({ name, summary, command }: Check): string {
  const script = SCRIPT.exec(command)?.[1];
  const [, lines, line] = (script === undefined ? null : HEADER.exec(readFileSync(script, 'utf8'))) ?? [];
  const text = line ?? lines?.replace(/^ \* ?/gm, '').trim();
  return text ?? `npm run check -- ${name}\n\n${summary}`;
}

/** Returns the first option that is not in the usage of a check; `undefined` if there is none, or if the usage lists no options. */
export function findUnknownOption(usage: string, options: readonly string[]): string | undefined {
  if (!/ -- [a-z-]+ .*--/.test(usage)) return undefined;
  const known = new Set(usage.match(/--[a-z][a-z-]*/g));
  return options
    .map((option) => option.split('=')[0] as string)
    .find((name) => /^--[a-z]/.test(name) && !known.has(name));
}

/** Returns whether the build is newer than all that it reads. */
function isBuilt(): boolean {
  const lastOutput = 'dist/schema.json';
  if (!existsSync(lastOutput)) return false;
  const builtAt = statSync(lastOutput).mtimeMs;
  const sources = BUILD_FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  return [...BUILD_FILES, ...sources].every((path) => statSync(path).mtimeMs < builtAt);
}

function run(command: string, options: readonly string[]): number {
  return spawnSync('sh', ['-c', `${command} "$@"`, 'sh', ...options], { stdio: 'inherit' }).status ?? 1;
}
