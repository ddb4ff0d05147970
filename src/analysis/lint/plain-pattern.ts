/** Patterns that say no more than a plainer operator does (L18). */
import type { Check } from '../../engine/index.js';

/** Characters that mean themselves, and escaped ones that do, after the beginning and perhaps up to the end. */
const ANCHORED = /^\^((?:[^\\^$.|?*+()[\]{}]|\\[\\^$.|?*+()[\]{}/-])*)(\$?)$/;

/** The plainer check; `undefined` where there is none. */
export function plainCheck({ claim, operator, value }: Check): Check | undefined {
  const found = operator === 'matchRegex' ? ANCHORED.exec(String(value)) : null;
  if (found === null) return undefined;
  const text = (found[1] ?? '').replace(/\\(.)/gs, '$1');
  return { claim, operator: found[2] === '$' ? '==' : 'startsWith', value: text };
}
