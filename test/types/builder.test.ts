/** The builder's types: what compiles, what does not, and for which reason (L2, L14–L18, L20). */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { CASES } from './builder-cases.js';

const FILE = fileURLToPath(new URL('./cases-of-the-builder.ts', import.meta.url));
/** What stands before the first case. */
const HEAD = ["import { createQueryBuilder, p } from '../../src/builder/index.js';"];

describe('of queries written with the builder', () => {
  const messages = messagesByCase();

  it('there are thirty and more, of which a half must not compile', () => {
    const refused = CASES.filter(({ error }) => error !== undefined);
    expect(CASES.length).toBeGreaterThanOrEqual(30);
    expect(refused.length).toBeGreaterThanOrEqual(CASES.length / 2);
    expect(new Set(refused.map(({ why }) => why)).size).toBe(refused.length);
  });

  it.each(CASES.map((one, index) => ({ ...one, index })))('$why', ({ error, index }) => {
    const told = messages.get(index) ?? [];
    if (error === undefined) expect(told).toEqual([]);
    else expect(told.join('\n')).toMatch(error);
  });
});

/** Compiles all cases at once, a line each, and gives what the compiler says of each. */
function messagesByCase(): ReadonlyMap<number, readonly string[]> {
  const text = [...HEAD, ...CASES.map(({ line }, index) => `export const case${index} = ${line};`)].join(
    '\n',
  );
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => path === FILE || fileExists(path);
  host.readFile = (path) => (path === FILE ? text : readFile(path));
  host.getSourceFile = (path, language) =>
    path === FILE ? ts.createSourceFile(path, text, language) : getSourceFile(path, language);
  const program = ts.createProgram([FILE], options, host);
  const messages = new Map<number, string[]>();
  for (const { file, start = 0, messageText } of ts.getPreEmitDiagnostics(program)) {
    const message = ts.flattenDiagnosticMessageText(messageText, '\n');
    if (file?.fileName !== FILE) throw new Error(`outside of the cases: ${file?.fileName}: ${message}`);
    const index = file.getLineAndCharacterOfPosition(start).line - HEAD.length;
    messages.set(index, [...(messages.get(index) ?? []), message]);
  }
  return messages;
}
