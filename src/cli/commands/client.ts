/** `proviso client`: the applications that may ask, registered, listed and given up (V2, V7, V11). */

import { type Command, Option } from 'commander';
import { formatInstant } from '../../index.js';
import {
  type Application,
  ApplicationsError,
  authMethodsOf,
  createServiceCatalogue,
  ID_TOKEN_ALGORITHMS,
  type IdTokenAlgorithm,
  listStaleGrants,
  PRODUCTION,
  registerApplication,
  revokeApplication,
  SANDBOX,
  SCOPES_WITHDRAWN,
  type Store,
  TOKEN_ENDPOINT_AUTH_METHODS,
  type TokenEndpointAuthMethod,
} from '../../service/index.js';
import { systemClock } from '../../system/clock.js';
import { systemDigest, systemRandom } from '../../system/node-ports.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { loadConfiguration } from '../configuration/read-configuration.js';
import type { Configuration } from '../configuration/settings.js';
import { openExistingStore, openStore, type StoreConfiguration } from '../database.js';
import { readCatalogueFile } from '../deployment-files.js';
import { formatProblems, readJsonFile } from '../json-file.js';
import { CommandError, EXIT, printMessage, printOutput, writeResult } from '../output.js';
import { parseScopeList } from '../scope-list.js';

interface JsonOption {
  readonly json?: boolean;
}

interface AddOptions extends JsonOption {
  readonly name: string;
  readonly redirectUri: readonly string[];
  readonly postLogoutRedirectUri?: readonly string[];
  /** Separated by blanks, as OAuth writes them. */
  readonly scope: string;
  readonly id?: string;
  readonly organization?: string;
  readonly purpose?: string;
  readonly public?: boolean;
  /** A file with a JWK Set. */
  readonly jwks?: string;
  readonly authMethod?: TokenEndpointAuthMethod;
  readonly idTokenSignedResponseAlg?: IdTokenAlgorithm;
  readonly requirePushedAuthorizationRequests?: boolean;
  readonly dpopBoundAccessTokens?: boolean;
  readonly createdBy?: string;
}

interface StaleGrantsOptions extends JsonOption {
  readonly revoke?: boolean;
}

/** Adds the command, with its own. */
export function addClient(program: Command, variables: NodeJS.ProcessEnv): void {
  const command = program.command('client').description('the applications that may ask');
  command
    .command('add')
    .description('register an application, and print its id and its secret')
    .requiredOption('--name <name>', 'what people are told that it is called')
    .requiredOption('--redirect-uri <uri...>', 'where browsers are sent back to; compared letter by letter')
    .option(
      '--post-logout-redirect-uri <uri...>',
      'where browsers may be sent after a sign-out; compared letter by letter, ports included',
    )
    .option('--scope <scopes>', 'the scopes that it may request, separated by spaces', 'openid')
    .option('--id <id>', 'its client id; made up where absent')
    .option('--organization <id>', 'applications of one organisation know people by the same identifiers')
    .option('--purpose <sentence>', 'what it says to people that it asks for')
    .option('--public', 'it keeps no secret, as in a browser or on a phone: it proves itself by PKCE alone')
    .option('--jwks <file>', 'its public keys (a JWK Set): it signs in place of showing a secret')
    .addOption(
      new Option(
        '--auth-method <method>',
        'the only way in which it may authenticate at the token endpoint; `none` with a secret: by PKCE there, and by its secret at user-token',
      ).choices(TOKEN_ENDPOINT_AUTH_METHODS),
    )
    .addOption(
      new Option(
        '--id-token-signed-response-alg <algorithm>',
        'how its ID tokens are signed; RS256 where absent, which every OpenID Connect client accepts',
      ).choices(ID_TOKEN_ALGORITHMS),
    )
    .option(
      '--require-pushed-authorization-requests',
      'it must push its authorization requests (RFC 9126): others are refused',
    )
    .option(
      '--dpop-bound-access-tokens',
      'it gets no access token without a DPoP proof: each is bound to a key of its own (RFC 9449)',
    )
    .option('--created-by <id>', 'who registers it; whoever decides on a request of its can see this')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      `
The secret is shown this once: the store keeps its SHA-256. A running service knows the application at once.
Ends with 0, or with 2 when something given is not right: then everything that is not is listed.

Example:
  proviso client add --name "Corner Bank" --redirect-uri https://bank.example/callback --scope "identity:read kyc:read"`,
    )
    .action((options: AddOptions) => add(options, variables));
  command
    .command('list')
    .description('print the applications, those that were revoked too')
    .option('--json', 'print them as JSON')
    .addHelpText('after', '\nExample:\n  proviso client list --json')
    .action((options: JsonOption) => list(options, variables));
  command
    .command('revoke')
    .description('end an application for good, and every token that it has')
    .argument('<id>', 'its client id')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      `
From the next request on none of its tokens works, on every instance. Ends with 0, or with 1 when there is no such application.

Example:
  proviso client revoke app_3kJ0vY1mPz`,
    )
    .action((id: string, options: JsonOption) => revoke(id, options, variables));
  command
    .command('stale-grants')
    .description('list the active grants that hold scopes which the application no longer has')
    .argument('<id>', 'its client id')
    .option('--revoke', 'revoke them, with every token')
    .option('--json', 'print each as a line of JSON')
    .addHelpText(
      'after',
      `
Prints the authorization, the person (by the store's own id) and the withdrawn scopes, a line each. Withdrawn scopes are not in effect,
but come back in these grants when the application is given them again. With --revoke the whole grant ends: people have to approve anew.
Ends with 0, or with 1 when there is no such application.

Example:
  proviso client stale-grants app_3kJ0vY1mPz --revoke`,
    )
    .action((id: string, options: StaleGrantsOptions) => staleGrants(id, options, variables));
}

