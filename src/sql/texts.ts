/** Texts as conditions on them need to know them. */

/** Whether a text may be what JSON looks like that is no string: then it takes a look at the type to tell them apart. */
export function looksLikeJson(text: string): boolean {
  return text === 'true' || text === 'false' || text === 'null' || /^[-0-9[{]/.test(text);
}

/** Whether a text may begin what JSON looks like that is no string. */
export function mayBeginJson(text: string): boolean {
  return looksLikeJson(text) || ['true', 'false', 'null'].some((literal) => literal.startsWith(text));
}

/**
 * The first text after all that begin with this one, in the order of code points; `undefined` where there is none.
 *
 * @param text - Well-formed.
 */
export function textAfter(text: string): string | undefined {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last === 0x10ffff) continue;
    // No text holds half of a pair.
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return undefined;
}
