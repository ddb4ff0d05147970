/** Ports of the service to the outside world. */
import type { AuditTrail } from '../audit/audit-trail.js';
import type { IdTokenAlgorithm } from '../clients/application.js';
import type { SigningKey } from '../keys/signing-keys.js';
import type { LedgerWriter } from '../ledger/ledger-recorder.js';
import type { Person } from '../people/people.js';
import type { Store } from './store/store.js';
import type { ClientAssertionVerifier, CredentialVerifier, DpopVerifier } from './verifiers.js';

export interface Ports {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly signer: Signer;
  readonly verifier: CredentialVerifier;
  /** Verifies `private_key_jwt` assertions; without it, the method is not supported. */
  readonly clientAssertions?: ClientAssertionVerifier;
  /** Verifies DPoP proofs; without it, bound tokens are neither issued nor accepted. */
  readonly dpopProofs?: DpopVerifier;
  /** Records reads and rejections in the audit log; without it, they are not recorded. */
  readonly audit?: AuditTrail;
  /** Writes the ledger of what applications learn; without it, this is not recorded. */
  readonly ledgerWriter?: LedgerWriter;
}

export interface Clock {
  /** Returns the current instant, epoch milliseconds; a whole number. Never throws. */
  now(): number;
}

export interface Timer {
  /**
   * Runs a callback once, after at least `ms` milliseconds. Does not keep the process alive.
   *
   * @returns A function that cancels it.
   */
  after(ms: number, work: () => void): () => void;
}

/** Runs a callback after the current event-loop turn, like Node's `setImmediate`. */
export type SetImmediate = (work: () => void) => void;

export interface Random {
  /** Returns cryptographically secure random bytes. */
  bytes(count: number): Uint8Array;
}

export interface Digest {
  /** Returns the SHA-256 of a string in UTF-8, as base64url without padding. */
  sha256(text: string): string;
  /** Returns the first bytes of a string's SHA-256, as base64url without padding. */
  sha256Prefix(text: string, byteCount: number): string;
  /** Returns the HMAC-SHA-256 of a string in UTF-8, as base64url without padding. */
  hmacSha256(key: string, text: string): string;
  /** Compares two strings in constant time (S133). */
  equal(left: string, right: string): boolean;
}

export interface Signer {
  /** Creates a key pair: P-256 for ES256, 3072 bits for RS256 (D19). */
  createKey(algorithm: IdTokenAlgorithm): Promise<Pick<SigningKey, 'kid' | 'algorithm' | 'privateJwk'>>;

  /** Signs claims as a JWT (RFC 7519) with `alg`, `kid` and `typ` in its header. */
  sign(claims: Readonly<Record<string, unknown>>, key: SigningKey): Promise<string>;

  /**
   * Verifies the signature of a JWT and returns its claims, which are not validated (not even the expiry). `kid` and `alg` of the header must
   * match one key.
   *
   * @returns `undefined` if the signature does not verify. Never rejects.
   */
  verify(token: string, keys: readonly SigningKey[]): Promise<Readonly<Record<string, unknown>> | undefined>;

  /** Returns the public key as a JSON Web Key with `kid`, `alg` and `use` (RFC 7517). */
  toPublicJwk(key: SigningKey): Readonly<Record<string, unknown>>;
}

/** An encryption key of 256 bits, and the id by which encrypted values refer to it. */
export interface EncryptionKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

export interface ValueCipher {
  /** The first key encrypts; all keys decrypt. */
  readonly keyIds: readonly [string, ...string[]];
  /**
   * Encrypts a string under the first key.
   *
   * @param associatedData - Authenticated, but not encrypted (AAD); decryption requires the same.
   * @returns Nonce, ciphertext and tag, in base64url.
   */
  encrypt(text: string, associatedData: string): string;
  /** @returns `undefined` if authentication fails or the key is unknown. Never throws. */
  decrypt(keyId: string, encrypted: string, associatedData: string): string | undefined;
  /** Returns a keyed hash by which equal strings can be found without storing them. */
  fingerprint(keyId: string, text: string, associatedData: string): string;
}

/** Authenticates people. The sandbox offers a choice of people; deployments provide their own sign-in. */
export interface SignIn {
  /** Lists the people to choose from; empty if people authenticate. */
  choices(): Promise<readonly Person[]>;
  /**
   * Authenticates a person by the submitted sign-in form; `undefined` if authentication fails.
   *
   * @param sent - The fields of the form, each once. May contain a field of the deployment's own sign-in, such as a signed assertion.
   * @returns A person who authenticated just now: the current instant becomes `auth_time` and satisfies `prompt=login` and `max_age`. An older
   *   authentication must not be accepted.
   */
  verify(sent: ReadonlyMap<string, string>): Promise<Person | undefined>;
}

/** Verifies a palm. The sandbox has a button; deployments provide their reader. */
export interface PalmVerifier {
  /**
   * Whether the presented palm belongs to this person.
   *
   * @param person - The person to verify.
   * @param authorizationId - The authorization to be approved.
   * @param sent - The fields of the submitted form, each once, including the reader's proof.
   */
  verify(person: Person, authorizationId: string, sent: ReadonlyMap<string, string>): Promise<boolean>;
}