async function add(options: AddOptions, variables: NodeJS.ProcessEnv): Promise<void> {
  if (options.public === true && options.jwks !== undefined) {
    throw new CommandError('an application is --public or signs with --jwks, not both', EXIT.usage);
  }
  const proof =
    options.jwks === undefined
      ? options.public === true
        ? ('public' as const)
        : ('secret' as const)
      : { jwks: readJsonFile(options.jwks) };
  const { id, organization, purpose, authMethod, idTokenSignedResponseAlg, createdBy } = options;
  const { requirePushedAuthorizationRequests } = options;
  const { postLogoutRedirectUri: postLogoutRedirectUris } = options;
  const { dpopBoundAccessTokens } = options;
  const registration = {
    name: options.name,
    redirectUris: options.redirectUri,
    ...omitUndefined({ postLogoutRedirectUris }),
    scopes: parseScopeList(options.scope),
    proof,
    ...omitUndefined({
      clientId: id,
      organizationId: organization,
      purpose,
      tokenEndpointAuthMethod: authMethod,
      idTokenAlgorithm: idTokenSignedResponseAlg,
      requirePushedAuthorizationRequests,
      dpopBoundAccessTokens,
      createdByUserId: createdBy,
    }),
  };
  await withStore(variables, openStore, async (store, { catalogue: file }) => {
    const catalogue = createServiceCatalogue(file === undefined ? undefined : readCatalogueFile(file));
    const ports = { store, clock: systemClock, random: systemRandom, digest: systemDigest, catalogue };
    try {
      const { application, clientSecret } = await registerApplication(registration, ports);
      const shown = {
        ...toOutput(application),
        ...omitUndefined({ client_secret: clientSecret }),
      };
      const secretLine = clientSecret === undefined ? [] : [`client_secret  ${clientSecret}`];
      printOutput(options, shown, [`client_id      ${application.clientId}`, ...secretLine].join('\n'));
      if (clientSecret !== undefined)
        printMessage('the secret is shown this once; the store keeps its SHA-256');
    } catch (error) {
      if (!(error instanceof ApplicationsError)) throw error;
      const problems = error.problems.map(({ pointer, message }) => ({
        pointer: pointer.replace('/applications/0', '') || '/',
        message,
      }));
      throw new CommandError(formatProblems('the application', problems), EXIT.usage);
    }
  });
}

