/** `proviso client`: registers, lists and revokes applications, manages their secrets, and lists and revokes stale grants (V2, V7, V11). */

import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import { EVIDENCE_LEVELS, type EvidenceLevel, formatInstant } from '../../index.js';
import {
  type Application,
  ApplicationsError,
  AUTHORIZATION_DETAILS_TYPES,
  type AuthorizationDetailsType,
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
import { readCatalogueFile } from '../catalogue-file.js';
import type { Configuration } from '../configuration/settings.js';
import { formatProblems, readJsonFile } from '../json-file.js';
import { CommandError, EXIT, printMessage, printOutput, toPrintable, writeResult } from '../output.js';
import { joinScopeLists, parseScopeList } from '../scope-list.js';
import { withStore } from '../with-store.js';
import { addClientSecret } from './client-secret.js';

interface JsonOption {
  readonly json?: boolean;
}

interface AddOptions extends JsonOption {
  readonly name: string;
  readonly redirectUri: readonly string[];
  readonly postLogoutRedirectUri?: readonly string[];
  /** Separated by spaces, as in OAuth. */
  readonly scope?: string;
  readonly authorizationDetailsType?: readonly AuthorizationDetailsType[];
  readonly maxEvidence?: EvidenceLevel;
  readonly id?: string;
  readonly organization?: string;
  readonly organizationName?: string;
  readonly logo?: string;
  readonly policyUri?: string;
  readonly tosUri?: string;
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

/** Adds the command and its subcommands. */
export function addClient(program: Command, variables: NodeJS.ProcessEnv): void {
  const command = program.command('client').description('manage the registered applications');
  command
    .command('add')
    .description('register an application, and print its client id and secret')
    .requiredOption('--name <name>', 'the name that people see')
    .requiredOption(
      '--redirect-uri <uri...>',
      'allowed redirect URIs; compared exactly, except for the port on 127.0.0.1 and [::1]',
    )
    .option(
      '--post-logout-redirect-uri <uri...>',
      'allowed redirect URIs after sign-out; compared exactly, including ports',
    )
    .option(
      '--scope <scopes>',
      'the scopes that it may request, separated by spaces (default: `openid`, or none with --authorization-details-type)',
      joinScopeLists,
    )
    .addOption(
      new Option(
        '--authorization-details-type <type...>',
        'the types of authorization details that it may request (RFC 9396); `claims_condition`: questions about a person, without the data',
      ).choices(AUTHORIZATION_DETAILS_TYPES),
    )
    .addOption(
      new Option(
        '--max-evidence <level>',
        'the most evidence that it gets with results: values, outcomes of checks, or only the verdict (default: full)',
      ).choices(EVIDENCE_LEVELS),
    )
    .option('--id <id>', 'client id (default: random)')
    .option(
      '--organization <id>',
      'organization id; applications of one organization get the same identifier for a person',
    )
    .option('--organization-name <name>', 'the name of the organization that people see (default: its id)')
    .option('--logo <file>', 'PNG, JPEG, WebP or SVG image of at most 6 KB that people see')
    .option('--policy-uri <uri>', 'address of its privacy policy, shown to people')
    .option('--tos-uri <uri>', 'address of its terms of use, shown to people')
    .option('--purpose <sentence>', 'the purpose of its requests, shown to people')
    .option('--public', 'a public client, such as an app in a browser or on a phone: no secret, PKCE only')
    .option(
      '--jwks <file>',
      'file with its public keys (a JWK Set), for `private_key_jwt` instead of a secret',
    )
    .addOption(
      new Option(
        '--auth-method <method>',
        'the only authentication method at the token endpoint; with `none`, an application with a secret uses PKCE there, and the secret only for `client/user-token` and the list of grants',
      ).choices(TOKEN_ENDPOINT_AUTH_METHODS),
    )
    .addOption(
      new Option(
        '--id-token-signed-response-alg <algorithm>',
        'signing algorithm of its ID tokens (default: RS256, which every OpenID Connect client accepts)',
      ).choices(ID_TOKEN_ALGORITHMS),
    )
    .option(
      '--require-pushed-authorization-requests',
      'reject authorization requests that it did not push (RFC 9126)',
    )
    .option('--dpop-bound-access-tokens', 'issue only DPoP-bound access tokens (RFC 9449)')
    .option(
      '--created-by <id>',
      'id of the person who registers it; visible to those who decide on its requests',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The secret is shown only once: the store keeps its SHA-256. A running service accepts the application immediately.
Exits with 0, or with 2 for invalid input: then every problem is listed.

Example:
  proviso client add --name "Corner Bank" --redirect-uri https://bank.example/callback --scope "identity:read kyc:read"`,
    )
    .action((options: AddOptions) => add(options, variables));
  command
    .command('list')
    .description('list the applications, including revoked ones')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  proviso client list --json')
    .action((options: JsonOption) => list(options, variables));
  command
    .command('revoke')
    .description('revoke an application and all its tokens, permanently')
    .argument('<id>', 'its client id')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Its tokens are rejected from the next request on, on every instance. Exits with 0, or with 1 when the application does not exist.

Example:
  proviso client revoke app_3kJ0vY1mPz`,
    )
    .action((id: string, options: JsonOption) => revoke(id, options, variables));
  command
    .command('stale-grants')
    .description(
      'list the active grants with scopes or conditions that the application may no longer request',
    )
    .argument('<id>', 'its client id')
    .option('--revoke', 'revoke these grants and their tokens')
    .option('--json', 'print one JSON object per line')
    .addHelpText(
      'after',
      `
Prints one line per grant: the authorization, the person (the id in the store) and the withdrawn scopes, which are empty if only conditions
were withdrawn; --json also prints the number of withdrawn conditions. Withdrawn scopes and conditions have no effect, but take effect again
if the application regains them. With --revoke, the whole grant ends, and people have to approve again.
Exits with 0, or with 1 when the application does not exist.

Example:
  proviso client stale-grants app_3kJ0vY1mPz --revoke`,
    )
    .action((id: string, options: StaleGrantsOptions) => staleGrants(id, options, variables));
  addClientSecret(command, variables);
}

async function add(options: AddOptions, variables: NodeJS.ProcessEnv): Promise<void> {
  if (options.public === true && options.jwks !== undefined) {
    throw new CommandError('--public and --jwks must not be combined', EXIT.usage);
  }
  const authentication =
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
    scopes: scopesOf(options),
    authentication,
    ...omitUndefined({
      authorizationDetailsTypes: options.authorizationDetailsType,
      maxEvidence: options.maxEvidence,
      clientId: id,
      organizationId: organization,
      organizationName: options.organizationName,
      logoUri: options.logo === undefined ? undefined : readLogo(options.logo),
      policyUri: options.policyUri,
      tosUri: options.tosUri,
      purpose,
      tokenEndpointAuthMethod: authMethod,
      idTokenAlgorithm: idTokenSignedResponseAlg,
      requirePushedAuthorizationRequests,
      dpopBoundAccessTokens,
      createdByUserId: createdBy,
    }),
  };
  const register = async (store: Store, { catalogue: file }: Configuration) => {
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
        printMessage('the secret is shown only once; the store keeps its SHA-256');
    } catch (error) {
      if (!(error instanceof ApplicationsError)) throw error;
      const problems = error.problems.map(({ pointer, message }) => ({
        pointer: pointer.replace('/applications/0', '') || '/',
        message,
      }));
      throw new CommandError(formatProblems('the application', problems), EXIT.usage);
    }
  };
  await withStore(variables, register, 'new');
}

function scopesOf({ scope, authorizationDetailsType }: AddOptions): readonly string[] {
  if (scope !== undefined) return parseScopeList(scope);
  return authorizationDetailsType === undefined ? ['openid'] : [];
}

async function list(options: JsonOption, variables: NodeJS.ProcessEnv): Promise<void> {
  await withStore(variables, async (store) => {
    const shown = (await store.listApplications()).map(toOutput);
    const lines = shown.map(({ client_id, status, authentication, name }) =>
      toPrintable([client_id.padEnd(28), status.padEnd(8), authentication.padEnd(16), name].join('  ')),
    );
    printOutput(options, shown, lines.length === 0 ? 'no applications' : lines.join('\n'));
  });
}

async function revoke(id: string, options: JsonOption, variables: NodeJS.ProcessEnv): Promise<void> {
  await withStore(variables, async (store) => {
    const application = await revokeApplication(id, { store, clock: systemClock });
    if (application === undefined) throw unknownApplication(id);
    const { revokedAt = 0 } = application;
    printOutput(options, toOutput(application), `${id} was revoked at ${formatInstant(revokedAt)}`);
  });
}

async function staleGrants(
  id: string,
  options: StaleGrantsOptions,
  variables: NodeJS.ProcessEnv,
): Promise<void> {
  await withStore(variables, async (store, { environment: name }) => {
    const application = await store.findApplication(id);
    if (application === undefined) throw unknownApplication(id);
    const environment = name === 'production' ? PRODUCTION : SANDBOX;
    let count = 0;
    for await (const grant of listStaleGrants(application, { store, clock: systemClock, environment })) {
      const { authorizationId, userId, withdrawnScopes, withdrawnConditions } = grant;
      if (options.revoke === true)
        await store.revokeAuthorization(authorizationId, systemClock.now(), SCOPES_WITHDRAWN);
      const shown = {
        authorization_id: authorizationId,
        person_id: userId,
        withdrawn_scopes: withdrawnScopes,
        ...(withdrawnConditions.length === 0 ? {} : { withdrawn_conditions: withdrawnConditions.length }),
      };
      const line = toPrintable([authorizationId, userId, withdrawnScopes.join(' ')].join('  '));
      await writeResult(`${options.json === true ? JSON.stringify(shown) : line}\n`);
      count += 1;
    }
    const grants = count === 1 ? '1 grant' : `${count} grants`;
    printMessage(
      options.revoke === true
        ? `${grants} revoked`
        : `${grants} with scopes or conditions that \`${id}\` may no longer request`,
    );
  });
}

