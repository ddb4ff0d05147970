/** Checks that two generators turn the OpenAPI document into TypeScript that compiles and has the document's types. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInterface } from '../../src/http/index.js';
import { typeErrors } from '../support/type-errors.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A line that uses the generated code; `error` is the expected compiler error. */
interface Use {
  readonly title: string;
  readonly line: string;
  readonly error?: RegExp;
}

interface Generator {
  readonly name: string;
  /** Generates TypeScript into a folder. */
  readonly generate: (document: Readonly<Record<string, unknown>>, folder: string) => Promise<void>;
  /** The lines before the first use. */
  readonly head: readonly string[];
  readonly uses: readonly Use[];
}

const REDEMPTION = "{ grant_type: 'authorization_code', code: 'c' }";

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    generate: async (document, folder) => {
      // The generator reads a string as JSON or YAML.
      const generated = await openapiTS(JSON.stringify(document));
      writeFileSync(join(folder, 'openapi.ts'), astToString(generated));
    },
    head: [
      "import createClient from 'openapi-fetch';",
      "import type { components, paths } from './openapi.js';",
      'declare const client: ReturnType<typeof createClient<paths>>;',
    ],
    uses: [
      {
        title: 'types the tokens of a response',
        line: `client.POST('/v2/oauth/token', { body: ${REDEMPTION} }).then(({ data }): number | undefined => data?.expires_in)`,
      },
      {
        title: 'types the subcode of an error',
        line: `client.POST('/v2/oauth/token', { body: ${REDEMPTION} }).then(({ error }): string | undefined => error?.error_subcode)`,
      },
      {
        title: 'makes the form of a user information request optional',
        line: "client.POST('/v2/userinfo').then(({ data }): string | undefined => data?.sub)",
      },
      {
        title: 'rejects a member of a wrong type',
        line: "client.POST('/v2/oauth/token', { body: { grant_type: 1 } })",
        error: /'number' is not assignable to type 'string'/,
      },
      {
        title: 'rejects a request without a required member',
        line: "client.POST('/v2/queries/evaluate', { body: {} })",
        error: /Property 'query' is missing/,
      },
      {
        title: 'rejects an unknown member of a closed request',
        line: "(): components['schemas']['PresetBatchRequest'] => ({ presets: ['age'], extra: 1 })",
        error: /'extra' does not exist/,
      },
      {
        title: 'rejects a member that no response has',
        line: "client.GET('/v2/userinfo').then(({ data }) => data?.surname)",
        error: /Property 'surname' does not exist/,
      },
      {
        title: 'rejects an unknown operator',
        line: "client.POST('/v2/queries/evaluate', { body: { query: { check: { claim: 'a.b', operator: 'like', value: 1 } } } })",
        error: /"like"' is not assignable/,
      },
      {
        title: 'rejects an undocumented path',
        line: "(operations: paths['/v2/nothing']) => operations",
        error: /Property '\/v2\/nothing' does not exist/,
      },
    ],
  },
  {
    name: '@hey-api/openapi-ts',
    generate: async (document, folder) => {
      await createClient({
        input: { ...document },
        output: { path: folder },
        plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
        logs: { level: 'silent', file: false },
      });
    },
    head: [
      "import { evaluateQuery, issueTokens, postUserInfo, readPresets, readUserInfo } from './sdk.gen.js';",
      "import type { IssueTokensErrors, IssueTokensResponses } from './types.gen.js';",
    ],
    uses: [
      {
        title: 'types the tokens of a response',
        line: `issueTokens({ body: ${REDEMPTION} }).then(({ data }): number | undefined => data?.expires_in)`,
      },
      {
        title: 'types the subcode of an error by status',
        line: "(error: IssueTokensErrors[401]): 'invalid_client' => error.error_subcode",
      },
      {
        title: 'makes the form of a user information request optional',
        line: 'postUserInfo().then(({ data }): string | undefined => data?.sub)',
      },
      {
        title: 'rejects a member of a wrong type',
        line: 'issueTokens({ body: { grant_type: 1 } })',
        error: /'number' is not assignable to type 'string'/,
      },
      {
        title: 'rejects a request without a required member',
        line: 'evaluateQuery({ body: {} })',
        error: /Property 'query' is missing/,
      },
      {
        title: 'rejects an unknown member of a closed request',
        line: "readPresets({ body: { presets: ['age'], extra: 1 } })",
        error: /'extra' does not exist/,
      },
      {
        title: 'rejects a member that no response has',
        line: 'readUserInfo().then(({ data }) => data?.surname)',
        error: /Property 'surname' does not exist/,
      },
      {
        title: 'rejects an undocumented status',
        line: '(response: IssueTokensResponses[201]) => response',
        error: /Property '201' does not exist/,
      },
    ],
  },
];

const COMPILER_OPTIONS = {
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  types: [],
};

describe.each(GENERATORS)('the code that $name generates', ({ generate, head, uses }) => {
  let folder: string;
  /** Compiler errors by the index of the use; those of the head and of other files have negative keys. */
  const messages = new Map<number, string[]>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'proviso-generated-'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const document = describeInterface('http://127.0.0.1/v2', '0.0.0');
    // Plain JSON, as a client receives it.
    await generate(JSON.parse(JSON.stringify(document)) as Readonly<Record<string, unknown>>, folder);
    const lines = uses.map(({ line }, index) => `export const use${index} = ${line};`);
    const text = [...head, ...lines].join('\n');
    for (const error of await typeErrors(text, { folder, compilerOptions: COMPILER_OPTIONS })) {
      const isConsumer = error.file === 'checked.ts';
      const line = isConsumer ? error.line - head.length : -1;
      const message = isConsumer ? error.message : `${error.file}: ${error.message}`;
      messages.set(line, [...(messages.get(line) ?? []), message]);
    }
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('compiles under `strict`', () => {
    const outside = [...messages].filter(([line]) => line < 0).flatMap(([, errors]) => errors);
    expect(outside).toEqual([]);
  });

  it.each(uses.map((use, index) => ({ ...use, index })))('$title', ({ error, index }) => {
    const found = messages.get(index) ?? [];
    if (error === undefined) expect(found).toEqual([]);
    else expect(found.join('\n')).toMatch(error);
  });
});
