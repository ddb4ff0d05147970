/** The lines on sign-in and palm are a program, and what the page says of it holds. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const PAGE = readFileSync(new URL('../../docs/consent.md', import.meta.url), 'utf8');
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('the program on the page has the types that the package has', () => {
  const [, text = ''] = /```ts\n([\s\S]*?)```/.exec(PAGE) ?? [];
  const path = `${ROOT}test/docs/consent-snippet.ts`;
  const source = text.replace("'proviso/service'", "'../../src/service/index.js'");
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (name) => (name === path ? source : readFile(name));
  host.fileExists = (name) => name === path || fileExists(name);
  host.getSourceFile = (name, target) => {
    const read = host.readFile(name);
    return read === undefined ? undefined : ts.createSourceFile(name, read, target);
  };
  const program = ts.createProgram([path, `${ROOT}src/text-files.d.ts`], options, host);
  const problems = ts.getPreEmitDiagnostics(program, program.getSourceFile(path));
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});
