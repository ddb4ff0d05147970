/** `proviso fmt`: formats query files. */
import type { Command } from 'commander';
import { formatQuery } from '../../analysis/index.js';
import { inputName, isObject, readQueryInput, withQueryProblems } from '../inputs/query.js';
import { parseJsonText } from '../json-file.js';
import { CommandError, EXIT, printMessage, printResult } from '../output.js';
import { writeFileInFolder } from '../policy-tests/write-file.js';

interface FmtOptions {
  readonly check?: boolean;
  readonly write?: boolean;
}

/** Adds the command. */
export function addFmt(program: Command): void {
  program
    .command('fmt')
    .description('format query files as readable JSON, without redundant `check` and `policy`')
    .argument('<query...>', 'files with queries as JSON; - reads standard input')
    .option('--check', 'list the files that are not formatted')
    .option('--write', 'rewrite the files')
    .addHelpText(
      'after',
      `
Without --check and --write, prints the formatted query; its meaning does not change. Keeps \`$schema\`. Exits with 0, with 1 when --check
lists a file, 2 for invalid input (no file is rewritten), and 2 when a file cannot be written (the files before it are rewritten).

Examples:
  proviso fmt query.json
  proviso fmt --check policies/*.json`,
    )
    .action(async (files: readonly string[], options: FmtOptions) => {
      process.exitCode = await formatFiles(files, options);
    });
}

/**
 * @returns The exit code: 1 if `--check` found a file that is not formatted.
 * @throws {CommandError} For contradicting options, and if a file is invalid or cannot be written.
 */
async function formatFiles(
  files: readonly string[],
  { check = false, write = false }: FmtOptions,
): Promise<number> {
  if (check && write) throw new CommandError('--check and --write must not be used together', EXIT.usage);
  if (write && files.includes('-'))
    throw new CommandError('--write takes files, not the standard input `-`', EXIT.usage);
  if (!check && !write && files.length > 1)
    throw new CommandError('several files require --check or --write', EXIT.usage);
  const changed: { readonly file: string; readonly formatted: string }[] = [];
  for (const file of files) {
    const { text, formatted } = await formatFile(file);
    if (!check && !write) printResult(formatted.trimEnd());
    else if (text !== formatted) changed.push({ file, formatted });
  }
  for (const { file, formatted } of changed) {
    if (check) printResult(inputName(file));
    else {
      writeFileInFolder(file, formatted);
      printMessage(`formatted ${file}`);
    }
  }
  return check && changed.length > 0 ? EXIT.failed : EXIT.ok;
}

async function formatFile(file: string): Promise<{ readonly text: string; readonly formatted: string }> {
  const { name, text, json } = await readQueryInput(file, undefined);
  const formatted = withQueryProblems(name, json, () => formatQuery(json));
  return { text, formatted: `${withSchema(parseJsonText(name, text), formatted)}\n` };
}

/** Puts the `$schema` of a file back at the top of its formatted query. */
function withSchema(json: unknown, formatted: string): string {
  const schema = isObject(json) ? json['$schema'] : undefined;
  return schema === undefined
    ? formatted
    : formatted.replace('{', () => `{\n  "$schema": ${JSON.stringify(schema)},`);
}
