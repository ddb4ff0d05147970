/** `proviso lint`: reports likely mistakes in a query. */
import type { Command } from 'commander';
import { type Finding, type LintCatalogue, type LintReport, lint } from '../../analysis/index.js';
import { CATALOGUE_OPTION, readCatalogueOption } from '../inputs/catalogue.js';
import { compilePolicyInput, INLINE_OPTION, POLICY_ARGUMENT, readQueryInput } from '../inputs/query.js';
import { readGrantedScopes } from '../inputs/scopes.js';
import { CommandError, EXIT, printMessage, printResult, toPrintableLines } from '../output.js';
import { joinScopeLists } from '../scope-list.js';

export interface LintCommandOptions {
  /** The query as JSON. */
  readonly query?: string;
  /** The scopes that must cover the query. */
  readonly scope?: string;
  readonly catalogue?: string;
  readonly json?: boolean;
  /** Print the query with the suggested fixes applied. */
  readonly fix?: boolean;
}

/** Maximum number of suggestions that `--fix` applies. */
const MAX_FIXES = 100;

/** Adds the command. */
export function addLint(program: Command): void {
  program
    .command('lint')
    .description(
      'report likely mistakes in a query: unknown claims, and conditions that never pass, always pass, or have no effect',
    )
    .argument(...POLICY_ARGUMENT)
    .option(...INLINE_OPTION)
    .option(...CATALOGUE_OPTION)
    .option(
      '--scope <scopes>',
      'scopes that must exist and cover the query, separated by spaces',
      joinScopeLists,
    )
    .option('--fix', 'print the fixed query')
    .option('--json', 'print the findings as JSON')
    .addHelpText(
      'after',
      `
A finding includes the whole fixed query if the fixed query is proven equivalent or stricter, and some claims pass it.
Exits with 0 without findings, 1 with findings (with --fix: if findings remain), 2 for invalid input.

Example:
  proviso lint query.json`,
    )
    .action(async (query: string | undefined, options: LintCommandOptions) => {
      process.exitCode = await lintFile(query, options);
    });
}

/**
 * Prints the findings, or the fixed query.
 *
 * @returns The exit code: 0 without findings, otherwise 1.
 * @throws {CommandError} If the query or an option is invalid.
 */
async function lintFile(file: string | undefined, options: LintCommandOptions): Promise<number> {
  if (options.fix === true && options.json === true)
    throw new CommandError('--fix must not be combined with --json', EXIT.usage);
  const catalogue = readCatalogueOption(options.catalogue, 'allow');
  const query = await readQueryInput(file, options.query);
  const compiled = compilePolicyInput(query, catalogue);
  if (options.scope !== undefined) readGrantedScopes(compiled, options, catalogue);
  const definition = catalogue.claims === undefined ? 'none' : { claims: catalogue.claims };
  const report = options.fix === true ? applyFixes(query.json, definition) : lint(query.json, definition);
  if (options.fix === true) printResult(JSON.stringify(report.query, undefined, 2));
  else if (options.json === true) printResult(JSON.stringify(report, undefined, 2));
  const text = toPrintableLines(report.findings.map(findingText).join('\n'));
  if (report.findings.length === 0) {
    if (options.fix !== true) printMessage('no findings');
  } else if (options.fix === true) printMessage(text);
  else if (options.json !== true) printResult(text);
  const isUnknown = report.findings.some(({ code }) => code === 'unknown_claim');
  if (isUnknown && options.catalogue === undefined)
    printMessage('For claims of your own, use --catalogue <file>, or --catalogue none for any claims.');
  return report.findings.length === 0 ? EXIT.ok : EXIT.failed;
}

/** Applies the suggestions of the findings one after the other, until no suggestion changes the query, or {@link MAX_FIXES} are applied. */
function applyFixes(query: unknown, catalogue: LintCatalogue): LintReport {
  let report = lint(query, catalogue);
  for (let count = 0; count < MAX_FIXES; count += 1) {
    const { suggestion } = report.findings.find((finding) => finding.suggestion !== undefined) ?? {};
    // The simplest query that always passes has a finding (it always passes) whose suggestion is the query itself.
    if (suggestion === undefined || JSON.stringify(suggestion) === JSON.stringify(report.query))
      return report;
    report = lint(suggestion, catalogue);
  }
  return report;
}

function findingText({ code, pointer, message, suggestion, relation }: Finding): string {
  const heading = `${pointer === '' ? '(root)' : pointer}: ${code}: ${message}`;
  return suggestion === undefined ? heading : `${heading}\n  ${relation}: ${JSON.stringify(suggestion)}`;
}
