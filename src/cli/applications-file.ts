/** A file of the applications that may ask. */
import {
  ApplicationsError,
  type DescribedApplication,
  readApplications,
  type ServiceCatalogue,
} from '../service/index.js';
import { listProblems, readJsonFileWithMode } from './json-file.js';
import { CommandError, EXIT } from './output.js';
import { MUST_BE_PRIVATE } from './private-file.js';

/** @throws {CommandError} With every problem of the file and its place; also where others can read the hash of a secret in it. */
export function readApplicationsFile(
  file: string,
  catalogue: ServiceCatalogue,
): readonly DescribedApplication[] {
  const { json, isPrivate } = readJsonFileWithMode(file);
  try {
    const applications = readApplications(json, catalogue, (hex) =>
      Buffer.from(hex, 'hex').toString('base64url'),
    );
    if (!isPrivate && applications.some(({ secretHash }) => secretHash !== undefined)) {
      throw new CommandError(`${file}: a file with \`secret_sha256\` ${MUST_BE_PRIVATE}`, EXIT.usage);
    }
    return applications;
  } catch (error) {
    if (!(error instanceof ApplicationsError)) throw error;
    throw new CommandError(listProblems(file, error.problems), EXIT.usage);
  }
}
