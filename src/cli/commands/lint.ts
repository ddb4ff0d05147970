/** `proviso lint`: what a query's author hardly meant. */
import type { Command } from 'commander';
import { type Finding, lint } from '../../analysis/index.js';
import { QueryError } from '../../index.js';
import { readCatalogueFile } from '../deployment-files.js';
import { formatProblems, readJsonFile } from '../json-file.js';
import { CommandError, EXIT, printMessage, printResult } from '../output.js';

export interface LintCommandOptions {
  /** A catalogue of one's own, for the types of claims. */
  readonly catalogue?: string;
  readonly json?: boolean;
  /** Print the query with the first finding mended, again and again, until there is none. */
  readonly fix?: boolean;
}

/** So many findings are mended, one after the other. */
const MAX_FIXES = 100;

/** Adds the command. */
export function addLint(program: Command): void {
  program
    .command('lint')
    .description(
      'find what the author of a query hardly meant: what never passes, passes by surprise, or makes no difference',
    )
    .argument('<query>', 'file with a check or a policy as JSON')
    .option('--catalogue <file>', 'claims and their types; see `proviso catalogue`')
    .option('--fix', 'print the query, mended')
    .option('--json', 'print the findings as JSON')
    .addHelpText(
      'after',
      `
Each finding comes with the whole query mended, shown to mean the same or to be stricter.
Ends with 0 when there is nothing to say, 1 when there is, 2 when the query is not right.

Example:
  proviso lint query.json`,
    )
    .action((query: string, options: LintCommandOptions) => {
      process.exitCode = lintFile(query, options);
    });
}

/**
 * Prints the findings, or the mended query.
 *
 * @returns The exit code: 0 where there is nothing to say, 1 where there is.
 * @throws {CommandError} When the query or the catalogue is not right.
 */
function lintFile(queryFile: string, { catalogue, json = false, fix = false }: LintCommandOptions): number {
  const query = readJsonFile(queryFile);
  const definition = catalogue === undefined ? undefined : readCatalogueFile(catalogue);
  try {
    const report = lint(query, definition);
    if (fix) {
      printResult(JSON.stringify(applyFixes(query, definition), undefined, 2));
      return EXIT.ok;
    }
    if (json) printResult(JSON.stringify(report, undefined, 2));
    else if (report.findings.length > 0) printResult(report.findings.map(findingText).join('\n'));
    if (report.findings.length === 0) printMessage('nothing to say');
    return report.findings.length === 0 ? EXIT.ok : EXIT.failed;
  } catch (error) {
    if (error instanceof QueryError) {
      throw new CommandError(formatProblems(queryFile, error.problems, error.problemCount), EXIT.usage);
    }
    if (error instanceof TypeError) throw new CommandError(`${queryFile}: ${error.message}`, EXIT.usage);
    throw error;
  }
}

function applyFixes(query: unknown, definition: Parameters<typeof lint>[1]): unknown {
  let { query: mended, findings } = lint(query, definition);
  for (let count = 0; count < MAX_FIXES && findings[0] !== undefined; count += 1) {
    const before = JSON.stringify(mended);
    mended = findings[0].mended;
    // What always passes, or never, has no shorter form.
    if (JSON.stringify(mended) === before) break;
    findings = lint(mended, definition).findings;
  }
  return mended;
}

function findingText({ code, pointer, message, mended, relation }: Finding): string {
  return `${pointer === '' ? '(whole)' : pointer}: ${code}: ${message}\n  ${relation === 'equivalent' ? 'the same' : 'stricter'}: ${JSON.stringify(mended)}`;
}
