/** A credential's refusal, thrown inside the adapter and returned by it. */
import type { CredentialRefusalReason } from '../../service/index.js';

/** Why a credential is not taken in; never leaves this room. */
export class CredentialRefusal extends Error {
  constructor(
    readonly reason: CredentialRefusalReason,
    message: string,
  ) {
    super(message);
  }
}