async function list(options: JsonOption, variables: NodeJS.ProcessEnv): Promise<void> {
  await withStore(variables, openExistingStore, async (store) => {
    const shown = (await store.listApplications()).map(toOutput);
    const lines = shown.map(({ client_id, status, authentication, name }) =>
      // A name that was recorded by other means may hold what writes to this terminal.
      [client_id.padEnd(28), status.padEnd(8), authentication.padEnd(16), name.replace(/\p{Cc}/gu, '?')].join(
        '  ',
      ),
    );
    printOutput(options, shown, lines.length === 0 ? 'there is no application yet' : lines.join('\n'));
  });
}

async function revoke(id: string, options: JsonOption, variables: NodeJS.ProcessEnv): Promise<void> {
  await withStore(variables, openExistingStore, async (store) => {
    const application = await revokeApplication(id, { store, clock: systemClock });
    if (application === undefined) throw unknownApplication(id);
    const { revokedAt = 0 } = application;
    printOutput(options, toOutput(application), `${id} is revoked since ${formatInstant(revokedAt)}`);
  });
}

async function staleGrants(
  id: string,
  options: StaleGrantsOptions,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  await withStore(variables, openExistingStore, async (store, { environment: name }) => {
    const application = await store.findApplication(id);
    if (application === undefined) throw unknownApplication(id);
    const environment = name === 'production' ? PRODUCTION : SANDBOX;
    let count = 0;
    for await (const grant of listStaleGrants(application, { store, clock: systemClock, environment })) {
      const { authorizationId, userId, withdrawnScopes } = grant;
      if (options.revoke === true)
        await store.revokeAuthorization(authorizationId, systemClock.now(), SCOPES_WITHDRAWN);
      const shown = {
        authorization_id: authorizationId,
        person_id: userId,
        withdrawn_scopes: withdrawnScopes,
      };
      const line = [authorizationId, userId, withdrawnScopes.join(' ')].join('  ').replace(/\p{Cc}/gu, '?');
      await writeResult(`${options.json === true ? JSON.stringify(shown) : line}\n`);
      count += 1;
    }
    const grants = count === 1 ? '1 grant' : `${count} grants`;
    printMessage(
      options.revoke === true ? `${grants} revoked` : `${grants} with scopes that \`${id}\` no longer has`,
    );
  });
}

function unknownApplication(id: string): CommandError {
  return new CommandError(`there is no application \`${id}\`; \`proviso client list\` tells those there are`);
}

async function withStore(
  variables: NodeJS.ProcessEnv,
  open: (configuration: StoreConfiguration) => Promise<Store>,
  work: (store: Store, configuration: Configuration) => Promise<void>,
): Promise<void> {
  const configuration = loadConfiguration({ variables });
  const store = await open(configuration);
  try {
    await work(store, configuration);
  } finally {
    await store.close();
  }
}

/** An application by the names of its file, without the hash of its secret. */
function toOutput(application: Application) {
  const { createdAt, revokedAt, purpose, createdByUserId, postLogoutRedirectUris } = application;
  return {
    client_id: application.clientId,
    name: application.name,
    organization_id: application.organizationId,
    status: revokedAt === undefined ? 'active' : 'revoked',
    authentication: authenticationOf(application),
    ...omitUndefined({ purpose }),
    redirect_uris: application.redirectUris,
    ...omitUndefined({ post_logout_redirect_uris: postLogoutRedirectUris }),
    scopes: application.scopes,
    id_token_signed_response_alg: application.idTokenAlgorithm,
    ...(application.requirePushedAuthorizationRequests === true
      ? { require_pushed_authorization_requests: true }
      : {}),
    ...(application.dpopBoundAccessTokens === true ? { dpop_bound_access_tokens: true } : {}),
    ...omitUndefined({ created_by_user_id: createdByUserId }),
    created_at: formatInstant(createdAt),
    ...(revokedAt === undefined ? {} : { revoked_at: formatInstant(revokedAt) }),
  };
}

/** Its method at the token endpoint; `client_secret` where the secret may be sent in the header or in the body. */
function authenticationOf(application: Application): string {
  const [method = 'none', ...others] = authMethodsOf(application);
  return others.length === 0 ? method : 'client_secret';
}
