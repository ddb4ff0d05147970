/** A credential as evidence names it: who speaks for a claim, and until when (L11, L21, L22). */
import type { Credential } from './credential.js';

/** Another name for a credential, as somebody is to see it. */
export type CredentialNaming = (credentialId: string) => string;

/** All speakers have one shape, whatever the shapes of the credentials that came in. */
export class Speaker {
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

  /** The end of a used claim's entry as JSON: written once for whoever names credentials so. */
  write(nameOf: CredentialNaming | undefined): string {
    if (this.#text === '' || this.#namedBy !== nameOf) {
      const name = nameOf === undefined ? this.id : nameOf(this.id);
      this.#namedBy = nameOf;
      this.#text = `,"credentialId":${JSON.stringify(name)},"source":${JSON.stringify(this.source)}}`;
    }
    return this.#text;
  }
}
