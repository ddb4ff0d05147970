/** A file of issuers whose signed credentials a deployment takes in. */
import { IssuersError, readIssuers, type ServiceCatalogue, type TrustedIssuer } from '../service/index.js';
import { listProblems, readJsonFile } from './json-file.js';
import { CommandError, EXIT } from './output.js';

/** @throws {CommandError} With every problem of the file and its place. */
export function readIssuersFile(file: string, catalogue: ServiceCatalogue): readonly TrustedIssuer[] {
  const json = readJsonFile(file);
  try {
    return readIssuers(json, catalogue);
  } catch (error) {
    if (!(error instanceof IssuersError)) throw error;
    throw new CommandError(listProblems(file, error.problems), EXIT.usage);
  }
}
