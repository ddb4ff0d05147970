/** Reads the files of a deployment besides its catalogue: its trusted issuers, and its applications. */
import {
  ApplicationsError,
  type ConfiguredApplication,
  IssuersError,
  parseApplications,
  parseIssuers,
  type ServiceCatalogue,
  type TrustedIssuer,
} from '../service/index.js';
import { formatProblems, MUST_BE_PRIVATE, readJsonFile, readJsonFileWithMode } from './json-file.js';
import { CommandError, EXIT } from './output.js';

/** @throws {CommandError} With every problem of the file and its location. */
export function readIssuersFile(file: string, catalogue: ServiceCatalogue): readonly TrustedIssuer[] {
  const json = readJsonFile(file);
  try {
    return parseIssuers(json, catalogue);
  } catch (error) {
    if (!(error instanceof IssuersError)) throw error;
    throw new CommandError(formatProblems(file, error.problems), EXIT.usage);
  }
}

/** @throws {CommandError} With every problem of the file and its location, or if it contains the hash of a secret and others can read it. */
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
