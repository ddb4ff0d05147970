/** Runs the snippets of the page on the client against a running service, and compares their output with the comments. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as builder from '../../src/builder/index.js';
import * as client from '../../src/client/index.js';
import { decideByForm } from '../support/decide-by-form.js';
import { runSnippets } from '../support/run-snippets.js';
import { type StartedService, startService } from '../support/start-service.js';
import { typeErrors } from '../support/type-errors.js';

const PAGE = readFileSync(new URL('../../docs/guides/typescript-client.md', import.meta.url), 'utf8');
const DECIDES = /<!-- Here a person decides.*-->/;

let started: StartedService;

beforeAll(async () => {
  started = await startService();
  started.clock.moveTo(Date.now());
});

afterAll(() => started.stop());

// V8, V9
it('the snippets on the TypeScript client print the output in their comments', async () => {
  expect(PAGE).toMatch(DECIDES);
  const page = PAGE.replace('http://127.0.0.1:8080/v2', started.url).replace(
    DECIDES,
    "```ts\nimport { decideByForm } from 'a-person';\nconst callback = await decideByForm(url);\n```",
  );
  const { expected, printed } = await runSnippets(page, {
    'proviso/builder': builder,
    'proviso/client': client,
    'a-person': { decideByForm },
  });
  expect(expected).toHaveLength(9);
  expect(printed).toEqual(expected);
});

it('the snippets on the TypeScript client compile, also with the types of `navigator` in TypeScript 5.9', async () => {
  const snippets = [...PAGE.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text]) => text);
  const given = `declare const callback: string;
    declare const navigator: { locks: { request<T>(name: string, callback: (lock: object) => T): Promise<T> } };`;
  const source = [...snippets, given].join('\n').replace(/'proviso\/(\w+)'/g, "'../../src/$1/index.js'");
  expect(await typeErrors(source, { compilerOptions: { lib: ['ES2024', 'DOM'] } })).toEqual([]);
});
