/** The whole interface over HTTP, from its OpenAPI document: every operation, right and spoiled, alone and in whole logins (Z3, Z4). */
import { join } from 'node:path';
import { type RawResponse, ResponseError } from '../../support/raw-connection.js';
import { type Finding, fuzzTarget, type Ground, type OpenTarget } from '../fuzz-target.js';
import { type Deployment, type DeploymentName, openDeployment } from '../http/deployment.js';
import { DOCUMENTED, judgeAnswer, operationAt } from '../http/judge-answer.js';
import { type SentRequest, toSent } from '../http/planned-request.js';
import { type Plan, plans } from '../http/plans.js';
import type { Session } from '../http/session.js';

/** What may use up or end what a session holds. */
const USING_UP = new Set([
  'issueTokens',
  'revoke',
  'changeGrants',
  'approveAuthorization',
  'denyAuthorization',
  'decideConsent',
  'signIn',
  'returnFromSignIn',
]);
/** No client can bring these about by what it asks. */
const OF_CIRCUMSTANCES = / (?:408|429|5\d\d)$/;

export const http = fuzzTarget<Plan>(
  'http',
  'the interface, from its OpenAPI document: operations, parameters, bodies, methods, callers, logins step by step',
  openHttp,
);

async function openHttp(ground: Ground): Promise<OpenTarget<Plan>> {
  const deployments = new Map<DeploymentName, Deployment>();
  for (const name of ['sandbox', 'production'] as const)
    deployments.set(name, await openDeployment(name, { ...ground, folder: join(ground.folder, name) }));
  const sessions = new Map<DeploymentName, Session>();
  const reached = new Set<string>();
  let sentCount = 0;
  const note = (request: SentRequest, answer: RawResponse) => {
    const operation = operationAt(request);
    if (operation !== undefined) reached.add(`${operation} ${answer.status}`);
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
          const answers = await deployment.send(sent);
          const finding = judgeAll(sent, answers, session, deployment);
          if (finding !== undefined) return finding;
          for (const answer of answers) {
            note(sent, answer);
            await deployment.follow(session, sent, answer);
          }
        }
        if (requests.some(({ operation }) => USING_UP.has(operation))) sessions.delete(name);
        return undefined;
      } catch (error) {
        sessions.delete(name);
        if (error instanceof ResponseError) return await deployment.explain(error, at);
        throw error;
      }
    },
    memory: async () => {
      const sandbox = deployments.get('sandbox');
      if (sandbox === undefined) throw new Error('no sandbox');
      return await sandbox.service().memory();
    },
    reached: () => {
      const wanted = DOCUMENTED.filter((pair) => !OF_CIRCUMSTANCES.test(pair));
      const there = wanted.filter((pair) => reached.has(pair));
      return `${sentCount} requests; ${there.length} of ${wanted.length} documented answers (operation and status; 408, 429 and 5xx apart)`;
    },
    unreached: () => DOCUMENTED.filter((pair) => !OF_CIRCUMSTANCES.test(pair) && !reached.has(pair)),
    close: async () => {
      const findings: (Finding | undefined)[] = [];
      for (const deployment of deployments.values()) findings.push(await deployment.stop());
      return findings.find((finding) => finding !== undefined);
    },
  };
}

function judgeAll(
  request: SentRequest,
  answers: readonly RawResponse[],
  session: Session,
  deployment: Deployment,
): Finding | undefined {
  for (const [index, answer] of answers.entries()) {
    // What follows the first answers bytes that were taken for another request.
    const judged = index === 0 ? request : { ...request, method: 'HEAD', target: '/' };
    const finding = judgeAnswer(judged, answer, session, deployment);
    if (finding !== undefined) return finding;
  }
  return undefined;
}
