/** Calls every operation of an OpenAPI document on a running service, and checks every response against the document. */
import * as fc from 'fast-check';
import { type PlannedRequest, type SentRequest, toSent } from '../fuzz/http/planned-request.js';
import { learn, type Session } from '../fuzz/http/session.js';
import { createResponseValidator } from '../support/documented-responses.js';
import { headerOf, openRawConnection, type RawResponse, ResponseError } from '../support/raw-connection.js';
import type { CheckedDeployment, DeploymentName } from './deployments.js';
import {
  type DocumentedOperation,
  documentedOperations,
  findPath,
  type InterfaceDocument,
  type OperationAt,
  readDocument,
} from './document.js';
import { type GeneratedRequest, generateRequests, METHODS } from './generated-requests.js';
import { DEFAULT_PREPARATION, PREPARED_REQUESTS, type PreparedRequest } from './prepared-requests.js';

export interface DocumentCheck {
  /** An OpenAPI 3.1 document. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly deployments: readonly CheckedDeployment[];
  /** The minimum number of generated requests. */
  readonly requests: number;
  readonly seed: number;
  /** Receives a line after the check of each operation. */
  readonly onProgress?: (line: string) => void;
}

export interface DocumentReport {
  /** The number of generated requests. */
  readonly generated: number;
  /** The number of all sent requests, including those that prepare a state, those with an undocumented method and those of a minimization. */
  readonly sent: number;
  /** How often each documented status occurred, by operation. */
  readonly statusCounts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Operations with documented statuses that never occurred, except for those that no request can cause. */
  readonly neverSeen: readonly string[];
  /** The first mismatch, else every missing success status; empty if the check finds no fault. */
  readonly problems: readonly string[];
}

/** Statuses that depend on time, on load, and on failures of the service. */
const CIRCUMSTANTIAL = /^(?:408|429|5\d\d)$/;
const SUCCESS = /^[23]/;
const RESPONSE_TIMEOUT_MS = 20_000;
/** How many times more requests an operation with parameters or a body gets: faults are more likely there. */
const WEIGHT_WITH_INPUT = 4;
/** The share of an operation's requests that go to the deployment where it can succeed. The other deployments get the rest. */
const MAIN_SHARE = 0.75;
/** Keeps runs with adjacent seeds from repeating requests. */
const SEED_DISTANCE = 1_000;
/** How far the clock advances for each prepared state. */
const STATE_MS = 10;

/** The maximum number of requests in a prepared state: even a rejected request can consume a code or a nonce. */
const MAX_USES_OF_STATE = 8;

/** Thrown for a mismatch; fast-check then minimizes the request. */
class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

/**
 * Checks a document until the first mismatch.
 *
 * @throws {Error} The document has no paths or no schemas, or an operation has an unsupported schema, parameter, media type or security scheme. The
 *   message names the operation.
 */
export async function checkDocument(check: DocumentCheck): Promise<DocumentReport> {
  const { document, deployments, requests, seed, onProgress } = check;
  const read = readDocument(document);
  const operations = documentedOperations(read);
  const validator = createResponseValidator(document);
  const statusCounts = new Map(
    operations.map(({ operation }) => [
      operation.operationId,
      new Map(Object.keys(operation.responses).map((status) => [status, 0])),
    ]),
  );
  const tally = { generated: 0, sent: 0 };
  const clients = deployments.map((deployment) =>
    openClient(deployment, (sent, response) => {
      tally.sent += 1;
      const problem = findMismatch(sent, response, validator.findUndocumented, (path, method) =>
        allowedMethods(read, operations, path, method),
      );
      const operationAt = operations.find(
        (one) => one.method === sent.method && one.path === findPath(read, pathOf(sent)),
      );
      const counts =
        operationAt === undefined ? undefined : statusCounts.get(operationAt.operation.operationId);
      const status = String(response.status);
      if (counts?.has(status) === true) counts.set(status, (counts.get(status) ?? 0) + 1);
      return problem;
    }),
  );
  const problems: string[] = [];
  try {
    const shares = requestsPerOperation(operations, requests);
    for (const [index, operationAt] of operations.entries()) {
      const { operationId } = operationAt.operation;
      const isLastOfPath = operations.findLast(({ path }) => path === operationAt.path) === operationAt;
      const problem =
        (await checkPrepared(operationAt, clients)) ??
        (await checkGenerated(operationAt, {
          clients,
          document: read,
          seed: seed * SEED_DISTANCE + index,
          runs: shares[index] ?? 0,
          tally,
        })) ??
        (isLastOfPath ? await checkMethods(operationAt.path, read, clients) : undefined);
      if (problem !== undefined) {
        problems.push(problem);
        break;
      }
      onProgress?.(`${operationId}: ${formatCounts(statusCounts.get(operationId))}`);
    }
  } finally {
    for (const client of clients) client.close();
  }
  const never = [...statusCounts].map(([operation, counts]) => ({
    operation,
    statuses: [...counts].flatMap(([status, count]) => (count === 0 ? [status] : [])),
  }));
  if (problems.length === 0) problems.push(...never.flatMap(missingSuccess));
  return {
    ...tally,
    statusCounts,
    neverSeen: never.flatMap(({ operation, statuses }) => {
      const causable = statuses.filter((status) => !CIRCUMSTANTIAL.test(status));
      return causable.length === 0 ? [] : [`${operation}: ${causable.join(', ')}`];
    }),
    problems,
  };
}

