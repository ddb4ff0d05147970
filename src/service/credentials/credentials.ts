/** Ingestion and revocation of credentials, by the administrator only and only with claims of the catalogue (S147, S154). */

import { fitsClaimType, requiredValue } from '../../engine/claims/claim-type.js';
import { canonicalCopy, MAX_VALUE_DEPTH } from '../../engine/claims/json-value.js';
import { type Credential, CredentialError, type JsonValue, parseCredentials } from '../../engine/index.js';
import { pointerTo } from '../../engine/problems.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import type { Person, PersonSelector } from '../people/people.js';
import type { CredentialFormat, KeyBindingChallenge } from '../ports/verifiers.js';
import { credentialStatusAt } from './credential-status.js';
import { type CredentialView, createCredentialLists } from './list-credentials.js';
import { hashCredentialId, identifySignedCredential, isDerivedId, mapClaims } from './signed-credentials.js';

/** A problem of a request to ingest a credential, with its JSON Pointer. */
interface IngestionProblem {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** A credential to ingest, in JSON format or signed by its issuer, and its person. */
export interface Ingestion {
  readonly person: PersonSelector;
  /** `json`: the service's own format, vouched for by the administrator; otherwise a format identifier of OpenID4VCI. */
  readonly format: 'json' | CredentialFormat;
  readonly credential: unknown;
  /** The required subject of a signed credential; not checked if absent. */
  readonly subject?: string;
  /** The challenge given to the holder, for an SD-JWT VC with a key-binding JWT. */
  readonly keyBinding?: KeyBindingChallenge;
}

/** A credential to be recorded. */
interface ParsedCredential {
  readonly credential: Credential;
  /** Keyed hash of the issuer and the subject. */
  readonly subjectHash?: string;
}

const POINTER = '/credential';
const MAX_ID_BYTES = 256;

/** Creates the use cases of credentials: ingest and revoke (administrator), list (bearer). */
export function createCredentials(context: ServiceContext) {
  return {
    ...createCredentialLists(context),

    /**
     * Records a credential of a person.
     *
     * @throws {ServiceError} `malformed_body` for a credential that cannot be parsed or verified, with every problem of its claims, and for one that
     *   was ingested before or whose subject is bound to another person; `not_found` for an unknown person.
     */
    async ingest(ingestion: Ingestion): Promise<CredentialView> {
      const { person, format } = ingestion;
      const { store, clock, catalogue } = context;
      const at = clock.now();
      const signed = format !== 'json';
      const { credential, subjectHash } = signed
        ? await readSignedCredential({ ...ingestion, format }, at, context)
        : parseJsonCredential(ingestion);
      const problems = [
        ...(signed ? [] : idProblems(credential.id, `${POINTER}/id`)),
        ...claimProblems(credential.claims, catalogue, signed ? undefined : `${POINTER}/claims`),
      ];
      if (problems.length > 0) throw invalidCredential(problems);
      const owner = await findSelectedPerson(person, context);
      if (owner === undefined) throw new ServiceError('not_found');
      const outcome = await store.addCredential(
        owner.id,
        credential,
        at,
        subjectHash,
        hashCredentialId(credential.id, context),
      );
      switch (outcome) {
        case 'added':
          return { credential, status: credentialStatusAt(credential, at), updatedAt: at };
        case 'id_repeated': {
          const message =
            'The credential was already ingested, possibly in another encoding; a revoked credential stays revoked.';
          throw invalidCredential([
            { pointer: signed ? POINTER : `${POINTER}/id`, code: 'id_repeated', message },
          ]);
        }
        case 'subject_of_another_person': {
          const message =
            'The subject of the credential is bound to another person: the person of the first credential with this issuer and subject.';
          throw invalidCredential([{ pointer: POINTER, code: 'subject_of_another_person', message }]);
        }
      }
    },

    /** Revokes a credential for good. @throws {ServiceError} `not_found` */
    async revoke(id: string): Promise<CredentialView> {
      const { store, clock } = context;
      const at = clock.now();
      const record = await store.revokeCredential(id, at);
      if (record === undefined) throw new ServiceError('not_found');
      const { credential, updatedAt } = record;
      return { credential, status: credentialStatusAt(credential, at), updatedAt };
    },
  };
}

/** Parses a credential in JSON format, whose id the administrator chose. */
function parseJsonCredential({ credential: json, subject, keyBinding }: Ingestion): ParsedCredential {
  const signedOnly = Object.entries({ subject, ...keyBinding }).filter(([, value]) => value !== undefined);
  if (signedOnly.length > 0) {
    const message =
      'This member must be absent with the format `json`: it applies to signed credentials only.';
    throw invalidCredential(
      signedOnly.map(([name]) => ({ pointer: `/${name}`, code: 'member_unknown', message })),
    );
  }
  try {
    const [credential] = parseCredentials([json]);
    if (credential !== undefined) return assertIdNotReserved(credential);
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    // It was parsed as the first element of an array.
    throw invalidCredential(
      error.problems.map((problem) => ({ ...problem, pointer: problem.pointer.replace(/^\/0/, POINTER) })),
    );
  }
  throw new ServiceError('malformed_body');
}

function assertIdNotReserved(credential: Credential): ParsedCredential {
  const pointer = `${POINTER}/id`;
  if (!isDerivedId(credential.id)) return { credential };
  const message = 'The `id` must not have the form of an id that is derived for a signed credential.';
  throw invalidCredential([{ pointer, code: 'id_reserved', message }]);
}

/** Verifies a signed credential and maps its claims as configured for the issuer. */
async function readSignedCredential(
  { credential: text, format, subject, keyBinding }: Ingestion & { readonly format: CredentialFormat },
  now: number,
  context: ServiceContext,
): Promise<ParsedCredential> {
  const { verifier, issuers, settings } = context;
  if (typeof text !== 'string') {
    const message = `With the format \`${format}\`, \`credential\` must be the text of the token.`;
    throw invalidCredential([{ pointer: POINTER, code: 'not_a_string', message }]);
  }
  const expected = { audience: settings.issuer, ...omitUndefined({ keyBinding }) };
  const outcome = await verifier.verify(text, format, issuers, now, expected);
  if (!outcome.accepted) {
    throw invalidCredential([{ pointer: POINTER, code: outcome.reason, message: outcome.message }]);
  }
  const { id, issuer, issuedAt, expiresAt, subject: stated } = outcome.credential;
  if (id !== undefined) {
    const problems = idProblems(id, POINTER, '`jti` (or `id`)');
    if (problems.length > 0) throw invalidCredential(problems);
  }
  if (subject !== undefined && subject !== stated) {
    const message = '`subject` does not match the subject of the credential.';
    throw invalidCredential([{ pointer: '/subject', code: 'subject_mismatch', message }]);
  }
  const identity = identifySignedCredential(outcome.credential, context);
  const credential = {
    id: identity.id,
    source: issuer.source,
    issuedAt,
    ...omitUndefined({ expiresAt }),
    claims: mapClaims(outcome.credential).claims,
  };
  return { credential, ...omitUndefined({ subjectHash: identity.subjectHash }) };
}

/** Ids are used in URLs, where clients remove the segments `.` and `..` (RFC 3986 §5.2.4). */
function idProblems(id: string, pointer: string, name = '`id`'): readonly IngestionProblem[] {
  const fits = id !== '' && id !== '.' && id !== '..' && new TextEncoder().encode(id).length <= MAX_ID_BYTES;
  if (fits && !/[\p{Cc}\p{Surrogate}]/u.test(id)) return [];
  const message = `The ${name} must be 1 to ${MAX_ID_BYTES} bytes of UTF-8 without control characters, and neither \`.\` nor \`..\`.`;
  return [{ pointer, code: 'id_malformed', message }];
}

/** @param place - JSON Pointer of the claims; absent for a signed credential. */
function claimProblems(
  claims: Readonly<Record<string, JsonValue>>,
  catalogue: ServiceCatalogue,
  place: string | undefined,
): readonly IngestionProblem[] {
  return Object.entries(claims).flatMap(([path, value]): IngestionProblem[] => {
    const pointer = place === undefined ? POINTER : pointerTo(place, path);
    const claim = catalogue.findClaim(path);
    if (claim === undefined) {
      const message = 'The catalogue has no claim of this path.';
      return [{ pointer, code: 'claim_unknown', message }];
    }
    if (claim.derived !== undefined) {
      const message = `This claim is derived from \`${claim.derived.parent}\` and must not be in a credential.`;
      return [{ pointer, code: 'claim_derived', message }];
    }
    // Concerns signed credentials only: the parser has rejected deeper values in JSON format. The engine treats them as not defined (S152), SQL does not.
    if (canonicalCopy(value) === undefined) {
      const message = `\`${path}\` must nest at most ${MAX_VALUE_DEPTH} deep.`;
      return [{ pointer, code: 'claim_value', message }];
    }
    if (fitsClaimType(value, claim)) return [];
    return [{ pointer, code: 'claim_type', message: `\`${path}\` must be ${requiredValue(claim)}.` }];
  });
}

/** Finds a person by the internal id, the e-mail or wallet address, or, if no person has the id, by name. Pairwise identifiers are not accepted. */
export async function findSelectedPerson(
  { by, value }: PersonSelector,
  { store }: Pick<ServiceContext, 'store'>,
): Promise<Person | undefined> {
  const person = await store.findPerson(by, value);
  return person === undefined && by === 'id' ? await store.findPerson('name', value) : person;
}

function invalidCredential(problems: readonly IngestionProblem[]): ServiceError {
  return new ServiceError('malformed_body', { problems });
}
