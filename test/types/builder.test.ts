/** Checks the builder's types: lines that must compile, and lines that must not (L2, L14–L18, L20). */
import { beforeAll, describe, expect, it } from 'vitest';
import { typeErrors } from '../support/type-errors.js';
import { CASES } from './builder-cases.js';

/** The lines before the first case. */
const HEAD = [
  "import { type ClaimsOf, createQueryBuilder, p } from '../../src/builder/index.js';",
  "import { type Catalogue, createEngine } from '../../src/index.js';",
  "const scopes = [{ name: 'club', category: 'club', sensitivity: 'low', displayName: 'Club', description: 'Club.' }] as const;",
  "const shared = { scope: 'club', sensitivity: 'low', description: 'Club.' } as const;",
  'const claims = [',
  "  { ...shared, path: 'club.tier', type: 'enum', values: ['silver', 'gold'] },",
  "  { ...shared, path: 'club.since', type: 'date' },",
  "  { ...shared, path: 'club.roles', type: 'array', values: ['coach'] },",
  "  { ...shared, path: 'club.visits', type: 'integer' },",
  '] as const;',
  'type Club = ClaimsOf<{ scopes: typeof scopes; claims: typeof claims }>;',
  'declare const text: string;',
];

describe('the types of the builder', () => {
  let messages: ReadonlyMap<number, readonly string[]>;

  beforeAll(async () => {
    messages = await messagesByCase();
  });

  it('are checked by at least thirty cases, at least half of which must not compile', () => {
    const rejected = CASES.filter(({ error }) => error !== undefined);
    expect(CASES.length).toBeGreaterThanOrEqual(30);
    expect(rejected.length).toBeGreaterThanOrEqual(CASES.length / 2);
    expect(new Set(rejected.map(({ title }) => title)).size).toBe(rejected.length);
  });

  it.each(CASES.map((one, index) => ({ ...one, index })))('$title', ({ error, index }) => {
    const found = messages.get(index) ?? [];
    if (error === undefined) expect(found).toEqual([]);
    else expect(found.join('\n')).toMatch(error);
  });
});

/** Compiles all cases at once, one per line, and returns the errors of each. */
async function messagesByCase(): Promise<ReadonlyMap<number, readonly string[]>> {
  const text = [...HEAD, ...CASES.map(({ line }, index) => `export const case${index} = ${line};`)].join(
    '\n',
  );
  const errors = await typeErrors(text, {
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2024'],
      types: [],
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
    },
  });
  const messages = new Map<number, string[]>();
  for (const { file, line, message } of errors) {
    const index = line - HEAD.length;
    if (file !== 'checked.ts' || index < 0) throw new Error(`outside of the cases: ${file}: ${message}`);
    messages.set(index, [...(messages.get(index) ?? []), message]);
  }
  return messages;
}
