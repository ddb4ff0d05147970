/** The people of the playground: sample people of the sandbox, or the user's own credentials (V1, L10). */
import {
  type CatalogueClaim,
  type Credential,
  CredentialError,
  formatInstant,
  type JsonValue,
  parseCredentials,
} from '../../../engine/index.js';
import type { ServiceCatalogue } from '../../../service/catalogue/service-catalogue.js';
import { sandboxPeople } from '../../../service/sandbox/people.js';
import { readJsonText } from '../../../util/json-text.js';
import { MS_PER_DAY } from '../../../util/time.js';
import { addedClaims, DEFAULT } from './catalogue.js';
import type { Note } from './evaluate.js';

export { credentialStatusAt } from '../../../service/credentials/credential-status.js';

/** A sample person. */
export interface Person {
  /** In lower case. A person of the sandbox has the same name there. */
  readonly name: string;
  readonly description: string;
  readonly credentials: readonly Credential[];
}

/** Parsed credentials, or a note for each problem. */
export interface ParsedCredentials {
  readonly credentials: readonly Credential[];
  readonly notes: readonly Note[];
}

/**
 * Returns the sample people. For the default catalogue, these are the people of the sandbox. For another catalogue, they keep the claims that
 * it lists, get sample values of the claims that it adds, and are omitted if they keep no claim. If all are omitted, returns people generated
 * from the added claims, or an empty list if there are none.
 *
 * @param now - Epoch milliseconds; their dates are relative to it.
 */
export function playgroundPeople(now: number, catalogue: ServiceCatalogue = DEFAULT): readonly Person[] {
  const sandbox = sandboxPeople(now).map(
    ({ person: { name, about: description }, credentials }): Person => ({ name, description, credentials }),
  );
  if (catalogue === DEFAULT) return sandbox;
  const known = sandbox.flatMap((person): Person[] => {
    const credentials = person.credentials.flatMap((credential): Credential[] => {
      const claims = Object.entries(credential.claims).filter(
        ([path]) => catalogue.findClaim(path) !== undefined,
      );
      return claims.length === 0 ? [] : [{ ...credential, claims: Object.fromEntries(claims) }];
    });
    return credentials.length === 0 ? [] : [{ ...person, credentials }];
  });
  const added = addedClaims(catalogue).filter(({ derived }) => derived === undefined);
  if (added.length === 0) return known;
  if (known.length > 0) {
    return known.map((person, index) => ({
      ...person,
      credentials: [...person.credentials, sampleCredential(added, index % 2 === 0, now)],
    }));
  }
  return [
    {
      name: 'sample one',
      description: 'Generated from the catalogue: true, the first value, a large number, a recent date.',
      credentials: [sampleCredential(added, true, now)],
    },
    {
      name: 'sample two',
      description: 'Generated from the catalogue: false, the last value, a small number, an old date.',
      credentials: [sampleCredential(added, false, now)],
    },
    { name: 'nobody', description: 'Has no credentials.', credentials: [] },
  ];
}

function sampleCredential(claims: readonly CatalogueClaim[], isFirst: boolean, now: number): Credential {
  return {
    id: 'sample-values',
    source: 'Sample values',
    issuedAt: now - MS_PER_DAY,
    claims: Object.fromEntries(claims.map((claim) => [claim.path, sampleValue(claim, isFirst, now)])),
  };
}

const DATE_LENGTH = 'YYYY-MM-DD'.length;
const RECENT_DAYS = 30;
const OLD_DAYS = 20 * 365;

/** Returns one of two sample values of a claim's type; both are equal for objects. */
export function sampleValue(
  { type, values = [] }: Pick<CatalogueClaim, 'type' | 'values'>,
  isFirst: boolean,
  now: number,
): JsonValue {
  const days = isFirst ? RECENT_DAYS : OLD_DAYS;
  switch (type) {
    case 'boolean':
      return isFirst;
    case 'string':
      return isFirst ? 'example' : 'another';
    case 'number':
    case 'integer':
      return isFirst ? 100 : 1;
    case 'date':
      return daysBefore(now, days);
    case 'datetime':
      return formatInstant(now - days * MS_PER_DAY);
    case 'array':
      return isFirst ? [values[0] ?? 'example'] : [];
    case 'object':
      return {};
    case 'enum':
      return values.at(isFirst ? 0 : -1) ?? '';
  }
}

/** Returns the date, in UTC, a number of days before an instant. */
export function daysBefore(now: number, days: number): string {
  return formatInstant(now - days * MS_PER_DAY).slice(0, DATE_LENGTH);
}

/** Formats credentials as JSON with RFC 3339 instants. */
export function credentialsText(credentials: readonly Credential[]): string {
  const written = credentials.map(({ id, source, issuedAt, expiresAt, revokedAt, claims }) => ({
    id,
    source,
    issuedAt: formatInstant(issuedAt),
    ...(expiresAt === undefined ? {} : { expiresAt: formatInstant(expiresAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: formatInstant(revokedAt) }),
    claims,
  }));
  return JSON.stringify(written, undefined, 2);
}

/** Parses credentials; returns problems as notes. Never throws. */
export function readCredentials(text: string): ParsedCredentials {
  const json = readJsonText(text);
  if (json.problem !== undefined) return { credentials: [], notes: [{ ...json.problem, severity: 'error' }] };
  try {
    return { credentials: parseCredentials(json.value), notes: [] };
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    const notes = error.problems.map(({ code, pointer, message }): Note => {
      const isAtName = code === 'member_unknown' || code === 'claim_path_malformed';
      return { span: isAtName ? json.nameOf(pointer) : json.spanOf(pointer), message, severity: 'error' };
    });
    return { credentials: [], notes };
  }
}
