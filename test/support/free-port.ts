/** Finds free TCP ports for servers that run in other processes. */
import { type AddressInfo, createServer } from 'node:net';

const returned = new Set<number>();

/** Finds a port that is free at the moment; never returns a port twice in this process. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await listenOnce();
    if (returned.has(port)) continue;
    returned.add(port);
    return port;
  }
}

/** Listens on a port that the system chooses, stops listening, and returns the port. */
function listenOnce(): Promise<number> {
  return new Promise((resolve, reject) => {
    // A client that connects meanwhile would keep the server from closing.
    const server = createServer((socket) => void socket.destroy());
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      // The address of a TCP server is an object.
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
