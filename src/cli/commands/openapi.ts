/** `proviso openapi`: the service's interface as an OpenAPI document, without a service. */
import type { Command } from 'commander';
import { describeInterface } from '../../http/index.js';
import { CommandError, EXIT, printResult } from '../output.js';

const EXAMPLE_ISSUER = 'http://127.0.0.1:8080/v2';

/** Adds the command. @param version - Of this program. */
export function addOpenapi(program: Command, version: string): void {
  program
    .command('openapi')
    .description('print the service’s interface as an OpenAPI 3.1 document, for generators and tests')
    .option('--issuer <url>', 'where the service is reached, as PROVISO_ISSUER says it', EXAMPLE_ISSUER)
    .addHelpText(
      'after',
      `
A running service has the same at /v2/openapi.json. Ends with 0, or with 2 when the URL is none.

Example:
  proviso openapi --issuer https://id.example/v2 > openapi.json`,
    )
    .action(({ issuer }: { readonly issuer: string }) => {
      if (!URL.canParse(issuer)) throw new CommandError(`--issuer is a URL: ${issuer}`, EXIT.usage);
      printResult(JSON.stringify(describeInterface(issuer, version), undefined, 2));
    });
}
