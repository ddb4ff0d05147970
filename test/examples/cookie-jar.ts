/** A browser's cookies, one jar for all hosts of a name, and redirects one at a time. */

export interface CookieJar {
  /** One request, with its cookies; a redirect is an answer. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** As many requests as redirects lead to. */
  follow(url: string): Promise<Response>;
  /** As a request brings them. */
  cookies(): string;
}

const MAX_REDIRECTS = 10;

/** @param request - Sends each request; the global `fetch` where absent. */
export function createCookieJar(request: typeof fetch = fetch): CookieJar {
  const kept = new Map<string, string>();
  const cookies = () => [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = async (url: string, init: RequestInit = {}) => {
    const response = await request(url, { ...init, redirect: 'manual', headers: { Cookie: cookies() } });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      kept.set(name, value);
    }
    return response;
  };
  return {
    fetch: send,
    cookies,
    follow: async (url) => {
      let at = url;
      for (let count = 0; count < MAX_REDIRECTS; count += 1) {
        const response = await send(at);
        const location = response.headers.get('location');
        if (location === null) return response;
        at = new URL(location, at).href;
      }
      throw new Error(`too many redirects from ${url}`);
    },
  };
}
