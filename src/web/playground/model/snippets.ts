/** Generates code for the current query: a `curl` command and a TypeScript program. */
import type { RequiredScopes } from './evaluate.js';
import { toReadableJson } from './gallery.js';

/** The input of the snippets. */
export interface SnippetInput {
  readonly query: unknown;
  readonly scopes: RequiredScopes;
  /** A sample person; absent for the user's own credentials. */
  readonly person?: string;
  /** The service's base URL. */
  readonly baseUrl: string;
}

/** Returns a `curl` command that evaluates the query, with a sandbox token for a sample person. */
export function curlLine({ query, scopes, person, baseUrl }: SnippetInput): string {
  const [needed = []] = scopes.sets;
  const token =
    person === undefined
      ? '$TOKEN'
      : `$(npx proviso sandbox token --user ${person} --scope "${needed.join(' ')}")`;
  const lines = [
    `curl -sS ${baseUrl}/queries/evaluate`,
    `  -H "Authorization: Bearer ${token}"`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${shellQuoted(JSON.stringify({ query }))}`,
  ];
  return lines.join(' \\\n');
}

/** Returns a TypeScript program that evaluates the query with the engine. */
export function typescriptProgram({ query, scopes }: Pick<SnippetInput, 'query' | 'scopes'>): string {
  const patterns = JSON.stringify(query).includes('"matchRegex"');
  const [needed = []] = scopes.sets;
  const derived =
    scopes.derived.length === 0
      ? []
      : [
          '// The service derives these claims from others; the engine expects a credential that attests them:',
          `// ${scopes.derived.join(', ')}`,
        ];
  return [
    `import { ClaimSet, type Credential, compile${patterns ? ', re2js' : ''} } from 'proviso';`,
    '',
    `const query = compile(${toReadableJson(query)}${patterns ? ', { regex: re2js }' : ''}); // once`,
    '',
    ...derived,
    'export function evaluate(credentials: readonly Credential[], now: number) {',
    `  const scopes = ${toReadableJson(needed).replaceAll('"', "'")}; // what the person granted`,
    '  return query.evaluate(ClaimSet.at(credentials, now), { scopes });',
    '}',
  ].join('\n');
}

/** Quotes a string for a POSIX shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
