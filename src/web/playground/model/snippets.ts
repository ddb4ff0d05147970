/** The query elsewhere: as a line for a shell, and as a program. */
import type { RequiredScopes } from './evaluate.js';
import { toReadableJson } from './gallery.js';

/** What the texts depend on. */
export interface SnippetInput {
  readonly query: unknown;
  readonly scopes: RequiredScopes;
  /** One of the sandbox's people; absent where the credentials are one's own. */
  readonly person?: string;
  /** The service's base URL. */
  readonly baseUrl: string;
}

/** A `curl` command that asks the service, with a token of the sandbox where the person is one of its own. */
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

/** A program that asks the engine, without a service. */
export function typescriptProgram({ query, scopes }: Pick<SnippetInput, 'query' | 'scopes'>): string {
  const [needed = []] = scopes.sets;
  const derived =
    scopes.derived.length === 0
      ? []
      : [
          '// The service works these out from other claims; here a credential attests them:',
          `// ${scopes.derived.join(', ')}`,
        ];
  return [
    `import { ClaimSet, type Credential, compile } from 'proviso';`,
    '',
    `const query = compile(${toReadableJson(query)}); // once`,
    '',
    ...derived,
    'export function ask(credentials: readonly Credential[], now: number) {',
    `  const scopes = ${toReadableJson(needed).replaceAll('"', "'")}; // what the person granted`,
    '  return query.evaluate(ClaimSet.at(credentials, now), { now, scopes });',
    '}',
  ].join('\n');
}

/** One word for a POSIX shell, whatever stands in it. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
