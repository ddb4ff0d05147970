/** The scopes of a space-separated list, as OAuth writes them. */
export function parseScopeList(list: string): readonly string[] {
  return list.split(' ').filter((scope) => scope !== '');
}
