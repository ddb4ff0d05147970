/** JSON of claims and of the credentials that attest them, cached for the evidence of results. */
import { wrongType } from '../value-types.js';
import type { Credential } from './credential.js';
import { formatInstant } from './instant.js';
import type { JsonValue } from './json-value.js';

/** Maps a credential id to the id that a reader of evidence may see. */
export type CredentialNaming = (credentialId: string) => string;

/** A credential as the attestation of claims. All have the same hidden class, whatever the shape of the credential. */
export class Attestation {
  readonly credential: Credential;
  readonly id: string;
  readonly source: string;
  /** Epoch milliseconds; infinite where the credential does not expire. */
  readonly expiresAt: number;
  #namedBy: CredentialNaming | undefined;
  #text = '';

  constructor(credential: Credential) {
    this.credential = credential;
    this.id = credential.id;
    this.source = credential.source;
    this.expiresAt = credential.expiresAt ?? Number.POSITIVE_INFINITY;
  }

  /** Returns the end of a claim's JSON in the evidence: the credential's id and source. Caches it for the last naming function. */
  write(credentialName: CredentialNaming | undefined): string {
    if (this.#text === '' || this.#namedBy !== credentialName) {
      const name = credentialName === undefined ? this.id : credentialName(this.id);
      if (typeof name !== 'string') throw wrongType('the result of `credentialName`', 'a string', name);
      this.#namedBy = credentialName;
      this.#text = `,"credentialId":${JSON.stringify(name)},"source":${JSON.stringify(this.source)}}`;
    }
    return this.#text;
  }
}

/** Caches the JSON of instants and values, each serialized on first use. */
export class ClaimJsonCache {
  readonly #at: number;
  readonly #values: readonly (JsonValue | undefined)[];
  #atText = '';
  #expiry = Number.NaN;
  #expiryText = '';
  /** By slot: the value as JSON. */
  readonly #written: (string | undefined)[];

  /**
   * @param at - The instant of the claim set, epoch milliseconds.
   * @param values - Values by slot.
   * @param earlier - The cache of the same values at another instant; both share the serialized values.
   */
  constructor(at: number, values: readonly (JsonValue | undefined)[], earlier?: ClaimJsonCache) {
    this.#at = at;
    this.#values = values;
    this.#written = earlier === undefined ? [] : earlier.#written;
  }

  /** The instant of the claim set. */
  get at(): string {
    if (this.#atText === '') this.#atText = formatInstant(this.#at);
    return this.#atText;
  }

  /** Serializes an expiry. The last one is cached, since most results on a claim set expire together. */
  expiry(at: number): string {
    if (this.#expiry !== at) {
      this.#expiry = at;
      this.#expiryText = formatInstant(at);
    }
    return this.#expiryText;
  }

  /** Serializes the value in a slot; the claim must be defined. */
  value(slot: number): string {
    const known = this.#written[slot];
    if (known !== undefined) return known;
    const text = JSON.stringify(this.#values[slot]);
    this.#written[slot] = text;
    return text;
  }
}
