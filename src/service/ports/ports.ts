/** Everything through which the service reaches the outside world, except for its store and its verifiers of signed texts. */
import type { AuditTrail } from '../audit/audit-trail.js';
import type { IdTokenAlgorithm } from '../clients/application.js';
import type { SigningKey } from '../keys/signing-keys.js';
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
  /** For clients that authenticate by signing; where absent there are none. */
  readonly clientAssertions?: ClientAssertionVerifier;
  /** For tokens that are bound to a key of the client (DPoP); where absent none are issued, and those that were are rejected. */
  readonly dpopProofs?: DpopVerifier;
  /** Takes what is shown and refused, before it leaves; where absent, that is not recorded. */
  readonly audit?: AuditTrail;
}

export interface Clock {
  /** Returns the current instant, epoch milliseconds; a whole number. Never throws. */
  now(): number;
}

export interface Timer {
  /**
   * Runs a callback once, after at least so many milliseconds. Waiting for it keeps no process alive.
   *
   * @returns A function that cancels it.
   */
  after(ms: number, work: () => void): () => void;
}

/** Runs a callback after the current turn of the event loop, once for all requests of the turn. */
export type SetImmediate = (work: () => void) => void;

export interface Random {
  /** Unpredictable bytes from the system's cryptographic generator. */
  bytes(count: number): Uint8Array;
}

export interface Digest {
  /** SHA-256 of a text's UTF-8, in base64url without padding. */
  sha256(text: string): string;
  /** The first bytes of a text's SHA-256, in base64url without padding. */
  sha256Prefix(text: string, byteCount: number): string;
  /** HMAC-SHA-256 of a text's UTF-8 under a key, in base64url without padding. */
  hmacSha256(key: string, text: string): string;
  /** Whether two texts are equal, in a time that does not tell where they differ (S133). */
  equal(left: string, right: string): boolean;
}

export interface Signer {
  /** Makes a key pair: P-256 for ES256, 3072 bits for RS256 (D19). */
  createKey(algorithm: IdTokenAlgorithm): Promise<Pick<SigningKey, 'kid' | 'algorithm' | 'privateJwk'>>;

  /** Signs claims as a JWT (RFC 7519) with `alg`, `kid` and `typ` in its header. */
  sign(claims: Readonly<Record<string, unknown>>, key: SigningKey): Promise<string>;

  /**
   * Verifies a JWT that one of these keys signed, and returns its claims; checks none of them, the expiry included. `kid` and `alg` of the
   * header must be those of one key.
   *
   * @returns `undefined` for every other text. Never rejects.
   */
  verify(token: string, keys: readonly SigningKey[]): Promise<Readonly<Record<string, unknown>> | undefined>;

  /** The public half as a JSON Web Key with `kid`, `alg` and `use` (RFC 7517), and no private member. */
  toPublicJwk(key: SigningKey): Readonly<Record<string, unknown>>;
}

/** A key of 256 bits, under a name by which values tell what encrypted them. */
export interface EncryptionKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

export interface ValueCipher {
  /** The first writes; all of them read. */
  readonly keyIds: readonly [string, ...string[]];
  /**
   * Encrypts a text under the first key.
   *
   * @param bound - What it belongs to: under anything else it cannot be decrypted.
   * @returns Nonce, ciphertext and tag, in base64url.
   */
  encrypt(text: string, bound: string): string;
  /** @returns `undefined` for what is not genuine, or not under a key of this name. Never throws. */
  decrypt(keyId: string, encrypted: string, bound: string): string | undefined;
  /** A text that stands for another wherever equal ones have to be found, and tells nothing of it without the key. */
  fingerprint(keyId: string, text: string, bound: string): string;
}

/** The sandbox lets one choose; a deployment puts its own sign-in here. */
export interface SignIn {
  /** Those among whom one chooses; nobody where a person has to prove who they are. */
  choices(): Promise<readonly Person[]>;
  /**
   * Who somebody is, by what their browser sent from the sign-in form; `undefined` where that does not show it.
   *
   * @param sent - The form's members, each once. A deployment that signs people in elsewhere takes what came back from there, such as a
   *   signed assertion, as a member of its own.
   * @returns A person who proved who they are just now: the instant counts as that of the sign-in (`auth_time`), also where the client
   *   asked for a new one (`prompt=login`, `max_age`). An older sign-in must not be accepted.
   */
  verify(sent: ReadonlyMap<string, string>): Promise<Person | undefined>;
}

/** The sandbox has a button; a deployment puts its reader here. */
export interface PalmVerifier {
  /**
   * Whether the palm that was shown is this person's: the verification counts for no one else.
   *
   * @param person - Who is to decide.
   * @param authorizationId - What is to be decided.
   * @param sent - What the browser sent with the form, each member once: a reader's own proof stands among it.
   */
  verify(person: Person, authorizationId: string, sent: ReadonlyMap<string, string>): Promise<boolean>;
}
