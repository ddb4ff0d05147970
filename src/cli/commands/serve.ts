/** `proviso serve`: the service, until it is told to stop. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BASE_PATH, createServer, requestListener } from '../../http/index.js';
import { createSettings, keepSwept } from '../../service/index.js';
import { systemRandom } from '../../system/random.js';
import { systemTimer } from '../../system/timer.js';
import { endOnSignal } from '../end-on-signal.js';
import { openService } from '../open-service.js';
import { CommandError, EXIT, printNote, printResult } from '../output.js';
import { unsupportedNote } from '../runtime-support.js';

const DEFAULT_PORT = 8_080;
const HOST = '127.0.0.1';
const EXAMPLE_PERSON = 'ada';
const EXAMPLE_SCOPES = ['identity:read', 'identity:date_of_birth', 'kyc:read'];
const REQUEST_ID_BYTES = 12;

/** A policy of two levels, for the line that one can paste. */
const EXAMPLE_QUERY = {
  policy: {
    allOf: [
      { claim: 'identity.age', operator: '>=', value: 18 },
      {
        anyOf: [
          { claim: 'kyc.level', operator: '==', value: 'enhanced' },
          { claim: 'identity.country_of_residence', operator: 'in', value: ['PT', 'ES'] },
        ],
      },
    ],
  },
};

export interface ServeOptions {
  /** A file of scopes, claims and presets; it comes before PROVISO_CATALOGUE. */
  readonly catalogue?: string;
  /** A file of issuers whose signed credentials are taken in; it comes before PROVISO_ISSUERS. */
  readonly issuers?: string;
}

/**
 * Serves until SIGINT or SIGTERM, then finishes what it accepted.
 *
 * @param version - Of this program, told at `/health`.
 * @throws {CommandError} When the port is taken or not one.
 */
export async function serve(
  variables: NodeJS.ProcessEnv,
  { catalogue, issuers }: ServeOptions,
  version: string,
): Promise<void> {
  const port = portOf(variables['PROVISO_PORT']);
  const { build, ports, store, storePath } = await openService({
    ...variables,
    ...(catalogue === undefined ? {} : { PROVISO_CATALOGUE: catalogue }),
    ...(issuers === undefined ? {} : { PROVISO_ISSUERS: issuers }),
  });
  const commit = variables['PROVISO_COMMIT'];
  const options = {
    version,
    ...(commit === undefined ? {} : { commit }),
    createRequestId: () => Buffer.from(systemRandom.bytes(REQUEST_ID_BYTES)).toString('base64url'),
    onFailure: (error: unknown, requestId: string) =>
      printNote(`request ${requestId} failed: ${error instanceof Error ? error.stack : error}`),
  };
  const server = createServer(options);
  const { isLeaving, stopped } = endOnSignal(server);
  const url = `http://${HOST}:${await listen(server, port)}${BASE_PATH}`;
  const service = build(createSettings(url));
  server.on('request', requestListener(service, { ...options, isLeaving }));
  const stopSweeping = keepSwept({
    ...ports,
    timer: systemTimer,
    onFailure: (error) => printNote(`sweeping failed: ${error instanceof Error ? error.message : error}`),
  });
  const known = EXAMPLE_SCOPES.every((scope) => service.catalogue.findScope(scope) !== undefined);
  const token = known ? await service.grantSandboxToken(EXAMPLE_PERSON, EXAMPLE_SCOPES) : undefined;
  const note = unsupportedNote(process.versions.node);
  if (note !== undefined) printNote(note);
  printResult(greeting(url, storePath, token));
  await stopped;
  await stopSweeping();
  await store.close();
}

function portOf(variable: string = String(DEFAULT_PORT)): number {
  const port = /^\d{1,5}$/.test(variable) ? Number(variable) : Number.NaN;
  if (port <= 65_535) return port;
  throw new CommandError(`PROVISO_PORT is a number from 0 (any free port) to 65535: ${variable}`, EXIT.usage);
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `port ${port} is in use; stop what listens there, or choose another with PROVISO_PORT (0 picks a free one)`;
      reject(
        new CommandError(
          error.code === 'EADDRINUSE' ? taken : `cannot listen on port ${port}: ${error.message}`,
        ),
      );
    });
    server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

/** @param token - Absent where the catalogue has not what the example asks for. */
function greeting(url: string, storePath: string, token: string | undefined): string {
  const example =
    token === undefined
      ? ['Its catalogue is your own: `proviso sandbox token` gives a token for one of its scopes.']
      : [
          `Ask whether ${EXAMPLE_PERSON} is of age and well known (the token is good for an hour):`,
          '',
          curlLine(url, token),
        ];
  return [
    'Proviso sandbox: made-up people, on this machine only.',
    '',
    `  base URL  ${url}`,
    `  store     ${storePath}`,
    '',
    ...example,
    '',
    'Another person or other scopes:  npx proviso sandbox token --user bruno --scope "kyc:read"',
    'Stop with Ctrl-C; the store is kept.',
  ].join('\n');
}

/** One line that any shell takes; Node, which is here for sure, makes the answer readable. */
function curlLine(url: string, token: string): string {
  const body = JSON.stringify({ query: EXAMPLE_QUERY });
  const request = `curl -sS ${url}/queries/evaluate -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '${body}'`;
  return `${request} | node -p 'JSON.stringify(JSON.parse(require("fs").readFileSync(0)), null, 2)'`;
}