function missingSuccess({
  operation,
  statuses,
}: {
  readonly operation: string;
  readonly statuses: readonly string[];
}): readonly string[] {
  return statuses
    .filter((status) => SUCCESS.test(status))
    .map(
      (status) =>
        `${operation}: the documented status ${status} never occurred; test/openapi/prepared-requests.ts must contain a request that causes it`,
    );
}

function formatCounts(counts: ReadonlyMap<string, number> = new Map()): string {
  return [...counts].flatMap(([status, count]) => (count === 0 ? [] : [`${status} × ${count}`])).join(', ');
}

/** Returns the number of requests for each operation: at least one each, and in total at least as many as required. */
function requestsPerOperation(operations: readonly OperationAt[], requests: number): readonly number[] {
  const weights = operations.map(({ operation }) =>
    operation.requestBody === undefined && (operation.parameters ?? []).length === 0 ? 1 : WEIGHT_WITH_INPUT,
  );
  const sum = weights.reduce((left, right) => left + right, 0);
  return weights.map((weight) => Math.max(1, Math.ceil((requests * weight) / sum)));
}

interface Tally {
  generated: number;
  sent: number;
}

/** A client of one deployment that checks every response. */
interface CheckingClient {
  readonly deployment: DeploymentName;
  readonly origin: string;
  /** Sends requests in sequence in a new session. @throws {Mismatch} */
  readonly prepare: (before: readonly PlannedRequest[]) => Promise<Session>;
  /** @throws {Mismatch} */
  readonly send: (request: PlannedRequest, session: Session, change?: string) => Promise<RawResponse>;
  readonly close: () => void;
}

function openClient(
  { name, started, known, nextNumber, signIn }: CheckedDeployment,
  checkResponse: (sent: SentRequest, response: RawResponse) => string | undefined,
): CheckingClient {
  const { origin, host } = new URL(started.url);
  const connection = openRawConnection(started.port, RESPONSE_TIMEOUT_MS);
  const client: CheckingClient = {
    deployment: name,
    origin,
    prepare: async (before) => {
      // A sign-out at the same instant may end the sign-ins of the next state.
      started.clock.moveTo(started.clock.now() + STATE_MS);
      const session: Session = {
        known: new Map(Object.entries({ ...known, cookie: '', nonce_text: `${name}-${nextNumber()}` })),
        secrets: new Set(),
        invalidated: new Set(),
      };
      for (const request of before) await client.send(request, session);
      return session;
    },
    send: async (request, session, change = 'none') => {
      const sent = toSent(request, host, session.known);
      const response = await connection.send(sent.bytes, sent.method).catch((error: unknown) => {
        if (error instanceof ResponseError) return error;
        throw error;
      });
      const problem = response instanceof ResponseError ? response.message : checkResponse(sent, response);
      if (response instanceof ResponseError || problem !== undefined)
        throw new Mismatch(
          `${request.operation}: ${problem}\n  change: ${change}\n  ${curlLine(sent, origin)}`,
        );
      const nonce = session.known.get('nonce');
      learn(session, sent, response);
      const next = session.known.get('nonce');
      if (signIn !== undefined && next !== undefined && next !== nonce)
        session.known.set('sign_in', await signIn(next));
      return response;
    },
    close: () => connection.close(),
  };
  return client;
}

