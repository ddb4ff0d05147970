/** Sends raw bytes to a port and returns the received bytes as a latin1 string. */
import { connect } from 'node:net';

/** Resolves with the received data when the server closes the connection, or when `until` returns true. */
export function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  until: (received: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (until(received)) socket.destroy();
    });
    // A server may reset the connection to stop further sending; the received data is used.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}
