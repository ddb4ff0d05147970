/** JSON texts of documents that cannot change while the service runs, such as the OpenAPI document. */
import type { RouteContext } from './routes/route.js';

/** Creates a cache for one listener. It holds one text per path at most. */
export function createDocumentCache(): RouteContext['serializeOnce'] {
  const texts = new Map<string, string>();
  return (path, build) => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    const text = JSON.stringify(build());
    texts.set(path, text);
    return text;
  };
}
