/** A minimal cookie jar: sends all its cookies to every host, and follows redirects one at a time. */

export interface CookieJar {
  /** Sends one request with the cookies. Does not follow redirects. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Requests a URL and follows its redirects. @returns The last response. */
  follow(url: string): Promise<Response>;
  /** The value of the `Cookie` header. */
  cookies(): string;
}

const MAX_REDIRECTS = 10;

/** @param request - Sends each request. The default is the global `fetch`. */
export function createCookieJar(request: typeof fetch = fetch): CookieJar {
  const stored = new Map<string, string>();
  const cookies = () => [...stored].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = async (url: string, init: RequestInit = {}) => {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), Cookie: cookies() };
    const response = await request(url, { ...init, redirect: 'manual', headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      stored.set(name, value);
    }
    return response;
  };
  return {
    fetch: send,
    cookies,
    follow: async (url) => {
      let current = url;
      for (let count = 0; count < MAX_REDIRECTS; count += 1) {
        const response = await send(current);
        const location = response.headers.get('location');
        if (location === null) return response;
        current = new URL(location, current).href;
      }
      throw new Error(`too many redirects from ${url}`);
    },
  };
}
