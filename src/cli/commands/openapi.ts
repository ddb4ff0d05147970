/** `proviso openapi`: prints the OpenAPI document of the service, without starting it. */
import type { Command } from 'commander';
import { describeInterface } from '../../http/index.js';
import { CommandError, EXIT, printResult } from '../output.js';

const EXAMPLE_ISSUER = 'http://127.0.0.1:8080/v2';

/** Adds the command. @param version - Version of this program. */
export function addOpenapi(program: Command, version: string): void {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of the service, for code generators and tests')
    .option(
      '--issuer <url>',
      'base URL of the service, http or https, including the path /v2',
      EXAMPLE_ISSUER,
    )
    .addHelpText(
      'after',
      `
A running service serves the same document at /v2/openapi.json. Exits with 0, or with 2 when the URL is invalid.

Example:
  proviso openapi --issuer https://id.example/v2 > openapi.json`,
    )
    .action(({ issuer }: { readonly issuer: string }) => {
      if (!/^https?:$/.test(URL.canParse(issuer) ? new URL(issuer).protocol : ''))
        throw new CommandError(`--issuer must be an http or https URL (got \`${issuer}\`)`, EXIT.usage);
      printResult(JSON.stringify(describeInterface(issuer, version), undefined, 2));
    });
}
