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
import { PREPARED_FOR_OTHERS, PREPARED_REQUESTS, type PreparedRequest } from './prepared-requests.js';

export interface DocumentCheck {
  /** An OpenAPI 3.1 document. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly deployments: readonly CheckedDeployment[];
  /** How many requests are drawn, at least. */
  readonly requests: number;
  readonly seed: number;
  /** Receives a line for each operation, when it has been checked. */
  readonly onProgress?: (line: string) => void;
}

export interface DocumentReport {
  /** How many requests were drawn and judged. */
  readonly generated: number;
  /** How many requests were sent and judged: also those that prepare a state, and those of a minimization. */
  readonly sent: number;
  /** How often each documented status was seen, by operation. */
  readonly statusCounts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Operations with the documented statuses that were never seen, except for those that no request can cause. */
  readonly neverSeen: readonly string[];
  /** The first mismatch, or every missing success; empty where the document is true. */
  readonly problems: readonly string[];
}

/** Statuses that depend on time, on load, and on failures of the service. */
const CIRCUMSTANTIAL = /^(?:408|429|5\d\d)$/;
const SUCCESS = /^[23]/;
const RESPONSE_TIMEOUT_MS = 20_000;
/** What can be wrong with a request is mostly in its parameters and its body. */
const WEIGHT_WITH_INPUT = 4;
/** The part of the drawn requests that goes to the deployment in which the operation succeeds; the others share the rest. */
const MAIN_SHARE = 0.75;
/** Two runs share no request because their seeds are neighbors. */
const SEED_DISTANCE = 1_000;
/** How many requests a prepared state is used for, at most: also a refused one may use up a code or a nonce. */
const MAX_USES_OF_STATE = 8;

/** A mismatch, as an error: fast-check minimizes the request for which it is thrown. */
class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

/**
 * Checks a document. Ends with the first mismatch.
 *
 * @throws {Error} Where the document has a schema or a security scheme from which no request can be drawn; the message names the operation.
 */
