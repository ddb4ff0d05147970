/** A header's values as they were sent: `node:http` keeps the first of several, a proxy may keep the last (D10). */
import type { IncomingMessage } from 'node:http';

/** @param name - In lower case. @returns One entry a header line of this name, in order. Never throws. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  return rawHeaders.filter((_value, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === name);
}
