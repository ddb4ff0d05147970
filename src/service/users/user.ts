/** A person as we see them; no application ever does (V5). */

export interface User {
  readonly id: string;
  /** A short name, unique, by which the sandbox lets one choose a person. */
  readonly name: string;
  /** One sentence on what this made-up person is there to show. */
  readonly about: string;
  /** As stored: only the domain's letter case does not count (S127). */
  readonly email?: string;
  /** `0x` and 40 hexadecimal digits, in lower case (S128). */
  readonly evmAddress?: string;
  /** Sessions that began at this instant, in epoch milliseconds, or before it have ended. */
  readonly signedOutAt?: number;
}
