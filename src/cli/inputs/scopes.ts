/** The options `--scope` and `--all-scopes`: the scopes that a person granted. */
import { requiredScopes } from '../../analysis/index.js';
import { didYouMean, MAX_SUGGESTED_CODE_UNITS } from '../../engine/names.js';
import { type CompiledQuery, QueryError } from '../../index.js';
import { CommandError, EXIT } from '../output.js';
import { joinScopeLists, parseScopeList } from '../scope-list.js';
import type { CommandCatalogue } from './catalogue.js';

export const SCOPE_OPTION = [
  '--scope <scopes>',
  'the scopes that the person granted, separated by spaces',
  joinScopeLists,
] as const;
export const ALL_SCOPES_OPTION = ['--all-scopes', 'all scopes of the catalogue'] as const;

export interface ScopeOptions {
  /** Separated by spaces, as in OAuth. */
  readonly scope?: string;
  readonly allScopes?: boolean;
}

/**
 * Reads the granted scopes, and asserts that they cover a query.
 *
 * @returns The scopes; none where the catalogue is `none`.
 * @throws {CommandError} If the options are missing, contradict each other, name an unknown scope, or do not cover every
 *   claim.
 */
export function readGrantedScopes(
  compiled: CompiledQuery,
  options: ScopeOptions,
  catalogue: CommandCatalogue,
): readonly string[] {
  if (catalogue.scopes === 'none') {
    if (options.scope === undefined && options.allScopes !== true) return [];
    throw new CommandError('--catalogue none has no scopes: omit --scope and --all-scopes', EXIT.usage);
  }
  const { scopes: known } = catalogue.scopes;
  if (options.scope !== undefined && options.allScopes === true)
    throw new CommandError('--scope and --all-scopes must not be used together', EXIT.usage);
  const [required] = requiredScopes(compiled.query, catalogue.scopes).sets;
  const need = required === undefined ? undefined : `this query needs --scope "${required.join(' ')}"`;
  const granted =
    options.allScopes === true
      ? known
      : options.scope === undefined
        ? undefined
        : parseKnownScopes(options.scope, known, need ?? (catalogue.isOwn ? undefined : OWN_CLAIMS_HINT));
  if (granted === undefined && need !== undefined)
    throw new CommandError(`--scope or --all-scopes is required; ${need}`, EXIT.usage);
  assertCovered(compiled, granted ?? [], catalogue);
  return granted ?? [];
}

/** For queries on claims that the default catalogue does not have. */
const OWN_CLAIMS_HINT =
  'For claims of your own, use --catalogue <file>, or --catalogue none for claims without scopes.';

/** Parses a list of scopes. @throws {CommandError} If commas separate them; with the hint, if the catalogue does not have one of them. */
function parseKnownScopes(
  list: string,
  known: readonly string[],
  hint: string | undefined,
): readonly string[] {
  const scopes = parseScopeList(list);
  if (list.includes(',')) {
    const separated = list.split(/[\s,]+/).filter((scope) => scope !== '');
    throw new CommandError(
      `--scope must be separated by spaces, not commas: --scope "${separated.join(' ')}"`,
      EXIT.usage,
    );
  }
  const unknown = scopes.filter((scope) => !known.includes(scope));
  if (unknown.length === 0) return scopes;
  const lines = unknown.map((scope) => {
    const nearest =
      known.find((name) => name.startsWith(scope)) ?? didYouMean(scope, known, MAX_SUGGESTED_CODE_UNITS);
    return `  ${scope}${nearest === undefined ? '' : `: did you mean ${nearest}?`}`;
  });
  throw new CommandError(
    [
      'the catalogue has no such scope (`proviso catalogue` lists all):',
      ...lines,
      ...(hint === undefined ? [] : [hint]),
    ].join('\n'),
    EXIT.usage,
  );
}

function assertCovered(
  compiled: CompiledQuery,
  scopes: readonly string[],
  { claims = [], isOwn }: CommandCatalogue,
): void {
  try {
    compiled.assertCovered(scopes);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const paths = claims.map(({ path }) => path);
    const lines = error.missing.map(({ claim, scopes: covering }) => {
      if (covering.length > 0) return `  ${claim}: --scope ${covering.join(' or ')}`;
      const nearest = didYouMean(claim, paths, MAX_SUGGESTED_CODE_UNITS);
      return `  ${claim}: no scope covers it${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
    });
    const isUncovered = error.missing.some(({ scopes: covering }) => covering.length === 0);
    const hint = isUncovered && !isOwn ? [OWN_CLAIMS_HINT] : [];
    const message = ['the scopes do not cover every claim of the query:', ...lines, ...hint];
    throw new CommandError(message.join('\n'), EXIT.usage);
  }
}
