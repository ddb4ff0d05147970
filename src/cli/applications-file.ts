/** A file of the applications that may ask. */
import {
  ApplicationsError,
  type DescribedApplication,
  readApplications,
  type ServiceCatalogue,
} from '../service/index.js';
import { listProblems, readJsonFile } from './json-file.js';
import { CommandError, EXIT } from './output.js';

/** @throws {CommandError} With every problem of the file and its place. */
export function readApplicationsFile(
  file: string,
  catalogue: ServiceCatalogue,
): readonly DescribedApplication[] {
  const json = readJsonFile(file);
  try {
    return readApplications(json, catalogue, (hex) => Buffer.from(hex, 'hex').toString('base64url'));
  } catch (error) {
    if (!(error instanceof ApplicationsError)) throw error;
    throw new CommandError(listProblems(file, error.problems), EXIT.usage);
  }
}
