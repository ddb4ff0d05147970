/** Quotes texts that are not part of a message, so that each can be read back, and none changes the direction of the sentence. */

/**
 * Texts that quotation marks show unchanged: no quotation marks, including two single ones, which look like one; no invisible
 * characters; and no combining character at the start, which would change the quotation mark.
 */
const CLEAN = /^(?!\p{M})(?!.*[‘’']{2})(?:[^\p{C}\p{Z}\p{DI}\u2800“”„‟«»"\u201a\u301d-\u301f\uff02]| )*$/u;
/** Control characters, spaces, ignorable characters, and the blank Braille pattern. */
const UNSAFE = /[\p{C}\p{Z}\p{DI}\u2800]/gu;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const FIRST_STRONG_ISOLATE = '\u2068';
const LEFT_TO_RIGHT_ISOLATE = '\u2066';
const POP_ISOLATE = '\u2069';

/** The direction of a language. */
export type Direction = 'ltr' | 'rtl';

/** Whether quotation marks can show a text unchanged. */
export function isClean(text: string): boolean {
  return CLEAN.test(text);
}

/** Encodes a value as JSON, with every invisible character but the space escaped. */
export function toVisibleJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNSAFE, (character) =>
    character === ' ' ? ' ' : escapeUnits(character),
  );
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16).padStart(4, '0');
    return `\\u${unit}`;
  }).join('');
}

/** Isolates a text of unknown direction from the sentence, where the direction may differ (Unicode UAX #9). */
export function isolate(text: string, direction: Direction): string {
  const needsIsolation = direction === 'rtl' || RIGHT_TO_LEFT.test(text);
  return needsIsolation ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;
}

/** Isolates code, which is always read from left to right. */
export function isolateCode(text: string, direction: Direction): string {
  const needsIsolation = direction === 'rtl' || RIGHT_TO_LEFT.test(text);
  return needsIsolation ? `${LEFT_TO_RIGHT_ISOLATE}${text}${POP_ISOLATE}` : text;
}
