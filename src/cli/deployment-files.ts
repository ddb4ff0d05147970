/** Reads the files of a deployment besides its catalogue: its trusted issuers, its applications, and its sign-in providers. */
import {
  ApplicationsError,
  type ConfiguredApplication,
  type CredentialFile,
  IssuersError,
  parseApplications,
  parseIssuers,
  parseSignInProviders,
  type ServiceCatalogue,
  type SignInProvider,
  SignInProvidersError,
  type TrustedIssuer,
} from '../service/index.js';
import { createSignInProvider, type ProviderCredential } from '../system/sign-in-provider.js';
import {
  formatProblems,
  MUST_BE_PRIVATE,
  parseJsonText,
  readJsonFile,
  readJsonFileWithMode,
  readPrivateFile,
} from './json-file.js';
import { CommandError, EXIT } from './output.js';

/** @throws {CommandError} With the first problems of the file and their location. */
export function readIssuersFile(file: string, catalogue: ServiceCatalogue): readonly TrustedIssuer[] {
  const json = readJsonFile(file);
  try {
    return parseIssuers(json, catalogue);
  } catch (error) {
    if (!(error instanceof IssuersError)) throw error;
    throw new CommandError(formatProblems(file, error.problems), EXIT.usage);
  }
}

/** @throws {CommandError} With the first problems of the file and their location, or if it contains the hash of a secret and others can read it. */
export function readApplicationsFile(
  file: string,
  catalogue: ServiceCatalogue,
): readonly ConfiguredApplication[] {
  const { json, isPrivate } = readJsonFileWithMode(file);
  try {
    const applications = parseApplications(json, catalogue, (hex) =>
      Buffer.from(hex, 'hex').toString('base64url'),
    );
    if (!isPrivate && applications.some(({ secretHash }) => secretHash !== undefined)) {
      throw new CommandError(`${file}: a file with \`secret_sha256\` ${MUST_BE_PRIVATE}`, EXIT.usage);
    }
    return applications;
  } catch (error) {
    if (!(error instanceof ApplicationsError)) throw error;
    throw new CommandError(formatProblems(file, error.problems), EXIT.usage);
  }
}

/**
 * Reads the OpenID Connect providers at which people sign in. Sends no request to them.
 *
 * @throws {CommandError} With the first problems of the file and their location, or if the file of a secret or key is malformed or not private.
 */
export async function readSignInProvidersFile(file: string): Promise<readonly SignInProvider[]> {
  const providers = parseProviders(file, readJsonFile(file));
  return await Promise.all(
    providers.map(async ({ settings, credential }) => {
      try {
        return await createSignInProvider(settings, readCredential(credential));
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        const path = credential.method === 'none' ? file : credential.file;
        throw new CommandError(`${path} is invalid: ${error.message}`, EXIT.usage);
      }
    }),
  );
}

function parseProviders(file: string, json: unknown) {
  try {
    return parseSignInProviders(json);
  } catch (error) {
    if (!(error instanceof SignInProvidersError)) throw error;
    throw new CommandError(formatProblems(file, error.problems), EXIT.usage);
  }
}

/** Reads the secret or the key. A secret is one line. */
function readCredential(credential: CredentialFile): ProviderCredential {
  const { method } = credential;
  if (method === 'none') return { method };
  const text = readPrivateFile(credential.file);
  if (method === 'private_key_jwt') return { method, privateJwk: parseJsonText(credential.file, text) };
  const secret = text.trimEnd();
  if (secret === '' || /\p{Cc}/u.test(secret))
    throw new CommandError(`${credential.file} must contain one line: the client secret`, EXIT.usage);
  return { method, secret };
}
