/** Reads the credentials of people: credentials as JSON, or plain claims. */
import {
  ClaimError,
  type ClaimSet,
  type Credential,
  CredentialError,
  formatInstant,
  parseCredentials,
} from '../../index.js';
import { formatProblems, parseJsonText, readTextInput } from '../json-file.js';
import { CommandError, EXIT } from '../output.js';
import type { CommandCatalogue } from './catalogue.js';
import { inputName, isObject, resemblesQuery } from './query.js';

export const CREDENTIALS_ARGUMENT = [
  '[credentials]',
  'file with an array of credentials, or an object of claims such as {"identity.age": 34}; - reads standard input',
] as const;

/** The claims of one person at the instant of evaluation. */
export interface PersonInput {
  readonly credentials: readonly Credential[];
  readonly claims: ClaimSet;
}

/** How to read credentials. */
interface CredentialsContext {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly catalogue: CommandCatalogue;
}

/**
 * Reads the credentials of one person.
 *
 * @param file - `-` for standard input.
 * @throws {CommandError} If the file cannot be read or is invalid, with the first problems.
 */
export async function readPerson(
  file: string | undefined,
  context: CredentialsContext,
): Promise<PersonInput> {
  const name = inputName(file);
  return parsePerson(name, await readCredentialsJson(file), context);
}

/** Reads the credentials of one person, or an array with those of several. @throws {CommandError} As {@link readPerson} does. */
export async function readPeople(
  file: string | undefined,
  context: CredentialsContext,
): Promise<readonly PersonInput[]> {
  const name = inputName(file);
  const json = await readCredentialsJson(file);
  const areSeveral = Array.isArray(json) && json.length > 0 && json.every(Array.isArray);
  return areSeveral
    ? json.map((person: unknown, index) => parsePerson(`${name}, person ${index + 1},`, person, context))
    : [parsePerson(name, json, context)];
}

async function readCredentialsJson(file: string | undefined): Promise<unknown> {
  if (file === undefined) {
    const message = 'credentials are required: a file after the query, or - for standard input';
    throw new CommandError(message, EXIT.usage);
  }
  return parseJsonText(inputName(file), await readTextInput(file));
}

function parsePerson(name: string, json: unknown, { now, catalogue }: CredentialsContext): PersonInput {
  const invalid = (problems: Parameters<typeof formatProblems>[1]) =>
    new CommandError(formatProblems(name, problems), EXIT.usage);
  const misplaced = hintFor(json);
  if (misplaced !== undefined) throw invalid([{ pointer: '', message: misplaced }]);
  try {
    if (!isObject(json)) {
      const credentials = parseCredentials(json);
      return { credentials, claims: catalogue.engine.claims.at(credentials, now) };
    }
    const claims = parsePlainClaims(json, now);
    const credentials = [{ id: '', source: '', issuedAt: now, claims }];
    return { credentials, claims: catalogue.engine.claims.of(claims, { now }) };
  } catch (error) {
    if (error instanceof CredentialError) throw invalid(error.problems.map(relocate(json)));
    // A claim is not in the catalogue of the file, or its value has another type.
    if (error instanceof ClaimError) throw invalid(error.problems);
    throw error;
  }
}

/** Validates plain claims as those of a credential. @throws {CredentialError} */
function parsePlainClaims(json: Readonly<Record<string, unknown>>, now: number): Credential['claims'] {
  const wrapped = { id: 'claims', source: 'claims', issuedAt: formatInstant(now), claims: json };
  const [credential] = parseCredentials([wrapped]);
  return credential === undefined ? {} : credential.claims;
}

/** Returns a function that removes the wrapping of plain claims from the location of a problem. */
function relocate(json: unknown) {
  return ({ pointer, message }: CredentialError['problems'][number]) => ({
    pointer: isObject(json) ? pointer.replace('/0/claims', '') : pointer,
    message,
  });
}

/** Describes how to correct JSON that is neither credentials nor claims. */
function hintFor(json: unknown): string | undefined {
  if (resemblesQuery(json)) return 'This is a query. The query must be the first argument.';
  if (isObject(json) && isObject(json['claims']))
    return 'A credential must be an element of an array: wrap it in [ and ].';
  return undefined;
}