/** Sends a request with each undocumented method of a path. Returns like `checkPrepared`. */
async function checkMethods(
  path: string,
  document: InterfaceDocument,
  [client]: readonly CheckingClient[],
): Promise<string | undefined> {
  const documented = documentedOperations(document).flatMap((one) => (one.path === path ? [one.method] : []));
  for (const method of METHODS) {
    if (client === undefined || documented.includes(method)) continue;
    const sentPath = path.replaceAll(/[{}]/g, '');
    const request = { operation: `${method} ${path}`, method, path: sentPath, query: [], headers: [] };
    const problem = await mismatchOf(async () => {
      await client.send(request, await client.prepare([]));
    });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns the message of a thrown mismatch; `undefined` without one. */
async function mismatchOf(send: () => Promise<void>): Promise<string | undefined> {
  try {
    await send();
    return undefined;
  } catch (error) {
    if (error instanceof Mismatch) return error.message;
    throw error;
  }
}

/** Sends each prepared request, which must have its expected status. Returns a mismatch; `undefined` without one. */
async function checkPrepared(
  { operation: { operationId } }: OperationAt,
  clients: readonly CheckingClient[],
): Promise<string | undefined> {
  for (const { deployment, before, request, status } of PREPARED_REQUESTS[operationId] ?? []) {
    const client = clients.find((one) => one.deployment === deployment);
    if (client === undefined) continue;
    let unexpectedStatus: string | undefined;
    const problem = await mismatchOf(async () => {
      const response = await client.send(request, await client.prepare(before));
      if (response.status !== status)
        unexpectedStatus = `${operationId}: the prepared request returned ${response.status} instead of ${status}: ${response.body.slice(0, 400)}`;
    });
    if (problem !== undefined || unexpectedStatus !== undefined) return problem ?? unexpectedStatus;
  }
  return undefined;
}

/** A session in a prepared state of the service. */
interface PreparedState {
  readonly session: Session;
  readonly uses: number;
  /** Whether a successful request may have changed the state. */
  readonly changed: boolean;
}

interface GeneratedCheck {
  readonly clients: readonly CheckingClient[];
  readonly document: InterfaceDocument;
  readonly seed: number;
  readonly runs: number;
  readonly tally: Tally;
}

/** Sends generated requests. Returns a mismatch with its minimal request; `undefined` without one. */
async function checkGenerated(
  operationAt: OperationAt,
  { clients, document, seed, runs, tally }: GeneratedCheck,
): Promise<string | undefined> {
  const { operationId } = operationAt.operation;
  const prepared = PREPARED_REQUESTS[operationId] ?? [];
  const mainClient = clients.find(({ deployment }) => deployment === prepared[0]?.deployment) ?? clients[0];
  for (const client of clients) {
    const runsOfOtherClients = Math.floor((runs * (1 - MAIN_SHARE)) / Math.max(1, clients.length - 1));
    const runsOfClient =
      client === mainClient ? runs - runsOfOtherClients * (clients.length - 1) : runsOfOtherClients;
    if (runsOfClient === 0) continue;
    const ownRequests = prepared.filter(({ deployment }) => deployment === client.deployment);
    const before = stateBefore(operationAt.operation, ownRequests[0] ?? prepared[0]);
    let state: PreparedState | undefined;
    const requests = withOperationName(operationId, () =>
      generateRequests(
        operationAt,
        document,
        ownRequests.map(({ request }) => request),
      ),
    );
    const property = fc.asyncProperty(requests, async ({ request, change }: GeneratedRequest) => {
      const { session, uses, changed } = state ?? {
        session: await client.prepare(before),
        uses: 0,
        changed: false,
      };
      // If `send` throws a mismatch, the state stays undefined, and the next attempt of the minimization prepares a new one.
      state = undefined;
      const { status } = await client.send(request, session, change);
      const changes = request.method !== 'GET' && request.method !== 'HEAD' && status < 400;
      // After a request that changes the state, one more request uses it; then a new state is prepared.
      if (!changed && uses + 1 < MAX_USES_OF_STATE) state = { session, uses: uses + 1, changed: changes };
    });
    const result = await fc.check(property, { seed, numRuns: runsOfClient });
    tally.generated += result.numRuns;
    if (result.failed) {
      const { errorInstance } = result;
      if (errorInstance instanceof Mismatch)
        return `${errorInstance.message}\n  after: ${before.map(({ operation }) => operation).join(', ') || 'nothing'} (${client.deployment})`;
      throw errorInstance;
    }
  }
  return undefined;
}

function stateBefore(
  { security = [], parameters = [], requestBody }: DocumentedOperation,
  prepared: PreparedRequest | undefined,
): readonly PlannedRequest[] {
  if (prepared !== undefined) return prepared.before;
  const isIndependent = security.length === 0 && parameters.length === 0 && requestBody === undefined;
  return isIndependent ? [] : DEFAULT_PREPARATION;
}

/** Adds the operation to the messages of thrown errors. */
function withOperationName<Result>(operationId: string, build: () => Result): Result {
  try {
    return build();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${operationId}: ${message}`, { cause: error });
  }
}

function pathOf({ target }: SentRequest): string {
  return target.replace(/^https?:\/\/[^/]*/i, '').split('?')[0] ?? '';
}

/** Returns the documented methods of a path if the requested method is undocumented; else `undefined`. */
function allowedMethods(
  document: InterfaceDocument,
  operations: readonly OperationAt[],
  requestPath: string,
  method: string,
): readonly string[] | undefined {
  const path = findPath(document, requestPath);
  const methods = operations.flatMap((one) => (one.path === path ? [one.method] : []));
  return path === undefined || methods.includes(method) ? undefined : methods;
}

function findMismatch(
  sent: SentRequest,
  response: RawResponse,
  undocumented: ReturnType<typeof createResponseValidator>['findUndocumented'],
  allowed: (path: string, method: string) => readonly string[] | undefined,
): string | undefined {
  const path = pathOf(sent);
  const what = `${sent.method} ${path} ${response.status}`;
  // Server errors are documented everywhere, but no request may cause one.
  if (response.status >= 500) return `${what}: ${response.body.slice(0, 400)}`;
  // HEAD has no body to check.
  if (sent.method === 'HEAD')
    return response.body === '' ? undefined : `${what}: the response to HEAD must not have a body`;
  const methods = allowed(path, sent.method);
  if (methods !== undefined && response.status === 405) {
    const received = (headerOf(response, 'allow') ?? '').split(', ');
    const difference = [...received, ...methods].filter(
      (one) => !received.includes(one) || !methods.includes(one),
    );
    if (difference.length > 0)
      return `${what}: \`Allow: ${received.join(', ')}\`, but the document has ${methods.join(', ')}`;
  }
  if (methods !== undefined && (response.status < 400 || response.status === 404))
    return `${what}: this method is not documented`;
  return undocumented({
    ...response,
    method: sent.method,
    path: sent.target,
    type: headerOf(response, 'content-type'),
  });
}

/** Formats a request as a curl command, without headers that curl adds. */
function curlLine({ method, target, headers, body }: SentRequest, origin: string): string {
  const shown = headers.filter(
    ([name, value]) => !(name === 'Host' && origin.endsWith(`//${value}`)) && name !== 'Content-Length',
  );
  const parts = [
    `curl -i -X ${method}`,
    ...shown.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`--data-raw ${shellQuote(body)}`]),
    shellQuote(origin + target),
  ];
  return parts.join(' ');
}

/** Quotes for the shell. Long runs of one letter become command substitutions, which are shorter. */
function shellQuote(text: string): string {
  const escaped = text.replaceAll("'", `'\\''`);
  return `'${escaped.replace(
    /([a-z])\1{99,}/g,
    (run, letter: string) => `'"$(printf '%0${run.length}d' 0 | tr 0 ${letter})"'`,
  )}'`;
}
