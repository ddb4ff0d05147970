/** Sends raw bytes to a port and returns the response bytes. */
import { connect } from 'node:net';

/** Resolves with everything that was received when the other side closes, or once `until` is satisfied. */
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
    // A reset is how a server stops one from sending: what was received counts.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}
