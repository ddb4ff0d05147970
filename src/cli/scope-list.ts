/** Parses a space-separated list of scopes, as in OAuth. */
export function parseScopeList(list: string): readonly string[] {
  return list.split(' ').filter((scope) => scope !== '');
}
