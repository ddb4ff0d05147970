/** The OpenAPI document is valid and complete, matches the routes, and can generate a client. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_HTTP_LIMITS } from '../../src/http/connections.js';
import { openApiDocument } from '../../src/http/openapi.js';
import { createRequestContext, InFlightCounter } from '../../src/http/request-context.js';
import { parseTarget } from '../../src/http/request-head.js';
import { ROUTES } from '../../src/http/routes/catalogue.js';
import { openapi } from '../../src/http/routes/discovery.js';
import { REQUEST_SCHEMAS } from '../../src/http/schemas/requests.js';
import { ERRORS } from '../../src/service/index.js';
import { logIn } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';
import { typeErrors } from '../support/type-errors.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

type Node = Readonly<Record<string, unknown>>;

let started: StartedService;
let folder: string;
let text: string;

beforeAll(async () => {
  started = await startService();
  folder = mkdtempSync(join(tmpdir(), 'proviso-openapi-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  text = await (await fetch(`${started.url}/openapi.json`)).text();
  writeFileSync(join(folder, 'openapi.json'), text);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await started.stop();
});

/** Runs a program of the development dependencies in the temporary folder. */
function run(
  program: string,
  args: readonly string[],
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    CI: 'true',
  };
  const child = spawn(join(ROOT, 'node_modules', '.bin', program), args, { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => child.on('close', (exitCode) => resolve({ exitCode, output })));
}

describe('the OpenAPI document', () => {
  it('contains every route and method, with unique operation ids', () => {
    const { paths } = JSON.parse(text) as { paths: Readonly<Record<string, Node>> };
    expect(Object.keys(paths).sort()).toEqual(ROUTES.map(({ path }) => path).sort());
    const operations = Object.values(paths).flatMap((item) => Object.values(item) as Node[]);
    expect(operations).toHaveLength(ROUTES.flatMap((route) => Object.keys(route.operations)).length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it('describes every top-level member of each request body', () => {
    const { components } = JSON.parse(text) as { components: { schemas: Readonly<Record<string, Node>> } };
    const membersOf = (schema: Node | undefined) => Object.keys(schema?.['properties'] ?? {});
    for (const [name, schema] of Object.entries(REQUEST_SCHEMAS))
      expect([name, membersOf(components.schemas[name])]).toEqual([name, membersOf(schema)]);
  });

  it('documents every error of the catalogue at an endpoint, except those of unsupported methods and of redirects', () => {
    const documented = new Set(
      text.match(/"error_subcode":\{"enum":\[[^\]]*\]/g)?.flatMap((one) => one.match(/[a-z_]+/g)),
    );
    // These errors occur at every path, or only in redirects to the client.
    const exempt = ['method_not_allowed', 'login_required', 'unsupported_response_type'];
    const undocumented = Object.keys(ERRORS).filter((subcode) => !documented.has(subcode));
    const redirectErrors = ['request_not_supported', 'request_uri_not_supported'];
    expect(undocumented.filter((one) => ![...exempt, ...redirectErrors].includes(one))).toEqual([]);
  });

  it('is identical for the same routes and issuer', () => {
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(openApiDocument(ROUTES, started.url))));
  });

  it('is built once, however often it is requested', async () => {
    let built = 0;
    const route = openapi(() => {
      built += 1;
      return ROUTES;
    });
    const server = {
      service: started.service,
      deployment: {},
      limits: DEFAULT_HTTP_LIMITS,
      inFlight: new InFlightCounter(),
      documents: new Map(),
      registeredOrigins: new Set<string>(),
    };
    const base = {
      request: new IncomingMessage(new Socket()),
      requestId: 'request',
      target: parseTarget('/v2/openapi.json'),
      address: '127.0.0.1',
      pathParameter: '',
    };
    const responses = [1, 2].map(() => route.handle(createRequestContext(base, server, () => 0)));
    const [first, second] = await Promise.all(responses);
    expect(second).toEqual(first);
    expect(built).toBe(1);
  });

  it('passes Redocly’s linter', async () => {
    const { exitCode, output } = await run('redocly', ['lint', 'openapi.json', '--format=stylish']);
    expect([exitCode, output.match(/\d+ errors?/g) ?? []]).toEqual([0, []]);
    expect(output).toContain('Your API description is valid');
  });
});

const FLOW = `
import createClient from 'openapi-fetch';
import type { paths } from './openapi.js';

const [, , base = '', token = ''] = process.argv;
const client = createClient<paths>({ baseUrl: base, headers: { Authorization: \`Bearer \${token}\` } });

const { data: result, error } = await client.POST('/v2/queries/evaluate', {
  body: { query: { policy: { allOf: [{ claim: 'kyc.level', operator: 'in', value: ['basic', 'enhanced'] }] } } },
});
if (result === undefined) throw new Error(error.error_description);
if (result.type !== 'predicate') throw new Error('the result of a policy must be a predicate');
const passed: boolean = result.passed;

const { data: verdict } = await client.POST('/v2/queries/evaluate', {
  body: { query: { check: { claim: 'kyc.level', operator: 'isDefined' } }, evidence: 'none' },
});
if (verdict?.type !== 'predicate' || verdict.evidence.checkResults.length > 0) throw new Error('there must be no evidence');
await client.POST('/v2/presets/batch', { body: { presets: ['kyc_level'] } });

const { data: preset } = await client.GET('/v2/presets/{name}', { params: { path: { name: 'kyc_level' } } });
const { data: page } = await client.GET('/v2/credentials', { params: { query: { limit: 1 } } });
const { error: refusal } = await client.GET('/v2/presets/{name}', { params: { path: { name: 'nope' } } });

process.stdout.write(
  JSON.stringify([passed, preset?.value, page?.items[0]?.status, page?.has_more, refusal?.error_code]),
);
`;

describe('a client generated from the OpenAPI document', () => {
  it('compiles and completes a flow', async () => {
    writeFileSync(
      join(folder, 'openapi.ts'),
      astToString(await openapiTS(pathToFileURL(join(folder, 'openapi.json')))),
    );
    writeFileSync(join(folder, 'flow.ts'), FLOW);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const compilerOptions = {
      target: 'ES2022',
      lib: ['ES2023', 'DOM'],
      types: ['node'],
      skipLibCheck: false,
    };
    expect(await typeErrors(FLOW, { folder, compilerOptions })).toEqual([]);
    const { access_token } = await logIn(started, { scope: 'data.read kyc:read' });
    const result = await run('tsx', ['flow.ts', new URL(started.url).origin, access_token]);
    expect(result).toEqual({
      exitCode: 0,
      output: JSON.stringify([true, 'enhanced', 'active', true, 'E4044']),
    });
  });
});
