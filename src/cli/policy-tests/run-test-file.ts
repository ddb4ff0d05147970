/** Reads a policy test file with the files that it names, and runs it. */
import { dirname, join } from 'node:path';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { type Problem, QueryError } from '../../index.js';
import {
  type PolicyTest,
  PolicyTestError,
  type PolicyTestResult,
  parsePolicyTest,
  runPolicyTest,
  type TestCatalogue,
} from '../../policy-tests/index.js';
import { segmentsOf } from '../../util/json-pointer.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { readCatalogueFile } from '../catalogue-file.js';
import { readQueryFile } from '../inputs/query.js';
import {
  formatProblems,
  type LocatedJson,
  MAX_LISTED_PROBLEMS,
  readLocatedJson,
  readTextFile,
} from '../json-file.js';
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
    const { test, located } = readTestFile(file);
    // Paths are relative to the test file.
    const resolveInvolved = (path: string) => {
      const read = join(dirname(file), path);
      involved.push(read);
      return read;
    };
    const queryFile = typeof test.query === 'string' ? resolveInvolved(test.query) : file;
    const catalogueFile =
      test.catalogue === undefined || test.catalogue === 'none' ? undefined : resolveInvolved(test.catalogue);
    const query = typeof test.query === 'string' ? readQueryFile(queryFile) : undefined;
    const catalogue = catalogueFile === undefined ? undefined : readCatalogueFile(catalogueFile);
    const result = runWithProblems(located, queryFile, test, { query, catalogue });
    return { kind: 'run', file, involved, queryFile, result };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { kind: 'invalid', file, involved, message: error.message };
  }
}

/** A test file with the lines of its values. */
interface LocatedFile extends LocatedJson {
  readonly file: string;
}

/** Creates the error for the problems of a test file, with the line of each. */
function problemsError(
  { file, lineOf }: LocatedFile,
  problems: readonly Pick<Problem<string>, 'pointer' | 'message'>[],
  count = problems.length,
): CommandError {
  // Finding a line reads the file up to it.
  const located = problems.slice(0, MAX_LISTED_PROBLEMS).map(({ pointer, message }) => ({
    pointer: `${pointer || '(root)'} (line ${lineOf(pointer)})`,
    message,
  }));
  return new CommandError(formatProblems(file, located, count), EXIT.usage);
}

/** @throws {CommandError} If the query or a claim is invalid, with the file that contains it. */
function runWithProblems(
  located: LocatedFile,
  queryFile: string,
  test: PolicyTest,
  read: { readonly query: unknown; readonly catalogue: TestCatalogue | undefined },
): PolicyTestResult {
  try {
    return runPolicyTest(test, omitUndefined(read));
  } catch (error) {
    if (error instanceof PolicyTestError) throw problemsError(located, error.problems);
    if (!(error instanceof QueryError)) throw error;
    if (located.file !== queryFile)
      throw new CommandError(formatProblems(queryFile, error.problems, error.problemCount), EXIT.usage);
    // The pointers of an inline query start at the member that contains it.
    const problems = error.problems.map((one) => ({ ...one, pointer: `/query${one.pointer}` }));
    throw problemsError(located, problems, error.problemCount);
  }
}

/** @throws {CommandError} If the file cannot be read, or is no policy test. */
function readTestFile(file: string): { readonly test: PolicyTest; readonly located: LocatedFile } {
  const located = { file, ...(file.endsWith('.json') ? readLocatedJson(file) : readYamlFile(file)) };
  try {
    return { test: parsePolicyTest(located.json), located };
  } catch (error) {
    if (!(error instanceof PolicyTestError)) throw error;
    throw problemsError(located, error.problems);
  }
}

/**
 * Reads a file with one YAML 1.2 document, whose values are those of JSON: `no` is a string, and so is a date. The
 * members of a map under the key `<<` are merged, as in YAML 1.1.
 *
 * @throws {CommandError} If the file cannot be read or is not valid YAML.
 */
function readYamlFile(file: string): LocatedJson {
  const text = readTextFile(file);
  try {
    const lines = new LineCounter();
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      stringKeys: true,
      merge: true,
    });
    // A warning, such as that for an unknown tag, means that a value is not what the file says.
    const [problem] = [...document.errors, ...document.warnings];
    const json: unknown = problem === undefined ? document.toJS() : undefined;
    // The validation would read a value that contains itself again at each level up to the depth limit, in exponential time.
    if (containsItself(json)) throw new SyntaxError('an alias must not refer to a value that contains it');
    const lineOf = (pointer: string) => {
      const path = segmentsOf(pointer);
      // A value that its path does not lead to, such as a merged member, has the line of the nearest enclosing value.
      for (let length = path.length; length > 0; length -= 1) {
        const node = document.getIn(path.slice(0, length), true);
        if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
      }
      return 1;
    };
    if (problem === undefined) return { json, lineOf };
    const { line, col } = lines.linePos(problem.pos[0]);
    throw new SyntaxError(`${problem.message} (line ${line}, column ${col})`);
  } catch (error) {
    throw new CommandError(
      `${file} is not valid YAML: ${error instanceof Error ? error.message : error}`,
      EXIT.usage,
    );
  }
}

/** Returns whether a value contains itself: the alias of an anchor may occur inside of the anchored value. */
function containsItself(json: unknown): boolean {
  const open = new Set<object>();
  const done = new Set<object>();
  const visit = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null || done.has(value)) return false;
    if (open.has(value)) return true;
    open.add(value);
    const found = Object.values(value).some(visit);
    open.delete(value);
    done.add(value);
    return found;
  };
  return visit(json);
}
