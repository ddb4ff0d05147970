/** The people of the playground: sample people of the sandbox, or the user's own credentials (V1, L10). */
import {
  type Credential,
  CredentialError,
  formatInstant,
  isActiveAt,
  parseCredentials,
} from '../../../engine/index.js';
import { sandboxPeople } from '../../../service/sandbox/people.js';
import type { Note } from './evaluate.js';
import { readJsonText } from './json-text.js';

/** A sample person. */
export interface Person {
  /** The name in the sandbox, in lower case. */
  readonly name: string;
  readonly description: string;
  readonly credentials: readonly Credential[];
}

/** The status of a credential at an instant (L10). */
export type CredentialStatus = 'pending' | 'active' | 'expired' | 'revoked';

/** Parsed credentials, or a note for each problem. */
export interface ParsedCredentials {
  readonly credentials: readonly Credential[];
  readonly notes: readonly Note[];
}

/** Returns the sample people. @param now - Epoch milliseconds; their dates are relative to it. */
export function playgroundPeople(now: number): readonly Person[] {
  return sandboxPeople(now).map(({ person: { name, about: description }, credentials }) => ({
    name,
    description: description,
    credentials,
  }));
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

/** Returns the status of a credential at an instant. */
export function credentialStatusAt(credential: Credential, now: number): CredentialStatus {
  if (isActiveAt(credential, now)) return 'active';
  if (credential.issuedAt > now) return 'pending';
  return credential.revokedAt !== undefined && credential.revokedAt <= now ? 'revoked' : 'expired';
}
