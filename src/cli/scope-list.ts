/** Parses a space-separated list of scopes, as in OAuth. */
export function parseScopeList(list: string): readonly string[] {
  return [...new Set(list.split(' ').filter((scope) => scope !== ''))];
}

/** Joins the values of an option that is given several times: without it, commander keeps the last and ignores the others. */
export function joinScopeLists(list: string, previous?: string): string {
  return previous === undefined ? list : `${previous} ${list}`;
}
