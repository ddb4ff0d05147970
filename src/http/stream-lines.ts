/** An answer of lines, sent as they are made: no faster than they are read, and no longer than somebody reads them (V14). */
import type { ServerResponse } from 'node:http';

/**
 * Sends lines of JSON until there are no more. Where the reader goes away, nothing more is asked of `lines`; where `lines` fails, the
 * connection is cut, so that a list which is not whole is not taken for one that is. Never rejects.
 *
 * @param lines - An empty text is no line, but a place to stop.
 * @param onFailure - Told of what `lines` throws.
 */
export async function streamLines(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  lines: AsyncIterable<string>,
  onFailure: (error: unknown) => void,
): Promise<void> {
  response.writeHead(200, {
    'Content-Type': 'application/x-ndjson; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  try {
    for await (const line of lines) {
      if (line !== '' && !response.write(`${line}\n`)) await readOn(response);
      // A store that answers at once would let nobody else have a turn, nor us hear that the reader is gone.
      await new Promise((resolve) => setImmediate(resolve));
      if (response.destroyed) return;
    }
    response.end();
  } catch (error) {
    onFailure(error);
    response.destroy();
  }
}

/** Waits until what was sent has been read, or nobody is there any more to do so. */
function readOn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      response.off('drain', goOn).off('close', goOn);
      resolve();
    };
    response.on('drain', goOn).on('close', goOn);
    if (response.destroyed) goOn();
  });
}
