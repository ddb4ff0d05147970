/** The HTTP interface from its OpenAPI document: every operation, valid and mutated, alone and in logins (Z3, Z4). */
import { join } from 'node:path';
import { type RawResponse, ResponseError } from '../../support/raw-connection.js';
import { type Finding, fuzzTarget, type OpenTarget, type TargetContext } from '../fuzz-target.js';
import { type Deployment, type DeploymentName, openDeployment } from '../http/deployment.js';
import { DOCUMENTED_RESPONSES, findOperationId, judgeResponse } from '../http/judge-response.js';
import { type SentRequest, toSent } from '../http/planned-request.js';
import { type Plan, plans } from '../http/plans.js';
import type { Session } from '../http/session.js';

/** Operations that may invalidate the values of a session. */
const INVALIDATING = new Set([
  'issueTokens',
  'revoke',
  'changeGrants',
  'approveAuthorization',
  'denyAuthorization',
  'decideConsent',
  'signIn',
  'returnFromSignIn',
]);
/** Statuses that no request can provoke reliably. */
const NOT_PROVOKABLE = / (?:408|429|5\d\d)$/;

export const http = fuzzTarget<Plan>('http', openHttp);

async function openHttp(context: TargetContext): Promise<OpenTarget<Plan>> {
  const deployments = new Map<DeploymentName, Deployment>();
  for (const name of ['sandbox', 'production'] as const)
    deployments.set(name, await openDeployment(name, { ...context, folder: join(context.folder, name) }));
  const sessions = new Map<DeploymentName, Session>();
  const reached = new Set<string>();
  let sentCount = 0;
  const note = (request: SentRequest, response: RawResponse) => {
    const operation = findOperationId(request);
    if (operation !== undefined) reached.add(`${operation} ${response.status}`);
  };
  return {
    inputs: plans(),
    probe: async ({ deployment: name, requests }) => {
      const deployment = deployments.get(name);
      if (deployment === undefined) throw new Error(`no deployment ${name}`);
      let at = 'before the first request';
      try {
        const session = sessions.get(name) ?? (await deployment.newSession());
        sessions.set(name, session);
        for (const request of requests) {
          at = request.operation;
          const sent = toSent(request, deployment.host, session.known);
          sentCount += 1;
          const responses = await deployment.send(sent);
          const finding = judgeAll(sent, responses, session, deployment);
          if (finding !== undefined) return finding;
          for (const response of responses) {
            note(sent, response);
            await deployment.follow(session, sent, response);
          }
        }
        if (requests.some(({ operation }) => INVALIDATING.has(operation))) sessions.delete(name);
        return undefined;
      } catch (error) {
        sessions.delete(name);
        if (error instanceof ResponseError) return await deployment.explainFault(error, at);
        throw error;
      }
    },
    memory: async () => {
      const sandbox = deployments.get('sandbox');
      if (sandbox === undefined) throw new Error('no sandbox');
      return await sandbox.service().memory();
    },
    reached: () => {
      const wanted = DOCUMENTED_RESPONSES.filter((pair) => !NOT_PROVOKABLE.test(pair));
      const reachedPairs = wanted.filter((pair) => reached.has(pair));
      return `${sentCount} requests; ${reachedPairs.length} of ${wanted.length} documented responses (operation and status, without 408, 429 and 5xx)`;
    },
    unreached: () => DOCUMENTED_RESPONSES.filter((pair) => !NOT_PROVOKABLE.test(pair) && !reached.has(pair)),
    close: async () => {
      const findings: (Finding | undefined)[] = [];
      for (const deployment of deployments.values()) findings.push(await deployment.stop());
      return findings.find((finding) => finding !== undefined);
    },
  };
}

function judgeAll(
  request: SentRequest,
  responses: readonly RawResponse[],
  session: Session,
  deployment: Deployment,
): Finding | undefined {
  for (const [index, response] of responses.entries()) {
    // Further responses answer bytes that the service parsed as other requests, whose method and target are unknown. As responses to HEAD, they
    // are not compared with the documentation.
    const judged = index === 0 ? request : { ...request, method: 'HEAD', target: '/' };
    const finding = judgeResponse(judged, response, session, deployment);
    if (finding !== undefined) return finding;
  }
  return undefined;
}
