/** Asks a query that somebody is typing about a person, in the browser: the engine's own answer, or every problem with its place (L8, L20). */

import { type Explanation, explain, requiredScopes } from '../../../analysis/index.js';
import { policyTree, type TreeNode } from '../../../analysis/policy-tree.js';
import {
  ClaimSet,
  type CompiledQuery,
  type Credential,
  compile,
  DEFAULT_CLAIMS,
  defaultScopeCatalogue,
  type PredicateResult,
  type ProjectionResult,
  QueryError,
  type QueryProblem,
  type RegexEngine,
  type ScopeCatalogue,
} from '../../../engine/index.js';
import { createServiceCatalogue } from '../../../service/catalogue/service-catalogue.js';
import { createDerivedClaims } from '../../../service/claims/derived-claims.js';
import { type JsonText, readJsonText, type Span } from './json-text.js';

/** Something to tell at a place of the text. */
export interface Note {
  readonly span: Span;
  readonly message: string;
  /** An error keeps the query from being answered; a warning does not. */
  readonly severity: 'error' | 'warning';
}

/** What a query needs of a grant. */
export interface RequiredScopes {
  /** Sets of which any one would do; first the one that reaches least. */
  readonly sets: readonly (readonly string[])[];
  /** Claims of the query that no scope of the catalogue covers. */
  readonly uncovered: readonly string[];
  /** Claims of the query that the service works out from others. */
  readonly derived: readonly string[];
}

interface CompletedWith<Result> {
  readonly result: Result;
  readonly scopes: RequiredScopes;
  /** The query as JSON. */
  readonly query: unknown;
  readonly notes: readonly Note[];
}

/** What comes of asking. */
export type Evaluation =
  | { readonly kind: 'problems'; readonly notes: readonly Note[] }
  | ({
      readonly kind: 'predicate';
      readonly tree: TreeNode;
      /** Works out what would make it come out otherwise; nobody who does not ask waits for that. */
      readonly explain: () => Explanation;
    } & CompletedWith<PredicateResult>)
  | ({ readonly kind: 'projection' } & CompletedWith<ProjectionResult>);

/** An answer that there is. */
export type CompletedEvaluation = Exclude<Evaluation, { readonly kind: 'problems' }>;

/**
 * Asks a text about a person.
 *
 * @param now - Epoch milliseconds.
 */
export type EvaluateText = (text: string, credentials: readonly Credential[], now: number) => Evaluation;

/** Whoever plays is granted whatever they ask about: which scopes that takes is told beside. */
const EVERYTHING: ScopeCatalogue = {
  scopes: ['everything'],
  expand: () => new Set(['everything']),
  coveringScopes: () => ['everything'],
};

/** Decisions that are tried for an explanation while somebody waits. */
const MAX_STEPS = 2_000;

/** Everything that asking needs is made once; the answer depends on nothing but what is asked. */
export function createEvaluateText(regex: RegexEngine): EvaluateText {
  const claimsOf = createClaimsCache(regex);
  const scopesOf = createScopesCache(regex);
  return (text, credentials, now) => {
    const json = readJsonText(text);
    if (json.problem !== undefined) {
      return { kind: 'problems', notes: [{ ...json.problem, severity: 'error' }] };
    }
    try {
      const compiled = compile(json.value, { regex, catalogue: EVERYTHING });
      const person = claimsOf(credentials, now, compiled.claims);
      const result = compiled.evaluate(person.claims, { now, scopes: EVERYTHING.scopes });
      const scopes = scopesOf(compiled);
      const completed = { scopes, query: json.value, notes: uncoveredNotes(json, scopes.uncovered) };
      const { query } = compiled;
      if (result.type === 'projection' || 'projections' in query) {
        return { kind: 'projection', result: result as ProjectionResult, ...completed };
      }
      const options = { now, regex, scopes: EVERYTHING.scopes, catalogue: EVERYTHING, steps: MAX_STEPS };
      return {
        kind: 'predicate',
        result,
        tree: policyTree(query, result.evidence),
        explain: () => explain(query, person.credentials, options),
        ...completed,
      };
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return { kind: 'problems', notes: problemNotes(json, error) };
    }
  };
}

