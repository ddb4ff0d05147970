/** Wallet addresses of Ethereum and compatible chains (S128). */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** What a wallet address must be, for error messages. */
export const EVM_ADDRESS_FORM =
  '`0x` and 40 hexadecimal digits, with a correct EIP-55 checksum if upper and lower case are mixed';

/** Parses a wallet address into its lower-case form; `undefined` if malformed. Never throws. Source: EIP-55. */
export function parseEvmAddress(text: string): string | undefined {
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const lowerCase = digits.toLowerCase();
  const isMixed = digits !== lowerCase && digits !== digits.toUpperCase();
  return isMixed && digits !== withChecksum(lowerCase) ? undefined : `0x${lowerCase}`;
}

/** Writes a letter in upper case if the hexadecimal digit at the same index of the hash of `lowerCase` is 8 or more. */
function withChecksum(lowerCase: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(lowerCase)));
  return lowerCase.replace(/[a-f]/g, (letter, index: number) =>
    hash.charAt(index) >= '8' ? letter.toUpperCase() : letter,
  );
}
