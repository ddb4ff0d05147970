/** Generates code for the current query: a `curl` command and a TypeScript program. */
import { type ScopeDefinition, toScopeDefinitions } from '../../../engine/index.js';
import type { ServiceCatalogue } from '../../../service/catalogue/service-catalogue.js';
import { shellQuoted } from '../../../util/shell-quoted.js';
import type { RequiredScopes } from './evaluate.js';
import { toReadableJson } from './format-json.js';

/** The input of the snippets. */
export interface SnippetInput {
  readonly query: unknown;
  readonly scopes: RequiredScopes;
  /** A sample person; absent for the user's own credentials. */
  readonly person?: string;
  /** The service's base URL. */
  readonly baseUrl: string;
  /** The user's own catalogue. Default: the default catalogue. */
  readonly catalogue?: ServiceCatalogue;
}

/** Returns a `curl` command that evaluates the query, with a sandbox token for the sample person, or `$TOKEN` without one. */
export function curlLine({ query, scopes, person, baseUrl }: SnippetInput): string {
  const [needed = []] = scopes.sets;
  const token =
    person === undefined
      ? '$TOKEN'
      : `$(npx proviso sandbox token --person ${person} --scope "${needed.join(' ')}")`;
  const lines = [
    `curl -sS ${baseUrl}/queries/evaluate`,
    `  -H "Authorization: Bearer ${token}"`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${shellQuoted(JSON.stringify({ query }))}`,
  ];
  return lines.join(' \\\n');
}

/** Returns a TypeScript program that evaluates the query with the engine. */
export function typescriptProgram({
  query,
  scopes,
  catalogue,
}: Pick<SnippetInput, 'query' | 'scopes' | 'catalogue'>): string {
  const patterns = JSON.stringify(query).includes('"matchRegex"');
  const [needed = []] = scopes.sets;
  const derived =
    scopes.derived.length === 0
      ? []
      : [
          '// The service derives these claims from others; the engine expects a credential that attests them:',
          `// ${scopes.derived.join(', ')}`,
        ];
  const names = [
    'compile',
    ...(catalogue === undefined ? [] : ['createScopeCatalogue']),
    ...(patterns ? ['re2js'] : []),
  ];
  const options = [...(patterns ? ['regex: re2js'] : []), ...(catalogue === undefined ? [] : ['catalogue'])];
  return [
    `import { ClaimSet, type Credential, ${names.join(', ')} } from 'proviso';`,
    '',
    ...(catalogue === undefined
      ? []
      : [`const catalogue = createScopeCatalogue(${toReadableJson(definitionsOf(needed, catalogue))});`, '']),
    `const query = compile(${literalOf(query)}${options.length === 0 ? '' : `, { ${options.join(', ')} }`}); // once`,
    '',
    ...derived,
    'export function evaluate(credentials: readonly Credential[], now: number) {',
    `  const scopes = ${toReadableJson(needed).replaceAll('"', "'")}; // what the person granted`,
    '  return query.evaluate(ClaimSet.at(credentials, now), { scopes });',
    '}',
  ].join('\n');
}

/** Returns the expression for a JSON value. In a literal, a plain `__proto__` would set the prototype. */
function literalOf(value: unknown): string {
  // A quote after a backslash is part of a name.
  return toReadableJson(value).replaceAll(/(?<!\\)"__proto__":/g, '["__proto__"]:');
}

/** Returns the definitions of scopes and of the scopes that they imply. */
function definitionsOf(
  names: readonly string[],
  { definition: { scopes, claims }, scopes: catalogue }: ServiceCatalogue,
): readonly ScopeDefinition[] {
  const expanded = catalogue.expand(names);
  return toScopeDefinitions(scopes, claims).filter(({ name }) => expanded.has(name));
}