/** What is known of a person. */
interface PersonClaims {
  /** With what follows from them. */
  readonly credentials: readonly Credential[];
  readonly claims: ClaimSet;
}

/** Works out what is known of a person, which stays while they, the instant and the claims that are read do. */
function createClaimsCache(
  regex: RegexEngine,
): (credentials: readonly Credential[], now: number, paths: readonly string[]) => PersonClaims {
  const derivedClaims = createDerivedClaims(createServiceCatalogue(), regex);
  let last:
    | (PersonClaims & { readonly of: readonly Credential[]; readonly paths: readonly string[] })
    | undefined;
  return (of, now, paths) => {
    if (
      last === undefined ||
      last.of !== of ||
      last.claims.metadata.at !== now ||
      !areSame(last.paths, paths)
    ) {
      const credentials = derivedClaims.addTo(of, now, paths);
      last = { of, paths, credentials, claims: ClaimSet.at(credentials, now) };
    }
    return last;
  };
}

/** Works out what a query needs, which depends on the claims that it reads and on nothing else: while those stay, so does the answer. */
function createScopesCache(regex: RegexEngine): (compiled: CompiledQuery) => RequiredScopes {
  let last: { readonly claims: readonly string[]; readonly required: RequiredScopes } | undefined;
  return ({ query, claims }) => {
    if (last === undefined || !areSame(last.claims, claims)) {
      const derived = DEFAULT_CLAIMS.filter((claim) => 'derived' in claim && claims.includes(claim.path));
      const { sets, uncovered } = requiredScopes(query, defaultScopeCatalogue, { regex });
      const reach = (set: readonly string[]) => defaultScopeCatalogue.expand(set).size;
      const required = {
        sets: [...sets].sort((one, other) => reach(one) - reach(other)),
        uncovered,
        derived: derived.map(({ path }) => path),
      };
      last = { claims, required };
    }
    return last.required;
  };
}

function areSame(claims: readonly string[], others: readonly string[]): boolean {
  return claims.length === others.length && claims.every((claim, place) => claim === others[place]);
}

function problemNotes(json: JsonText, { problems, message }: QueryError): readonly Note[] {
  // What is refused for a reason that is nowhere in the text is told of all of it.
  if (problems.length === 0) return [{ span: json.spanOf(''), message, severity: 'error' }];
  return problems.map((problem) => ({
    span: spanOfProblem(problem, json),
    message: problem.message,
    severity: 'error',
  }));
}

/** A member that does not belong is told at its name; one that is missing, where its object begins. */
function spanOfProblem({ code, pointer }: QueryProblem, json: JsonText): Span {
  if (code === 'member_unknown') return json.nameOf(pointer);
  const span = json.spanOf(pointer);
  return code === 'member_missing' || code.startsWith('form_')
    ? { from: span.from, to: span.from + 1 }
    : span;
}

function uncoveredNotes(json: JsonText, uncovered: readonly string[]): readonly Note[] {
  if (uncovered.length === 0) return [];
  const notes: Note[] = [];
  forEachClaim(json.value, '', (claim, pointer) => {
    if (!uncovered.includes(claim)) return;
    notes.push({
      span: json.spanOf(pointer),
      message: `No scope of the default catalogue covers \`${claim}\`: a service with that catalogue refuses this query.`,
      severity: 'warning',
    });
  });
  return notes;
}

/** Visits every `claim` member that is a string: in a query that was understood there are no others. */
function forEachClaim(
  value: unknown,
  pointer: string,
  visit: (claim: string, pointer: string) => void,
): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
    if (name === 'claim' && typeof inner === 'string') visit(inner, `${pointer}/claim`);
    else if (name !== 'value') forEachClaim(inner, `${pointer}/${name}`, visit);
  }
}
