/** A client's server that receives redirects. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ClientServer {
  readonly origin: string;
  /** On a loopback address, for which any port is accepted (RFC 8252 §7.3). */
  readonly redirectUri: string;
  /** Parameters of the received callbacks, in order. */
  readonly callbacks: readonly URLSearchParams[];
  readonly stop: () => Promise<void>;
}

/** @param page - HTML that the server returns for every path. */
export async function startClientServer(
  page = '<!doctype html><title>The client</title>',
): Promise<ClientServer> {
  const callbacks: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    if (url.pathname === '/callback') callbacks.push(url.searchParams);
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    redirectUri: `${origin}/callback`,
    callbacks,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
