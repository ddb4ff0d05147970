/** `proviso compile`: generates a standalone module from a query, for a build step. */
import { type Command, Option } from 'commander';
import {
  type GeneratedModule,
  generateModule,
  MODULE_FORMATS,
  type ModuleFormat,
} from '../../codegen/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { CATALOGUE_OPTION, readCatalogueOption } from '../inputs/catalogue.js';
import { INLINE_OPTION, POLICY_ARGUMENT, readQueryInput, withQueryProblems } from '../inputs/query.js';
import { CommandError, EXIT, printMessage } from '../output.js';
import { writeFileInFolder } from '../policy-tests/write-file.js';

interface CompileCommandOptions {
  readonly query?: string;
  readonly format: ModuleFormat;
  readonly evidence?: boolean;
  readonly types?: boolean;
  readonly output?: string;
  readonly catalogue?: string;
}

/** Adds the command. */
export function addCompile(program: Command): void {
  program
    .command('compile')
    .description('generate a JavaScript module that evaluates a query on records')
    .argument(...POLICY_ARGUMENT)
    .option(...INLINE_OPTION)
    .addOption(new Option('--format <format>', 'format of the module').choices(MODULE_FORMATS).default('esm'))
    .option('--evidence', 'also export `evaluate`, which returns the result with its evidence')
    .option('--types', 'also write declarations for TypeScript; requires --output')
    .option('--output <file>', 'write the module to a file; default: standard output')
    .option(...CATALOGUE_OPTION)
    .addHelpText(
      'after',
      `
The module exports \`test(record)\`, \`claims\` and, with --evidence, \`evaluate(record, { now })\`. A record is an object of claims by path.
The module checks no scopes. It imports \`re2js\` where a pattern requires it, and nothing else.

Examples:
  proviso compile query.json > adult.mjs
  proviso compile query.json --evidence --types --output src/policies/adult.js`,
    )
    .action(compileFile);
}

/** @throws {CommandError} If the query or the catalogue is invalid, or options contradict each other. */
async function compileFile(file: string | undefined, options: CompileCommandOptions): Promise<void> {
  const { format, evidence, types = false, output } = options;
  if (types && output === undefined) throw new CommandError('--types requires --output', EXIT.usage);
  const declarations = types && output !== undefined ? declarationsOf(output) : undefined;
  const { isOwn, claims } = readCatalogueOption(options.catalogue);
  const { name, json } = await readQueryInput(file, options.query);
  const generated = withQueryProblems(name, json, () =>
    generateModule(json, {
      ...omitUndefined({ format, evidence, claims }),
      // Queries for the default catalogue may read other claims, as in all commands.
      unknownClaims: isOwn ? 'reject' : 'allow',
    }),
  );
  writeModule(generated, output, declarations);
}

function writeModule(
  { code, types }: GeneratedModule,
  output: string | undefined,
  declarations: string | undefined,
): void {
  if (output === undefined) {
    process.stdout.write(code);
    return;
  }
  writeFileInFolder(output, code);
  if (declarations !== undefined) writeFileInFolder(declarations, types);
  const written = declarations === undefined ? output : `${output} and ${declarations}`;
  printMessage(`wrote ${written}`);
}

/** Returns the name of the declaration file of a module. */
function declarationsOf(output: string): string {
  const name = output.replace(/\.([mc]?)js$/, '.d.$1ts');
  if (name !== output) return name;
  throw new CommandError(
    `with --types, --output must end with .js, .mjs or .cjs (got ${output})`,
    EXIT.usage,
  );
}
