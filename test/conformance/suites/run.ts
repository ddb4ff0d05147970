/**
 * Compares the language with the conformance suites of others, and the result with the pinned one in `pinned.json`.
 *
 *   npm run check -- suites FOLDER [--only NAME] [--update]
 *
 * FOLDER has a checkout of each repository under its name. Missing ones are skipped.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { selectNames } from '../../support/check-options.js';
import { runRe2SearchSuite } from '../re2-search-suite.js';
import { readJsonLogicSuite, readJsonPathSuite, readRfc3339Suite, readSchemaSuite } from './json-suites.js';
import { compareCase, type SuiteCases } from './suite-case.js';
import { readCelSuite, readRustRegexSuite } from './text-suites.js';

/** The result of a suite: numbers of cases, and each difference with the decision that explains it. */
interface SuiteResult {
  readonly compared: number;
  /** Cases that the language cannot express. */
  readonly unmapped: number;
  readonly differences: Readonly<Record<string, string>>;
}

interface Suite {
  readonly name: string;
  readonly repository: string;
  readonly commit: string;
  /** A file of the repository that the suite needs. */
  readonly file: string;
  readonly run: (folder: string) => SuiteResult;
}

const JSON_SCHEMA = {
  repository: 'json-schema-org/JSON-Schema-Test-Suite',
  commit: '44401e0c046704b476ec9d2e2fccdaee618f259d',
};
const RE2J = { repository: 'google/re2j', commit: '951a6159fdc0a4931593c70442926f86031edf40' };

const SUITES: readonly Suite[] = [
  {
    name: 'cel-comparisons',
    repository: 'google/cel-spec',
    commit: '508bd98efda47d85bcf1b9930dd5f35fa37e9a18',
    file: 'tests/simple/testdata/comparisons.textproto',
    run: (folder) => compareAll(readCelSuite(folder)),
  },
  {
    name: 'json-logic',
    repository: 'json-logic/compat-tables',
    commit: 'ee046c743a548bfaf08afbf7afed299e7bf1305a',
    file: 'suites/compatible.json',
    run: (folder) => compareAll(readJsonLogicSuite(folder)),
  },
  {
    name: 'json-schema',
    ...JSON_SCHEMA,
    file: 'tests/draft2020-12/const.json',
    run: (folder) => compareAll(readSchemaSuite(folder)),
  },
  {
    name: 'rfc-3339',
    ...JSON_SCHEMA,
    file: 'tests/draft2020-12/optional/format/date-time.json',
    run: (folder) => compareAll(readRfc3339Suite(folder)),
  },
  {
    name: 'jsonpath',
    repository: 'jsonpath-standard/jsonpath-compliance-test-suite',
    commit: '7be7c1fc28057c91e8eefaf197060fba7ed43acd',
    file: 'cts.json',
    run: (folder) => compareAll(readJsonPathSuite(folder)),
  },
  {
    name: 'rust-regex',
    repository: 'rust-lang/regex',
    commit: '2b527599eb9eea0dcc288c704584f242f26a5c61',
    file: 'testdata/unicode.toml',
    run: (folder) => compareAll(readRustRegexSuite(folder)),
  },
  {
    name: 're2-search',
    ...RE2J,
    file: 'testdata/re2-search.txt',
    run: (folder) => runRe2(readFileSync(join(folder, 'testdata/re2-search.txt'), 'utf8')),
  },
  {
    name: 're2-exhaustive',
    ...RE2J,
    file: 'testdata/re2-exhaustive.txt.gz',
    run: (folder) =>
      runRe2(gunzipSync(readFileSync(join(folder, 'testdata/re2-exhaustive.txt.gz'))).toString('utf8')),
  },
];

const PINNED = fileURLToPath(new URL('pinned.json', import.meta.url));

const { values, positionals } = parseArgs({
  options: { only: { type: 'string' }, update: { type: 'boolean' } },
  allowPositionals: true,
});
const [root] = positionals;
if (root === undefined || !existsSync(root)) {
  process.stderr.write('a folder with checkouts of the suites is required\n');
  process.exit(2);
}

const selected = selectNames(
  'suite',
  values.only,
  SUITES.map(({ name }) => name),
);

const pinned = JSON.parse(readFileSync(PINNED, 'utf8')) as Record<string, SuiteResult>;
for (const suite of SUITES) {
  if (selected.includes(suite.name)) runSuite(suite, root);
}
if (values.update === true) writeFileSync(PINNED, `${JSON.stringify(pinned, null, 2)}\n`);

function runSuite({ name, repository, commit, file, run }: Suite, folder: string): void {
  const checkout = join(folder, repository.slice(repository.indexOf('/') + 1));
  if (!existsSync(join(checkout, file))) {
    process.stdout.write(
      `${name}: skipped; needs ${checkout}: git clone https://github.com/${repository} and git checkout ${commit}\n`,
    );
    return;
  }
  const result = run(checkout);
  const before = pinned[name];
  if (values.update === true) pinned[name] = result;
  const differences = Object.entries(result.differences);
  process.stdout.write(
    `${name}: ${result.compared} cases compared, ${differences.length} differ, ${result.unmapped} not expressible\n`,
  );
  for (const [decision, count] of countByDecision(differences))
    process.stdout.write(`  ${count}  ${decision}\n`);
  const changes = values.update === true ? [] : changesBetween(before, result);
  const unexplained = differences.filter(([, text]) => text.endsWith('unexplained'));
  for (const line of [...changes, ...unexplained.map(([id, text]) => `${id}: ${text}`)]) {
    process.stdout.write(`  ! ${line}\n`);
    process.exitCode = 1;
  }
}

function countByDecision(differences: readonly (readonly [string, string])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [, text] of differences) {
    const decision = text.slice(text.indexOf(': ') + 2);
    counts.set(decision, (counts.get(decision) ?? 0) + 1);
  }
  return counts;
}

/** Describes how a result differs from the pinned one. */
function changesBetween(before: SuiteResult | undefined, now: SuiteResult): readonly string[] {
  if (before === undefined) return ['no pinned result; add it with --update'];
  const counts = (['compared', 'unmapped'] as const).flatMap((member) =>
    before[member] === now[member] ? [] : [`${member} must be ${before[member]}, but is ${now[member]}`],
  );
  const ids = new Set([...Object.keys(before.differences), ...Object.keys(now.differences)]);
  const changed = [...ids].filter((id) => before.differences[id] !== now.differences[id]);
  return [
    ...counts,
    ...changed.map(
      (id) =>
        `${id}: must be "${before.differences[id] ?? 'equal'}", but is "${now.differences[id] ?? 'equal'}"`,
    ),
  ];
}

function compareAll({ cases, unmapped }: SuiteCases): SuiteResult {
  const differences = cases.flatMap((one) => compareCase(one) ?? []);
  return {
    compared: cases.length,
    unmapped,
    differences: Object.fromEntries(differences.map(({ id, text }) => [id, text])),
  };
}

/** Runs a suite of RE2. Patterns that the engine rejects count as unmapped. */
function runRe2(text: string): SuiteResult {
  const { tried, rejected, failures } = runRe2SearchSuite(text);
  return {
    compared: tried,
    unmapped: rejected,
    differences: Object.fromEntries(failures.map((failure) => [failure, explainRe2(failure)])),
  };
}

/** Explains a difference from RE2, which also finds `\\B` between two bytes of a character. */
function explainRe2(failure: string): string {
  const isInsideCharacter = failure.includes('\\\\B') && [...failure].some((one) => one >= '\u{80}');
  return isInsideCharacter ? 'they true, we false: L18, matching is by code point' : 'differ: unexplained';
}
