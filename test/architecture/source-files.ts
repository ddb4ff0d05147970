/** Reads the source tree for the architecture tests: layers, files and their imports. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface SourceFile {
  /** Path from `src/`, with forward slashes. */
  readonly path: string;
  /** First folder of the path; `''` for files directly in `src/`. */
  readonly layer: string;
  readonly text: string;
  readonly imports: readonly SourceImport[];
}

export interface SourceImport {
  readonly specifier: string;
  /** Path from `src/` for a relative import; `undefined` for a package. */
  readonly target: string | undefined;
  /** Whether only types are imported. */
  readonly typeOnly: boolean;
}

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

/** Reads every TypeScript file under `src/`. */
export function readSourceFiles(): readonly SourceFile[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => path.replaceAll('\\', '/'))
    .map((path) => {
      const text = readFileSync(join(SRC, path), 'utf8');
      return { path, layer: layerOf(path), text, imports: importsOf(path, text) };
    });
}

/** The layer of a path from `src/`; `''` for files directly in `src/`. */
export function layerOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : '';
}

function importsOf(path: string, text: string): readonly SourceImport[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: SourceImport[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const { moduleSpecifier } = node;
      if (moduleSpecifier && ts.isStringLiteral(moduleSpecifier)) {
        imports.push(toImport(path, moduleSpecifier.text, isTypeOnly(node)));
      }
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier && ts.isStringLiteral(specifier)) imports.push(toImport(path, specifier.text, false));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return imports;
}

function toImport(path: string, specifier: string, typeOnly: boolean): SourceImport {
  if (!specifier.startsWith('.')) return { specifier, target: undefined, typeOnly };
  const target = posix.join(dirname(path), specifier).replace(/\.js$/, '.ts');
  return { specifier, target: relative('.', target).replaceAll('\\', '/'), typeOnly };
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) {
    const named = node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
    return node.isTypeOnly || (named.length > 0 && named.every((element) => element.isTypeOnly));
  }
  const clause = node.importClause;
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const named =
    clause.namedBindings && ts.isNamedImports(clause.namedBindings) ? clause.namedBindings.elements : [];
  return clause.name === undefined && named.length > 0 && named.every((element) => element.isTypeOnly);
}
