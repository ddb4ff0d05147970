/**
 * Runs public suites against `matchRegex` and the parser of request bodies. Their data are not part of this repository: pass copies.
 *
 *   npm run check -- conformance-suites --re2 re2-search.txt --json JSONTestSuite/test_parsing
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type JsonOutcome, parseStrictJson } from '../../src/service/json/strict-json.js';
import { runRe2SearchSuite, type SuiteReport } from './re2-search-suite.js';

const { values } = parseArgs({ options: { re2: { type: 'string' }, json: { type: 'string' } } });

if (values.re2 === undefined && values.json === undefined) {
  process.stderr.write(
    '--re2 FILE (RE2’s search tests) or --json FOLDER (JSONTestSuite’s test_parsing) is required\n',
  );
  process.exitCode = 2;
}
if (values.re2 !== undefined) report('RE2 search tests', runRe2SearchSuite(readFileSync(values.re2, 'utf8')));
if (values.json !== undefined) report('JSON parsing tests', runJsonSuite(values.json));

function report(name: string, { tried, rejected, failures }: SuiteReport): void {
  process.stdout.write(
    `${name}: ${tried} tried, ${rejected} rejected (not compared), ${failures.length} failed\n`,
  );
  for (const failure of failures) process.stdout.write(`  ${failure}\n`);
  if (tried === 0) process.stderr.write(`${name}: the suite must have at least one test\n`);
  if (tried === 0 || failures.length > 0) process.exitCode = 1;
}

/**
 * Files named `y_…` must be accepted, and `n_…` rejected. Not compared: `i_…`, for which RFC 8259 leaves the choice, and files `y_…` that only
 * RFC 7493 forbids, which are counted as rejected.
 */
function runJsonSuite(folder: string): SuiteReport {
  let [tried, rejected] = [0, 0];
  const failures: string[] = [];
  for (const name of readdirSync(folder)) {
    const outcome = parse(readFileSync(join(folder, name)));
    if (name.startsWith('i_')) continue;
    if (name.startsWith('y_') && !outcome.accepted && outcome.problem.code !== 'json_malformed') {
      rejected += 1;
      continue;
    }
    tried += 1;
    if (name.startsWith('y_') && !outcome.accepted) failures.push(`${name} must be accepted`);
    if (name.startsWith('n_') && outcome.accepted) failures.push(`${name} must be rejected`);
  }
  return { tried, rejected, failures };
}

function parse(bytes: Uint8Array): JsonOutcome {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { accepted: false, problem: { pointer: '', code: 'json_malformed', message: 'not valid UTF-8' } };
  }
  return parseStrictJson(text);
}
