/** Misbehaving clients of a soak test: clients that are killed during a request, and clients that send one byte a second. */
import { connect, type Socket } from 'node:net';
import { PUBLIC } from '../../support/oauth-client.js';
import type { SeededChoice } from '../seeded-choice.js';

const KILL_EVERY_MS = 100;
const SLOW_CLIENTS = 20;
const BYTE_EVERY_MS = 1_000;
const REOPEN_MS = 200;
const MAX_LIFE_MS = 30;

const BODY = JSON.stringify({
  grant_type: 'refresh_token',
  client_id: PUBLIC.clientId,
  refresh_token: 'x'.repeat(43),
});
const HEAD = `POST /v2/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: `;
const REQUESTS = [
  `${HEAD}${BODY.length}\r\n\r\n${BODY}`,
  'GET /v2/presets HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET /v2/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n',
  `GET /v2/userinfo HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${'x'.repeat(43)}\r\n\r\n`,
];

export interface Disturbances {
  /** Number of clients killed so far. */
  readonly killed: () => number;
  readonly stop: () => void;
}

export function startDisturbances(port: number, choice: SeededChoice): Disturbances {
  const sockets = new Set<Socket>();
  let killed = 0;
  let stopped = false;
  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    // Resets and refusals are expected here.
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.resume();
    return socket;
  };
  const kill = () => {
    const request = REQUESTS[choice.between(0, REQUESTS.length)] ?? '';
    const socket = open();
    socket.write(request.slice(0, choice.between(1, request.length + 1)));
    setTimeout(() => socket.resetAndDestroy(), choice.between(0, MAX_LIFE_MS));
    killed += 1;
  };
  const sendSlowly = () => {
    if (stopped) return;
    const socket = open();
    socket.write(`${HEAD}4000\r\n\r\n{`);
    const timer = setInterval(() => socket.write(' '), BYTE_EVERY_MS);
    socket.on('close', () => {
      clearInterval(timer);
      setTimeout(sendSlowly, REOPEN_MS);
    });
  };
  const killTimer = setInterval(kill, KILL_EVERY_MS);
  for (let count = 0; count < SLOW_CLIENTS; count += 1) sendSlowly();
  return {
    killed: () => killed,
    stop: () => {
      stopped = true;
      clearInterval(killTimer);
      for (const socket of sockets) socket.destroy();
    },
  };
}
