/** A TCP proxy whose connections a test can cut or pause. */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Disconnects the client when the server responds to the next message that contains this text; drops the response. */
  cutAfter(text: string): void;
  /** Stops forwarding in both directions on all current connections. */
  pause(): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free loopback port. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let cutText: string | undefined;
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    let cutting = false;
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        target.destroy();
      });
    }
    client.on('data', (chunk) => {
      if (cutText !== undefined && chunk.includes(cutText)) {
        cutText = undefined;
        cutting = true;
      }
      target.write(chunk);
    });
    target.on('data', (chunk) => {
      if (cutting) client.destroy();
      else client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cutAfter: (text) => {
      cutText = text;
    },
    pause: () => {
      for (const socket of sockets) socket.pause();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
