/** Runs a page's TypeScript snippets in order, and returns their output and the output expected by their comments. */
import { createRequire } from 'node:module';
import { formatWithOptions } from 'node:util';
import ts from 'typescript';
import { vi } from 'vitest';

const require = createRequire(import.meta.url);

/**
 * @param page - The Markdown text. A comment after each `console.log(…)` states the expected output.
 * @param modules - Replacements of modules, by name. The snippets import other modules as installed.
 */
export async function runSnippets(
  page: string,
  modules: Readonly<Record<string, unknown>>,
): Promise<{ readonly expected: readonly (string | undefined)[]; readonly printed: readonly string[] }> {
  const snippet = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text]) => text).join('\n');
  const expected = [...snippet.matchAll(/console\.log\(.*\/\/ (.*)\n/g)].map(([, text]) => text);
  const body = ts.transpile(snippet, {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    esModuleInterop: true,
  });
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const run = new Function('require', 'exports', `return (async () => {${body}})();`);
    await run((name: string) => modules[name] ?? require(name), {});
    return {
      expected,
      printed: log.mock.calls.map((values) => formatWithOptions({ colors: false }, ...values)),
    };
  } finally {
    log.mockRestore();
  }
}