function unknownApplication(id: string): CommandError {
  return new CommandError(`application \`${id}\` not found; \`proviso client list\` lists all applications`);
}

const LOGO_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
};

/** Reads an image as a data URL. @throws {CommandError} If it cannot be read, or if {@link LOGO_TYPES} lacks its extension. */
function readLogo(path: string): string {
  const type = LOGO_TYPES[extname(path).toLowerCase()];
  if (type === undefined) {
    const known = Object.keys(LOGO_TYPES).join(', ');
    throw new CommandError(`--logo must be a file whose name ends in ${known} (got ${path})`, EXIT.usage);
  }
  try {
    return `data:${type};base64,${readFileSync(path).toString('base64')}`;
  } catch (error) {
    throw new CommandError(
      `--logo cannot be read: ${error instanceof Error ? error.message : ''}`,
      EXIT.usage,
    );
  }
}

/** Formats an application for output: with the member names of the applications file, as far as it has them, and without keys or the hash of the secret. */
function toOutput(application: Application) {
  const { createdAt, revokedAt, purpose, createdByUserId, postLogoutRedirectUris } = application;
  return {
    client_id: application.clientId,
    name: application.name,
    organization_id: application.organizationId,
    status: revokedAt === undefined ? 'active' : 'revoked',
    authentication: authenticationOf(application),
    ...omitUndefined({
      organization_name: application.organizationName,
      logo_uri: application.logoUri,
      policy_uri: application.policyUri,
      tos_uri: application.tosUri,
      purpose,
    }),
    redirect_uris: application.redirectUris,
    ...omitUndefined({ post_logout_redirect_uris: postLogoutRedirectUris }),
    scopes: application.scopes,
    ...omitUndefined({
      authorization_details_types: application.authorizationDetailsTypes,
      max_evidence: application.maxEvidence,
    }),
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

/** Returns the method at the token endpoint; `client_secret` if the secret may be sent in the header or in the body. */
function authenticationOf(application: Application): string {
  const [method = 'none', ...others] = authMethodsOf(application);
  return others.length === 0 ? method : 'client_secret';
}
