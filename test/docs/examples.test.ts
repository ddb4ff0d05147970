/** Runs every example, and checks that the index lists all of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLES, type ExampleContext, skipReason } from '../examples/examples.js';
import { startExampleService } from '../examples/start-example-service.js';
import { createDatabase, type EmptyDatabase } from '../support/postgres-for-tests.js';

const FOLDER = new URL('../../docs/examples/', import.meta.url);
/** Generous, since examples start programs, browsers and databases. */
const EXAMPLE_TIMEOUT_MS = 120_000;
/** Files that are not examples themselves. */
const SHARED_FILES = ['README.md', 'tsconfig.json', 'people.ts', 'requires.ts', 'embed.ts'];
/** The folder of example policies, which the test of `proviso test` runs. */
const POLICIES = 'policies';

describe('the examples', () => {
  let context: ExampleContext & { readonly end: () => Promise<void> };
  let database: EmptyDatabase | undefined;

  beforeAll(async () => {
    context = await startExampleService(async () => {
      database = await createDatabase();
      return database.url;
    });
  });

  afterAll(async () => {
    await context.end();
    await database?.remove();
  });

  for (const example of EXAMPLES) {
    it.skipIf(skipReason(example) !== undefined)(
      `${example.name} starts and behaves as described`,
      async () => {
        await example.check(context);
      },
      EXAMPLE_TIMEOUT_MS,
    );
  }

  it('are all checked and listed in the index', () => {
    const names = readdirSync(FOLDER).filter((name) => name !== POLICIES && !SHARED_FILES.includes(name));
    expect(EXAMPLES.map(({ name }) => name).sort()).toEqual(names.sort());
    const index = readFileSync(new URL('README.md', FOLDER), 'utf8');
    const listed = [...index.matchAll(/^\| \[`([^`]+)`\]\((?!policies\/)/gm)].map(([, name]) => name);
    expect([...new Set(listed)].sort()).toEqual(names.sort());
  });

  it('open with a description and the command that starts them', () => {
    const openings = EXAMPLES.map(({ name }) => {
      const file = { 'relying-party': 'relying-party/serve.ts', browser: 'browser/serve.ts' }[name] ?? name;
      const path = name === 'postgres-compose' ? `${name}/compose.yaml` : file;
      return [path, readFileSync(new URL(path, FOLDER), 'utf8').split('\n').slice(0, 8).join('\n')] as const;
    });
    for (const [path, opening] of openings)
      expect([path, opening]).toEqual([
        path,
        expect.stringMatching(/^(?:\/\*\*\n \*|#) [A-Z][\s\S]*Start: `/),
      ]);
  });
});
