/** `proviso lint`: reports likely mistakes in a query. */
import type { Command } from 'commander';
import { type Finding, lint } from '../../analysis/index.js';
import { QueryError } from '../../index.js';
import { readCatalogueFile } from '../catalogue-file.js';
import { formatProblems, readJsonFile } from '../json-file.js';
import { CommandError, EXIT, printMessage, printResult } from '../output.js';

export interface LintCommandOptions {
  /** A catalogue file, for the types of claims. */
  readonly catalogue?: string;
  readonly json?: boolean;
  /** Print the query with the first finding fixed, repeatedly, until there is none. */
  readonly fix?: boolean;
}

/** Maximum number of findings to fix. */
const MAX_FIXES = 100;

/** Adds the command. */
export function addLint(program: Command): void {
  program
    .command('lint')
    .description(
      'report likely mistakes in a query: conditions that never pass, always pass, or have no effect',
    )
    .argument('<query>', 'file with a check or a policy as JSON')
    .option('--catalogue <file>', 'catalogue file, for the types of claims; see `proviso catalogue`')
    .option('--fix', 'print the fixed query')
    .option('--json', 'print the findings as JSON')
    .addHelpText(
      'after',
      `
Each finding includes the whole query with a fix that is proven equivalent or stricter.
Exits with 0 without findings, 1 with findings, 2 when the query is invalid.

Example:
  proviso lint query.json`,
    )
    .action((query: string, options: LintCommandOptions) => {
      process.exitCode = lintFile(query, options);
    });
}

/**
 * Prints the findings, or the fixed query.
 *
 * @returns The exit code: 0 without findings, otherwise 1.
 * @throws {CommandError} If the query or the catalogue is invalid.
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
    if (report.findings.length === 0) printMessage('no findings');
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
  let { query: fixed, findings } = lint(query, definition);
  for (let count = 0; count < MAX_FIXES && findings[0] !== undefined; count += 1) {
    const before = JSON.stringify(fixed);
    fixed = findings[0].suggestion;
    // A query that always or never passes has no simpler form.
    if (JSON.stringify(fixed) === before) break;
    findings = lint(fixed, definition).findings;
  }
  return fixed;
}

function findingText({ code, pointer, message, suggestion, relation }: Finding): string {
  return `${pointer === '' ? '(root)' : pointer}: ${code}: ${message}\n  ${relation}: ${JSON.stringify(suggestion)}`;
}
