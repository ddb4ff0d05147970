/** Reads a policy test file with the files that it names, and runs it. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { QueryError } from '../../index.js';
import {
  type PolicyTest,
  PolicyTestError,
  type PolicyTestResult,
  parsePolicyTest,
  runPolicyTest,
  type TestCatalogue,
} from '../../policy-tests/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { readCatalogueFile } from '../catalogue-file.js';
import { formatProblems, readJsonFile } from '../json-file.js';
import { CommandError, EXIT } from '../output.js';

/** The result of a test file, or why it could not be run. */
export type TestFileResult = {
  readonly file: string;
  /** Every file that the result depends on. */
  readonly involved: readonly string[];
} & (
  | {
      readonly kind: 'run';
      /** The file that contains the query. */
      readonly queryFile: string;
      readonly result: PolicyTestResult;
    }
  | { readonly kind: 'invalid'; readonly message: string }
);

/** Runs a test file. An invalid file is a result, so that the others still run. */
export function runTestFile(file: string): TestFileResult {
  const involved = [file];
  try {
    const test = readTestFile(file);
    const besideTest = (path: string) => {
      const read = join(dirname(file), path);
      involved.push(read);
      return read;
    };
    const queryFile = typeof test.query === 'string' ? besideTest(test.query) : file;
    const catalogueFile =
      test.catalogue === undefined || test.catalogue === 'none' ? undefined : besideTest(test.catalogue);
    const query = typeof test.query === 'string' ? readJsonFile(queryFile) : undefined;
    const catalogue = catalogueFile === undefined ? undefined : readCatalogueFile(catalogueFile);
    const result = runWithProblems(file, queryFile, test, { query, catalogue });
    return { kind: 'run', file, involved, queryFile, result };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { kind: 'invalid', file, involved, message: error.message };
  }
}

/** @throws {CommandError} If the query or a claim is invalid, with the file that contains it. */
function runWithProblems(
  file: string,
  queryFile: string,
  test: PolicyTest,
  read: { readonly query: unknown; readonly catalogue: TestCatalogue | undefined },
): PolicyTestResult {
  try {
    return runPolicyTest(test, omitUndefined(read));
  } catch (error) {
    if (error instanceof PolicyTestError)
      throw new CommandError(formatProblems(file, error.problems), EXIT.usage);
    if (!(error instanceof QueryError)) throw error;
    // The pointers of an inline query start at the member that contains it.
    const start = file === queryFile ? '/query' : '';
    const problems = error.problems.map((one) => ({ ...one, pointer: start + one.pointer }));
    throw new CommandError(formatProblems(queryFile, problems, error.problemCount), EXIT.usage);
  }
}

/** @throws {CommandError} If the file cannot be read, or is no policy test. */
function readTestFile(file: string): PolicyTest {
  const json = file.endsWith('.json') ? readJsonFile(file) : readYamlFile(file);
  try {
    return parsePolicyTest(json);
  } catch (error) {
    if (!(error instanceof PolicyTestError)) throw error;
    throw new CommandError(formatProblems(file, error.problems), EXIT.usage);
  }
}

/**
 * Reads a file with one YAML 1.2 document, whose values are those of JSON: `no` is a string, and so is a date.
 *
 * @throws {CommandError} If the file cannot be read or is not valid YAML.
 */
function readYamlFile(file: string): unknown {
  try {
    const lines = new LineCounter();
    const document = parseDocument(readFileSync(file, 'utf8'), {
      lineCounter: lines,
      prettyErrors: false,
      stringKeys: true,
    });
    // A warning, such as that for an unknown tag, means that a value is not what the file says.
    const [problem] = [...document.errors, ...document.warnings];
    if (problem === undefined) return document.toJS() as unknown;
    const { line, col } = lines.linePos(problem.pos[0]);
    throw new SyntaxError(`${problem.message} (line ${line}, column ${col})`);
  } catch (error) {
    const isRead = error instanceof SyntaxError || error instanceof ReferenceError;
    const reason = isRead ? 'is not valid YAML' : 'cannot be read';
    throw new CommandError(
      `${file} ${reason}: ${error instanceof Error ? error.message : error}`,
      EXIT.usage,
    );
  }
}
