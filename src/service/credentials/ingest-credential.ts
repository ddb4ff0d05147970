/** Takes in what an issuer attested of a person: from the administrator only, and only claims that the catalogue has (S147, S154). */
import { type Credential, CredentialError, type JsonValue, parseCredentials } from '../../engine/index.js';
import { pointerTo } from '../../engine/json-pointer.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import { describeClaimType, fitsClaimType } from '../claims/claim-type.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import type { CredentialFormat } from '../ports/credential-verifier.js';
import type { User } from '../users/user.js';
import type { UserSelector } from '../users/user-selector.js';
import { type CredentialView, credentialStatusAt } from './list-credentials.js';
import { mapClaims } from './map-claims.js';

/** One thing that is wrong with what is to be taken in, by its place in the request. */
interface IngestionProblem {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** A credential in our own JSON, or as its issuer signed it, and whose it is. */
export interface Ingestion {
  readonly person: UserSelector;
  /** `json`: our own shape, from an issuer whom the administrator has checked; otherwise as OpenID4VCI names it. */
  readonly format: 'json' | CredentialFormat;
  readonly credential: unknown;
}

const POINTER = '/credential';
/** What a path can name, so that what was taken in can be revoked. */
const ID = /^[^\p{Cc}\p{Surrogate}]{1,1024}$/u;

/**
 * Records a credential of a person.
 *
 * @throws {ServiceError} `not_found` where there is no such person; `malformed_body` with every problem of the credential.
 */
export async function ingestCredential(
  { person, format, credential: given }: Ingestion,
  context: ServiceContext,
): Promise<CredentialView> {
  const { store, clock, catalogue } = context;
  const at = clock.now();
  const credential =
    format === 'json' ? readOwnCredential(given) : await readSignedCredential(given, format, at, context);
  const place = format === 'json' ? `${POINTER}/claims` : undefined;
  const problems = [
    ...idProblems(credential.id, place !== undefined),
    ...claimProblems(credential.claims, catalogue, place),
  ];
  if (problems.length > 0) throw refused(problems);
  const user = await findPerson(person, context);
  if (user === undefined) throw new ServiceError('not_found');
  if (!(await store.addCredential(user.id, credential, at))) {
    const message =
      'A credential has an `id` that none has had; revoke the other, and give the new one its own.';
    throw refused([{ pointer: `${POINTER}/id`, code: 'id_repeated', message }]);
  }
  return { credential, status: credentialStatusAt(credential, at), updatedAt: at };
}

/** Revokes a credential, from now on; once revoked it stays so. @throws {ServiceError} `not_found` */
export async function revokeCredential(
  id: string,
  { store, clock }: ServiceContext,
): Promise<CredentialView> {
  const at = clock.now();
  const record = await store.revokeCredential(id, at);
  if (record === undefined) throw new ServiceError('not_found');
  const { credential, updatedAt } = record;
  return { credential, status: credentialStatusAt(credential, at), updatedAt };
}

function readOwnCredential(json: unknown): Credential {
  try {
    const [credential] = parseCredentials([json]);
    if (credential !== undefined) return credential;
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    // It was read as the first of a list.
    throw refused(
      error.problems.map((problem) => ({ ...problem, pointer: problem.pointer.replace(/^\/0/, POINTER) })),
    );
  }
  throw new ServiceError('malformed_body');
}

/** What an issuer signed, once it is known to be genuine, with its claims as its mappings name them. */
async function readSignedCredential(
  text: unknown,
  format: CredentialFormat,
  now: number,
  { verifier, issuers, digest }: ServiceContext,
): Promise<Credential> {
  if (typeof text !== 'string') {
    const message = `With the format \`${format}\`, \`credential\` is the text of the token.`;
    throw refused([{ pointer: POINTER, code: 'not_a_string', message }]);
  }
  const outcome = await verifier.verify(text, format, issuers, now);
  if (!outcome.accepted) {
    throw refused([{ pointer: POINTER, code: outcome.reason, message: outcome.message }]);
  }
  const { id, issuer, issuedAt, expiresAt } = outcome.credential;
  return {
    // Not every issuer names what it signs: what it signed does, then.
    id: id ?? digest.sha256(text),
    source: issuer.source,
    issuedAt,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    claims: mapClaims(outcome.credential).claims,
  };
}

/** @param open - Whether the request shows the id, which otherwise stands inside of what was signed. */
function idProblems(id: string, open: boolean): readonly IngestionProblem[] {
  if (ID.test(id)) return [];
  const message = 'A credential’s `id` is a text of 1 to 1,024 characters without control characters.';
  return [{ pointer: open ? `${POINTER}/id` : POINTER, code: 'id_malformed', message }];
}

/** @param place - Where the claims stand; absent where they stand inside of what was signed. */
function claimProblems(
  claims: Readonly<Record<string, JsonValue>>,
  catalogue: ServiceCatalogue,
  place: string | undefined,
): readonly IngestionProblem[] {
  return Object.entries(claims).flatMap(([path, value]): IngestionProblem[] => {
    const pointer = place === undefined ? POINTER : pointerTo(place, path);
    const claim = catalogue.findClaim(path);
    if (claim === undefined) {
      const message = 'A claim is one of the catalogue’s: of any other nobody could ever share anything.';
      return [{ pointer, code: 'claim_unknown', message }];
    }
    if (claim.derived !== undefined) {
      const message = `This claim is worked out from \`${claim.derived.parent}\`, and never taken in.`;
      return [{ pointer, code: 'claim_derived', message }];
    }
    if (fitsClaimType(value, claim)) return [];
    return [{ pointer, code: 'claim_type', message: `\`${path}\` is ${describeClaimType(claim)}.` }];
  });
}

/** As the administrator names people: by what they are in the store, whatever any organisation calls them. */
async function findPerson({ by, value }: UserSelector, { store }: ServiceContext): Promise<User | undefined> {
  switch (by) {
    case 'id':
      return (await store.findUser('id', value)) ?? (await store.findUser('name', value));
    case 'email':
      return await store.findUser('email', value);
    case 'evm_address':
      return await store.findUser('evmAddress', value.toLowerCase());
  }
}

function refused(problems: readonly IngestionProblem[]): ServiceError {
  return new ServiceError('malformed_body', { problems });
}
