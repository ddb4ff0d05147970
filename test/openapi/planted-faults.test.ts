/** The check of the OpenAPI document detects each fault that is planted in a document, and names the operation. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInterface } from '../../src/http/index.js';
import { checkDocument, type DocumentReport } from './check-document.js';
import { type CheckedDeployment, startDeployment } from './deployments.js';

const SEED = 1;
const REQUESTS = 200;

type Node = Record<string, unknown>;

let deployments: readonly CheckedDeployment[];

beforeAll(async () => {
  deployments = [await startDeployment('sandbox'), await startDeployment('production')];
});

afterAll(async () => {
  for (const { started } of deployments) await started.stop();
});

/** The document as plain data that a test may change. */
function documentToChange(): Node {
  return JSON.parse(JSON.stringify(describeInterface('http://127.0.0.1/v2', '0.0.0'))) as Node;
}

/** The object at a path of members. */
function at(node: Node, ...path: readonly string[]): Node {
  // The tests name what is in the document.
  return path.reduce((found, name) => found[name] as Node, node);
}

/** Moves the path in which a fault is planted to the front: the check ends with the first mismatch. */
function first(document: Node, path: string | undefined): Node {
  if (path === undefined) return document;
  const paths = at(document, 'paths');
  return { ...document, paths: { [path]: paths[path], ...paths } };
}

async function check(document: Node): Promise<DocumentReport> {
  return await checkDocument({ document, deployments, requests: REQUESTS, seed: SEED });
}

describe('a check of a document that is wrong finds', () => {
  it.each<{ fault: string; path?: string; plant: (document: Node) => void; found: RegExp }>([
    {
      fault: 'a status that is missing',
      plant: (document) => {
        delete at(document, 'paths', '/v2/presets/{name}', 'get', 'responses')['404'];
      },
      found:
        /^readPreset: GET \/v2\/presets\/\S+ 404: this status is not documented\n {2}change: .+\n {2}curl -i -X GET /,
    },
    {
      fault: 'a member of another type',
      path: '/v2/oauth/token',
      plant: (document) => {
        at(document, 'components', 'schemas', 'TokenResult', 'properties')['expires_in'] = { type: 'string' };
      },
      found: /^issueTokens: POST \/v2\/oauth\/token 200: data\/expires_in must be string/,
    },
    {
      fault: 'a member that is missing',
      path: '/v2/health',
      plant: (document) => {
        delete at(document, 'components', 'schemas', 'Health', 'properties')['uptime'];
      },
      found: /^readHealth: .* must NOT have additional properties/,
    },
    {
      fault: 'another media type',
      path: '/v2/audiences/evaluate',
      plant: (document) => {
        const response = at(document, 'paths', '/v2/audiences/evaluate', 'post', 'responses', '200');
        response['content'] = { 'application/json': { schema: {} } };
      },
      found: /^evaluateAudience: .* the media type `application\/x-ndjson; charset=utf-8` is not documented/,
    },
    {
      fault: 'a header whose schema does not hold',
      path: '/sign-in',
      plant: (document) => {
        const headers = at(document, 'paths', '/sign-in', 'post', 'responses', '303', 'headers');
        at(headers, 'Location')['schema'] = { type: 'string', pattern: '^https://' };
      },
      found: /^signIn: POST \/sign-in 303: Location: data must match pattern/,
    },
    {
      fault: 'a required header that is not sent',
      path: '/v2/presets',
      plant: (document) => {
        at(document, 'paths', '/v2/presets', 'get', 'responses', '200')['headers'] = {
          'X-Missing': { required: true, schema: { type: 'string' } },
        };
      },
      found: /^listPresets: .* the header `X-Missing` is missing/,
    },
    {
      fault: 'an operation that the service does not have',
      path: '/v2/nothing',
      plant: (document) => {
        at(document, 'paths')['/v2/nothing'] = {
          get: { operationId: 'readNothing', responses: { '200': { description: 'Nothing.' } } },
        };
      },
      found: /^readNothing: GET \/v2\/nothing 404: this status is not documented/,
    },
    {
      fault: 'a method that the document does not have',
      path: '/v2/credentials',
      plant: (document) => {
        delete at(document, 'paths', '/v2/credentials')['post'];
      },
      found: /^PUT \/v2\/credentials: .* `Allow: GET, POST`, and the document has GET/,
    },
    {
      fault: 'a success that never comes',
      plant: (document) => {
        at(document, 'paths', '/v2/userinfo', 'get', 'responses')['202'] = { description: 'Never.' };
      },
      found:
        /^readUserInfo: no request was answered with the documented status 202; .*prepared-requests\.ts must name/,
    },
  ])('$fault', async ({ path, plant, found }) => {
    const document = documentToChange();
    plant(document);
    const { problems } = await check(first(document, path));
    expect(problems.join('\n')).toMatch(found);
  });

  it.each<{ fault: string; path: string; plant: (document: Node) => void; told: RegExp }>([
    {
      fault: 'a security scheme for which it has no credentials',
      path: '/v2/userinfo',
      plant: (document) => {
        at(document, 'paths', '/v2/userinfo', 'get')['security'] = [{ certificate: [] }];
      },
      told: /^readUserInfo: nothing is known to send for the security scheme `certificate`/,
    },
    {
      fault: 'a keyword that it cannot draw from',
      path: '/v2/oauth/authorize/deny',
      plant: (document) => {
        at(document, 'components', 'schemas', 'DenialRequest')['patternProperties'] = {};
      },
      told: /^denyAuthorization: cannot draw a value: the keyword `patternProperties` is unknown/,
    },
    {
      fault: 'a parameter in a place where it cannot send one',
      path: '/v2/userinfo',
      plant: (document) => {
        at(document, 'paths', '/v2/userinfo', 'get')['parameters'] = [
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
        ];
      },
      told: /^readUserInfo: cannot send the parameter `session` in `cookie`/,
    },
  ])('names the operation that has $fault', async ({ path, plant, told }) => {
    const document = documentToChange();
    plant(document);
    await expect(check(first(document, path))).rejects.toThrow(told);
  });
});
