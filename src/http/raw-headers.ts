/** A header's values as they were sent: `node:http` keeps the first of several, a proxy may keep the last (D10). */
import type { IncomingMessage } from 'node:http';

/** @param name - In lower case. @returns One entry a header line of this name, in order. Never throws. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] as string;
    if (given.length === name.length && given.toLowerCase() === name) {
      values.push(rawHeaders[index + 1] as string);
    }
  }
  return values;
}
