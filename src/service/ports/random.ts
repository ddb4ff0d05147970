/** The port of the system's generator of secrets. */

export interface Random {
  /** Unpredictable bytes from the system's cryptographic generator. */
  bytes(count: number): Uint8Array;
}
