/** Checks that exported functions and classes have docstrings. */
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

/** Paths without this rule: the command line, and the statements and encryption of the stores. Methods of the store port have docstrings in the port. */
const EXCEPTIONS = ['cli/', 'stores/sealing/', 'stores/statements/'];

it('every exported function declaration and class has a docstring, except in the command line and in the statements and encryption of the stores', () => {
  const files = readSourceFiles().filter(({ path }) => !EXCEPTIONS.some((start) => path.startsWith(start)));
  expect(files.flatMap(({ path, text }) => undocumented(path, text))).toEqual([]);
});
