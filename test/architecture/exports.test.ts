/** Public functions and classes have docstrings. */
import ts from 'typescript';
import { expect, it } from 'vitest';
import { readSourceFiles } from './source-files.js';

/** Functions and classes, whose effects and exceptions a name does not express. */
function undocumented(path: string, text: string): readonly string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return source.statements
    .filter((node) => ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node))
    .filter((node) => node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .filter((node) => ts.getJSDocCommentsAndTags(node).length === 0)
    .map((node) => `${path}: ${node.name?.text}`);
}

it('every exported function and class of a public layer has a docstring', () => {
  const rooms = [
    'engine',
    'analysis',
    'builder',
    'client',
    'regex',
    'sql',
    'testing',
    'service',
    'system',
    'http',
    '',
  ];
  const files = readSourceFiles().filter(({ room }) => rooms.includes(room));
  expect(files.flatMap(({ path, text }) => undocumented(path, text))).toEqual([]);
});
