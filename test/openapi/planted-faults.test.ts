/** The check of the OpenAPI document detects each fault that is planted in a document, and names the operation or the path. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInterface } from '../../src/http/index.js';
import { checkDocument, type DocumentReport } from './check-document.js';
import { type CheckedDeployment, startDeployments } from './deployments.js';

const SEED = 1;
const REQUESTS = 200;

type Node = Record<string, unknown>;

let deployments: readonly CheckedDeployment[];

beforeAll(async () => {
  deployments = await startDeployments();
});

afterAll(async () => {
  for (const { started } of deployments) await started.stop();
});

/** Returns a mutable copy of the document. */
function copyDocument(): Node {
  return JSON.parse(JSON.stringify(describeInterface('http://127.0.0.1/v2', '0.0.0'))) as Node;
}

/** Returns the object at a path of member names. */
function nodeAt(node: Node, ...path: readonly string[]): Node {
  // The tests use paths that exist.
  return path.reduce((found, name) => found[name] as Node, node);
}

/** Moves a path to the front, since the check ends with the first mismatch. */
function moveToFront(document: Node, path: string | undefined): Node {
  if (path === undefined) return document;
  const paths = nodeAt(document, 'paths');
  return { ...document, paths: { [path]: paths[path], ...paths } };
}

async function check(document: Node): Promise<DocumentReport> {
  return await checkDocument({ document, deployments, requests: REQUESTS, seed: SEED });
}

describe('the check of a document', () => {
  it.each<{ fault: string; path?: string; plant: (document: Node) => void; found: RegExp }>([
    {
      fault: 'an undocumented status',
      plant: (document) => {
        delete nodeAt(document, 'paths', '/v2/presets/{name}', 'get', 'responses')['404'];
      },
      found:
        /^readPreset: GET \/v2\/presets\/\S+ 404: this status is not documented\n {2}change: .+\n {2}curl -i -X GET /,
    },
    {
      fault: 'a member with a wrong type',
      path: '/v2/oauth/token',
      plant: (document) => {
        nodeAt(document, 'components', 'schemas', 'TokenResult', 'properties')['expires_in'] = {
          type: 'string',
        };
      },
      found: /^issueTokens: POST \/v2\/oauth\/token 200: data\/expires_in must be string/,
    },
    {
      fault: 'an undocumented member',
      path: '/v2/health',
      plant: (document) => {
        delete nodeAt(document, 'components', 'schemas', 'Health', 'properties')['uptime'];
      },
      found: /^readHealth: .* must NOT have additional properties/,
    },
    {
      fault: 'a wrong media type',
      path: '/v2/audiences/evaluate',
      plant: (document) => {
        const response = nodeAt(document, 'paths', '/v2/audiences/evaluate', 'post', 'responses', '200');
        response['content'] = { 'application/json': { schema: {} } };
      },
      found: /^evaluateAudience: .* the media type `application\/x-ndjson; charset=utf-8` is not documented/,
    },
    {
      fault: 'a header that its schema rejects',
      path: '/sign-in',
      plant: (document) => {
        const headers = nodeAt(document, 'paths', '/sign-in', 'post', 'responses', '303', 'headers');
        nodeAt(headers, 'Location')['schema'] = { type: 'string', pattern: '^https://' };
      },
      found: /^signIn: POST \/sign-in 303: Location: data must match pattern/,
    },
    {
      fault: 'a required header that the service does not send',
      path: '/v2/presets',
      plant: (document) => {
        nodeAt(document, 'paths', '/v2/presets', 'get', 'responses', '200')['headers'] = {
          'X-Missing': { required: true, schema: { type: 'string' } },
        };
      },
      found: /^listPresets: .* the header `X-Missing` is missing/,
    },
    {
      fault: 'an operation that does not exist in the service',
      path: '/v2/nothing',
      plant: (document) => {
        nodeAt(document, 'paths')['/v2/nothing'] = {
          get: { operationId: 'readNothing', responses: { '200': { description: 'Nothing.' } } },
        };
      },
      found: /^readNothing: GET \/v2\/nothing 404: this status is not documented/,
    },
    {
      fault: 'a method that is missing in the document',
      path: '/v2/credentials',
      plant: (document) => {
        delete nodeAt(document, 'paths', '/v2/credentials')['post'];
      },
      found: /^PUT \/v2\/credentials: .* `Allow: GET, POST`, but the document has GET/,
    },
    {
      fault: 'a success status that never occurs',
      plant: (document) => {
        nodeAt(document, 'paths', '/v2/userinfo', 'get', 'responses')['202'] = { description: 'Never.' };
      },
      found: /^readUserInfo: the documented status 202 never occurred; .*prepared-requests\.ts must contain/,
    },
  ])('detects $fault', async ({ path, plant, found }) => {
    const document = copyDocument();
    plant(document);
    const { problems } = await check(moveToFront(document, path));
    expect(problems.join('\n')).toMatch(found);
  });

  it('sends all requests to the only deployment, if only one is passed', async () => {
    const document = copyDocument();
    document['paths'] = { '/v2/presets': nodeAt(document, 'paths', '/v2/presets') };
    const { generated, problems } = await checkDocument({
      document,
      deployments: deployments.slice(0, 1),
      requests: REQUESTS,
      seed: SEED,
    });
    expect(problems).toEqual([]);
    expect(generated).toBeGreaterThanOrEqual(REQUESTS);
  });

  it.each<{ fault: string; path: string; plant: (document: Node) => void; message: RegExp }>([
    {
      fault: 'an unsupported security scheme',
      path: '/v2/userinfo',
      plant: (document) => {
        nodeAt(document, 'paths', '/v2/userinfo', 'get')['security'] = [{ certificate: [] }];
      },
      message: /^readUserInfo: no credentials for the security scheme `certificate`/,
    },
    {
      fault: 'an unsupported schema keyword',
      path: '/v2/oauth/authorize/deny',
      plant: (document) => {
        nodeAt(document, 'components', 'schemas', 'DenialRequest')['patternProperties'] = {};
      },
      message: /^denyAuthorization: unsupported schema keyword `patternProperties` in /,
    },
    {
      fault: 'an unsupported parameter location',
      path: '/v2/userinfo',
      plant: (document) => {
        nodeAt(document, 'paths', '/v2/userinfo', 'get')['parameters'] = [
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
        ];
      },
      message: /^readUserInfo: unsupported location of the parameter `session`: cookie/,
    },
  ])('names the operation with $fault', async ({ path, plant, message }) => {
    const document = copyDocument();
    plant(document);
    await expect(check(moveToFront(document, path))).rejects.toThrow(message);
  });
});
