/** Parses a space-separated list of scopes, as in OAuth. */
export function parseScopeList(list: string): readonly string[] {
  return [...new Set(list.split(' ').filter((scope) => scope !== ''))];
}

/** Joins the values of an option that is given several times: by default, commander keeps only the last. */
export function joinScopeLists(list: string, previous?: string): string {
  return previous === undefined ? list : `${previous} ${list}`;
}
