/** Checks that public functions and classes have docstrings. */
import ts from 'typescript';
import { expect, it } from 'vitest';
import { readSourceFiles } from './source-files.js';

/** Exported functions and classes without a docstring. Types are exempt: they have neither effects nor exceptions. */
function undocumented(path: string, text: string): readonly string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return (
    source.statements
      .filter((node) => ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node))
      .filter((node) => node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      // Of overloads, the first has the docstring.
      .filter((node, index, nodes) => nodes[index - 1]?.name?.text !== node.name?.text)
      .filter((node) => ts.getJSDocCommentsAndTags(node).length === 0)
      .map((node) => `${path}: ${node.name?.text}`)
  );
}

it('every exported function and class of a public layer has a docstring', () => {
  const layers = [
    'engine',
    'analysis',
    'builder',
    'codegen',
    'convert',
    'describe',
    'policy-set',
    'policy-tests',
    'client',
    'regex',
    'sql',
    'testing',
    'service',
    'system',
    'http',
    '',
  ];
  const files = readSourceFiles().filter(({ layer }) => layers.includes(layer));
  expect(files.flatMap(({ path, text }) => undocumented(path, text))).toEqual([]);
});
