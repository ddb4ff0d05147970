/** Runs every example, and checks that the index lists all of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLES, type ExampleContext, hindrance } from '../examples/examples.js';
import { startExampleService } from '../examples/start-example-service.js';
import { createDatabase, type EmptyDatabase } from '../support/postgres-for-tests.js';

const FOLDER = new URL('../../docs/examples/', import.meta.url);
/** Programs, browsers and databases are started: on a machine that has other things to do that takes its time. */
const A_WHILE_MS = 120_000;
/** What examples are made of, and is none by itself. */
const PARTS = ['README.md', 'tsconfig.json', 'people.ts', 'requires.ts', 'embed.ts'];

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
    it.skipIf(hindrance(example) !== undefined)(
      `${example.name} is started and does what it says`,
      async () => {
        await example.check(context);
      },
      A_WHILE_MS,
    );
  }

  it('are all checked, and stand in the index', () => {
    const there = readdirSync(FOLDER).filter((name) => !PARTS.includes(name));
    expect(EXAMPLES.map(({ name }) => name).sort()).toEqual(there.sort());
    const index = readFileSync(new URL('README.md', FOLDER), 'utf8');
    const listed = [...index.matchAll(/^\| \[`([^`]+)`\]/gm)].map(([, name]) => name);
    expect([...new Set(listed)].sort()).toEqual(there.sort());
  });

  it('each opens with what it shows and how to start it', () => {
    const openings = EXAMPLES.map(({ name }) => {
      const file = { 'relying-party': 'relying-party/serve.ts', browser: 'browser/serve.ts' }[name] ?? name;
      const path = name === 'postgres-compose' ? `${name}/compose.yaml` : file;
      return [path, readFileSync(new URL(path, FOLDER), 'utf8').split('\n').slice(0, 8).join('\n')] as const;
    });
    for (const [path, opening] of openings)
      expect([path, opening]).toEqual([path, expect.stringContaining('Start: `')]);
  });
});
