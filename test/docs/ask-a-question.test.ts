/** Runs the snippets of the guide on conditions, with a person's decision in between, and the guide's command. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as builder from '../../src/builder/index.js';
import * as client from '../../src/client/index.js';
import { parseCatalogue } from '../../src/service/index.js';
import { decideByForm } from '../support/decide-by-form.js';
import { authorizationQuery, authorize } from '../support/oauth-client.js';
import { runCommand } from '../support/run-command.js';
import { runSnippets } from '../support/run-snippets.js';
import { type StartedService, startService } from '../support/start-service.js';

const PAGE = readFileSync(new URL('../../docs/guides/ask-a-question.md', import.meta.url), 'utf8');
const DECIDES = /<!-- Here a person decides.*-->/;

let started: StartedService;
/** A service whose catalogue has the inference bounds of the page. */
let bounded: StartedService;

beforeAll(async () => {
  started = await startService();
  bounded = await startService({
    options: { catalogue: parseCatalogue(JSON.parse(jsonWith('inference_bound'))) },
  });
  for (const { clock } of [started, bounded]) clock.moveTo(Date.now());
});

afterAll(async () => {
  await started.stop();
  await bounded.stop();
});

/** Returns the first JSON example with a text. */
function jsonWith(text: string): string {
  const examples = [...PAGE.matchAll(/```json\n([\s\S]*?)```/g)].map(([, example = '']) => example);
  return examples.find((example) => example.includes(text)) ?? '';
}

/** Returns the access of a sandbox application to which the person has granted the date of birth. */
async function accessAt(issuer: string): Promise<client.Access> {
  const application = client.createClient({
    issuer,
    clientId: 'sandbox-public',
    redirectUri: 'http://127.0.0.1/callback',
  });
  const { url, pending } = await application.authorize({ scopes: ['identity:date_of_birth'] });
  return await application.redeem(await decideByForm(url), pending);
}

it('the snippets on conditions print the output in their comments', async () => {
  const page = PAGE.replace('http://127.0.0.1:8080/v2', started.url).replace(
    DECIDES,
    "```ts\nimport { decideByForm } from 'a-person';\nconst callback = await decideByForm(url);\n```",
  );
  const { expected, printed } = await runSnippets(page, {
    'proviso/builder': builder,
    'proviso/client': client,
    'a-person': { decideByForm },
    './my-application.js': {
      unbounded: await accessAt(started.url),
      bounded: await accessAt(bounded.url),
    },
  });
  expect(expected).toHaveLength(6);
  expect(printed).toEqual(expected);
});

it('the authorization details on the page on conditions are accepted', async () => {
  const details = jsonWith('claims_condition');
  const changes = { client_id: 'sandbox-conditions', scope: undefined, authorization_details: details };
  const response = await authorize(started, authorizationQuery(changes));
  expect(response.headers.get('location')).toContain('/consent?authorization_id=');
});

it('the command on the page on conditions registers an application without scopes', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-docs-'));
  const [, command = ''] = /```sh\nproviso (.*)\n```/.exec(PAGE) ?? [];
  const args = [...command.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const { exitCode, stdout } = await runCommand([...args, '--json'], { cwd });
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([
    0,
    { scopes: [], authorization_details_types: ['claims_condition'] },
  ]);
  rmSync(cwd, { recursive: true });
});
