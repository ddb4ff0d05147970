/** How a server shuts down: the order of stop signals and connections (S200). */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listen } from '../../../src/cli/serving/listen.js';
import { type StopListener, shutDownOnRequest } from '../../../src/cli/signals.js';

const DELAYS = { drainMs: 0, graceMs: 1_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Starts a server that does not respond. */
async function start() {
  const server = createServer();
  let stop: StopListener = () => undefined;
  const { stopped } = shutDownOnRequest(server, DELAYS, (listener) => {
    stop = listener;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(server, 'connection');
  return { server, socket, stopped, stop: () => stop('close') };
}

async function endGrace(socket: Socket): Promise<void> {
  socket.on('error', () => undefined);
  await vi.advanceTimersByTimeAsync(DELAYS.graceMs);
}

// S200
it('a server has drained if only connections without a request remain at the end of the grace period', async () => {
  const { socket, stopped, stop } = await start();
  stop();
  await endGrace(socket);
  expect(await stopped).toEqual({ drained: true });
});

// S200
it('a server has not drained if a request is pending at the end of the grace period', async () => {
  const { server, socket, stopped, stop } = await start();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(server, 'request');
  stop();
  await endGrace(socket);
  expect(await stopped).toEqual({ drained: false });
});

// S200
it('a server that is closed while it resolves the name of its host does not listen, and reports it', async () => {
  const server = createServer();
  const listening = listen(server, 'localhost', 0, 'port');
  server.close();
  await expect(listening).rejects.toThrow('stopped before listening on port 0');
});
