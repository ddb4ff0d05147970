/** Lists of scopes as OAuth writes them (RFC 6749 §3.3). */

/** `scope-token`: printable ASCII but for blank, `"` and `\`. */
const SCOPE_LIST = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** The scopes of a list, each once, in the order in which they first stand; `undefined` where it is no list. Never throws. */
export function parseScopes(list: string | undefined): readonly string[] | undefined {
  if (list === undefined || !SCOPE_LIST.test(list)) return undefined;
  return [...new Set(list.split(' '))];
}