export async function checkDocument(check: DocumentCheck): Promise<DocumentReport> {
  const { document, deployments, requests, seed, onProgress } = check;
  const read = readDocument(document);
  const operations = documentedOperations(read);
  const judge = createResponseValidator(document);
  const statusCounts = new Map(
    operations.map(({ operation }) => [
      operation.operationId,
      new Map(Object.keys(operation.responses).map((status) => [status, 0])),
    ]),
  );
  const tally = { generated: 0, sent: 0 };
  const clients = deployments.map((deployment) =>
    openClient(deployment, (sent, answer) => {
      tally.sent += 1;
      const problem = findMismatch(sent, answer, judge.findUndocumented, (path, method) =>
        allowedMethods(read, operations, path, method),
      );
      const at = operations.find(
        (one) => one.method === sent.method && one.path === findPath(read, pathOf(sent)),
      );
      const counts = at === undefined ? undefined : statusCounts.get(at.operation.operationId);
      const status = String(answer.status);
      if (counts?.has(status) === true) counts.set(status, (counts.get(status) ?? 0) + 1);
      return problem;
    }),
  );
  const problems: string[] = [];
  try {
    const shares = requestsPerOperation(operations, requests);
    for (const [index, at] of operations.entries()) {
      const { operationId } = at.operation;
      const isLastOfPath = operations.findLast(({ path }) => path === at.path) === at;
      const problem =
        (await checkPrepared(at, clients, tally)) ??
        (await checkGenerated(at, {
          clients,
          document: read,
          seed: seed * SEED_DISTANCE + index,
          runs: shares[index] ?? 0,
          tally,
        })) ??
        (isLastOfPath ? await checkMethods(at.path, read, clients, tally) : undefined);
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
    statusCounts: statusCounts,
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
        `${operation}: no request was answered with the documented status ${status}; test/openapi/prepared-requests.ts must name a request that is`,
    );
}

function formatCounts(counts: ReadonlyMap<string, number> = new Map()): string {
  return [...counts].flatMap(([status, count]) => (count === 0 ? [] : [`${status} × ${count}`])).join(', ');
}

/** How many requests are drawn for each operation: together at least as many as required, and one for each. */
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

/** A client of one deployment. */
interface CheckingClient {
  readonly deployment: DeploymentName;
  readonly origin: string;
  /** Sends requests one after the other, in a new session. @throws {Mismatch} */
  readonly prepare: (before: readonly PlannedRequest[]) => Promise<Session>;
  /** @throws {Mismatch} */
  readonly send: (request: PlannedRequest, session: Session, change?: string) => Promise<RawResponse>;
  readonly close: () => void;
}

function openClient(
  { name, started, known, nextNumber, signIn }: CheckedDeployment,
  judge: (sent: SentRequest, answer: RawResponse) => string | undefined,
): CheckingClient {
  const { origin, host } = new URL(started.url);
  const connection = openRawConnection(started.port, RESPONSE_TIMEOUT_MS);
  const client: CheckingClient = {
    deployment: name,
    origin,
    prepare: async (before) => {
      const session: Session = {
        known: new Map(Object.entries({ ...known, cookie: '', nonce_text: `${name}-${nextNumber()}` })),
        secrets: new Set(),
        dead: new Set(),
      };
      for (const request of before) await client.send(request, session);
      return session;
    },
    send: async (request, session, change = 'none') => {
      const sent = toSent(request, host, session.known);
      const answer = await connection.send(sent.bytes, sent.method).catch((error: unknown) => {
        if (error instanceof ResponseError) return error;
        throw error;
      });
      const problem = answer instanceof ResponseError ? answer.message : judge(sent, answer);
      if (answer instanceof ResponseError || problem !== undefined)
        throw new Mismatch(
          `${request.operation}: ${problem}\n  change: ${change}\n  ${curlLine(sent, origin)}`,
        );
      const nonce = session.known.get('nonce');
      learn(session, sent, answer);
      const next = session.known.get('nonce');
      if (signIn !== undefined && next !== undefined && next !== nonce)
        session.known.set('sign_in', await signIn(next));
      return answer;
    },
    close: () => connection.close(),
  };
  return client;
}

/** Sends a request by each method that the document does not have at a path. @returns As `checkPrepared`. */
async function checkMethods(
  path: string,
  document: InterfaceDocument,
  [client]: readonly CheckingClient[],
  tally: Tally,
): Promise<string | undefined> {
  const documented = documentedOperations(document).flatMap((one) => (one.path === path ? [one.method] : []));
  for (const method of METHODS) {
    if (client === undefined || documented.includes(method)) continue;
    const sentPath = path.replaceAll(/[{}]/g, '');
    const request = { operation: `${method} ${path}`, method, path: sentPath, query: [], headers: [] };
    const problem = await mismatchOf(async () => {
      await client.send(request, await client.prepare([]));
    });
    tally.generated += 1;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** @returns The message of a mismatch that is thrown. */
async function mismatchOf(send: () => Promise<void>): Promise<string | undefined> {
  try {
    await send();
    return undefined;
  } catch (error) {
    if (error instanceof Mismatch) return error.message;
    throw error;
  }
}

/** Sends each request that must succeed. @returns A mismatch; `undefined` where there is none. */
async function checkPrepared(
  { operation: { operationId } }: OperationAt,
  clients: readonly CheckingClient[],
  tally: Tally,
): Promise<string | undefined> {
  for (const { deployment, before, request, status } of PREPARED_REQUESTS[operationId] ?? []) {
    const client = clients.find((one) => one.deployment === deployment);
    if (client === undefined) continue;
    let other: string | undefined;
    const problem = await mismatchOf(async () => {
      const answer = await client.send(request, await client.prepare(before));
      if (answer.status !== status)
        other = `${operationId}: the prepared request was answered with ${answer.status} in place of ${status}: ${answer.body.slice(0, 400)}`;
    });
    tally.generated += 1;
    if (problem !== undefined || other !== undefined) return problem ?? other;
  }
  return undefined;
}

/** A session for which a state of the service was prepared. */
interface PreparedState {
  readonly session: Session;
  readonly uses: number;
  /** Whether a request has succeeded that may have changed the state. */
  readonly changed: boolean;
}

interface GeneratedCheck {
  readonly clients: readonly CheckingClient[];
  readonly document: InterfaceDocument;
  readonly seed: number;
  readonly runs: number;
  readonly tally: Tally;
}

/** Sends drawn requests. @returns The mismatch, with the smallest request that shows it; `undefined` where there is none. */
async function checkGenerated(
  at: OperationAt,
  { clients, document, seed, runs, tally }: GeneratedCheck,
): Promise<string | undefined> {
  const { operationId } = at.operation;
  const prepared = PREPARED_REQUESTS[operationId] ?? [];
  const main = clients.find(({ deployment }) => deployment === prepared[0]?.deployment) ?? clients[0];
  for (const client of clients) {
    const others = Math.floor((runs * (1 - MAIN_SHARE)) / (clients.length - 1));
    const share = client === main ? runs - others * (clients.length - 1) : others;
    if (share === 0) continue;
    const own = prepared.filter(({ deployment }) => deployment === client.deployment);
    const before = stateBefore(at.operation, own[0] ?? prepared[0]);
    let state: PreparedState | undefined;
    const requests = withOperationName(operationId, () =>
      generateRequests(
        at,
        document,
        own.map(({ request }) => request),
      ),
    );
    const property = fc.asyncProperty(requests, async ({ request, change }: GeneratedRequest) => {
      const { session, uses, changed } = state ?? {
        session: await client.prepare(before),
        uses: 0,
        changed: false,
      };
      // After a mismatch, the next attempt of the minimization begins anew.
      state = undefined;
      const { status } = await client.send(request, session, change);
      const changes = request.method !== 'GET' && request.method !== 'HEAD' && status < 400;
      // One more request meets what a successful one has left.
      if (!changed && uses + 1 < MAX_USES_OF_STATE) state = { session, uses: uses + 1, changed: changes };
    });
    const result = await fc.check(property, { seed, numRuns: share });
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
  return isIndependent ? [] : PREPARED_FOR_OTHERS;
}

/** Adds the operation to the message of what it throws. */
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

/** The methods that the document has at a path, where the path is documented and the method is not. */
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
  answer: RawResponse,
  undocumented: ReturnType<typeof createResponseValidator>['findUndocumented'],
  allowed: (path: string, method: string) => readonly string[] | undefined,
): string | undefined {
  const path = pathOf(sent);
  const what = `${sent.method} ${path} ${answer.status}`;
  // Documented everywhere, and nothing that a request may cause.
  if (answer.status >= 500) return `${what}: ${answer.body.slice(0, 400)}`;
  // The head alone: its body is that of GET.
  if (sent.method === 'HEAD') return answer.body === '' ? undefined : `${what}: a body, for HEAD`;
  const methods = allowed(path, sent.method);
  if (methods !== undefined && answer.status === 405) {
    const withOperationName = (headerOf(answer, 'allow') ?? '').split(', ');
    const difference = [...withOperationName, ...methods].filter(
      (one) => !withOperationName.includes(one) || !methods.includes(one),
    );
    if (difference.length > 0)
      return `${what}: \`Allow: ${withOperationName.join(', ')}\`, and the document has ${methods.join(', ')}`;
  }
  if (methods !== undefined && (answer.status < 400 || answer.status === 404))
    return `${what}: this method is not documented`;
  return undocumented({
    ...answer,
    method: sent.method,
    path: sent.target,
    type: headerOf(answer, 'content-type'),
  });
}

/** The request as a command line. What only the connection needs is left to curl. */
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

/** In single quotes; a long run of one character is left to the shell. */
function shellQuote(text: string): string {
  const escaped = text.replaceAll("'", `'\\''`);
  return `'${escaped.replace(
    /([a-z])\1{99,}/g,
    (run, letter: string) => `'"$(printf '%0${run.length}d' 0 | tr 0 ${letter})"'`,
  )}'`;
}
