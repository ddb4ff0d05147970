/** Evaluates the edited query in the browser: returns the result, or all problems with their locations (L8, L20). */

import { Explainer } from '../../../analysis/explain.js';
import { type Explanation, requiredScopes } from '../../../analysis/index.js';
import { policyTree, type TreeNode } from '../../../analysis/policy-tree.js';
import { indexCredentials } from '../../../engine/claims/claim-set.js';
import {
  type ClaimSet,
  type CompiledQuery,
  type Credential,
  compile,
  isActiveAt,
  type PredicateResult,
  type ProjectionResult,
  QueryError,
  type QueryProblem,
  type RegexEngine,
  type ScopeCatalogue,
} from '../../../engine/index.js';
import { suggestion } from '../../../engine/names.js';
import {
  createServiceCatalogue,
  type ServiceCatalogue,
} from '../../../service/catalogue/service-catalogue.js';
import { createDerivedClaims } from '../../../service/claims/derived-claims.js';
import { type JsonText, readJsonText, type Span } from '../../../util/json-text.js';
import { withoutSchema } from '../../../util/without-schema.js';

/** A message about a span of the text. */
export interface Note {
  readonly span: Span;
  readonly message: string;
  /** An error prevents the evaluation; a warning does not. */
  readonly severity: 'error' | 'warning';
}

/** The scopes that a query requires. */
export interface RequiredScopes {
  /** Sufficient sets, the narrowest first; empty if a claim is uncovered. */
  readonly sets: readonly (readonly string[])[];
  /** Claims of the query that no scope of the catalogue covers. */
  readonly uncovered: readonly string[];
  /** Claims of the query that the service derives from others. */
  readonly derived: readonly string[];
}

interface CompletedWith<Result> {
  readonly result: Result;
  readonly scopes: RequiredScopes;
  /** The query as JSON. */
  readonly query: unknown;
  readonly notes: readonly Note[];
}

/** The outcome of an evaluation. */
export type Evaluation =
  | { readonly kind: 'problems'; readonly notes: readonly Note[] }
  | ({
      readonly kind: 'predicate';
      readonly tree: TreeNode;
      /** Explains the result; computed on demand. */
      readonly explain: () => Explanation;
      /** Whether the query passes for other credentials. */
      readonly passesFor: (credentials: readonly Credential[]) => boolean;
    } & CompletedWith<PredicateResult>)
  | ({ readonly kind: 'projection' } & CompletedWith<ProjectionResult>);

/** An evaluation without errors. */
export type CompletedEvaluation = Exclude<Evaluation, { readonly kind: 'problems' }>;

/**
 * Evaluates a query, given as text, for the credentials of a person.
 *
 * @param now - Epoch milliseconds.
 */
export type EvaluateText = (text: string, credentials: readonly Credential[], now: number) => Evaluation;

/** Covers every claim: the playground grants all scopes, and shows the required ones separately. */
const EVERYTHING: ScopeCatalogue = {
  scopes: ['everything'],
  expand: () => new Set(['everything']),
  coveringScopes: () => ['everything'],
};

/** Search limit of an explanation. */
const MAX_STEPS = 2_000;

/**
 * Creates the evaluation function, which caches intermediate results.
 *
 * @param catalogue - Default: the default catalogue.
 */
export function createEvaluateText(
  regex: RegexEngine,
  catalogue: ServiceCatalogue = createServiceCatalogue(),
): EvaluateText {
  const addDerived = createAddDerived(regex, catalogue);
  const claimsOf = createClaimsCache(addDerived);
  const scopesOf = createScopesCache(regex, catalogue);
  return (text, credentials, now) => {
    const json = readJsonText(text);
    if (json.problem !== undefined) {
      return { kind: 'problems', notes: [{ ...json.problem, severity: 'error' }] };
    }
    try {
      const source = withoutSchema(json.value);
      const compiled = compile(source, { regex, catalogue: EVERYTHING });
      const person = claimsOf(credentials, now, compiled.claims);
      const result = compiled.evaluate(person.claims, { now, scopes: EVERYTHING.scopes });
      const scopes = scopesOf(compiled);
      const completed = { scopes, query: source, notes: uncoveredNotes(json, scopes.uncovered, catalogue) };
      const { query } = compiled;
      if (result.type === 'projection' || 'projections' in query) {
        return { kind: 'projection', result: result as ProjectionResult, ...completed };
      }
      const { claims } = catalogue.definition;
      const options = { regex, steps: MAX_STEPS };
      return {
        kind: 'predicate',
        result,
        tree: policyTree(query, result.evidence),
        // Unlike the function `explain`, accepts claims that the catalogue does not list.
        explain: () => new Explainer(query, compiled, { ...person, now }, claims, options).explain(),
        passesFor: (others) => compiled.test(indexCredentials(addDerived(others, now, compiled.claims), now)),
        ...completed,
      };
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return { kind: 'problems', notes: problemNotes(json, error) };
    }
  };
}

/** Adds those derived claims among `paths` to a person's credentials. */
type AddDerived = (
  credentials: readonly Credential[],
  now: number,
  paths: readonly string[],
) => readonly Credential[];

/**
 * Creates a function that derives claims as the service does. Unlike the service, it keeps the attested values of a derived claim if no active credential
 * has the parent claim: witnesses of the static analysis have derived claims without their parents, and so may the user's own credentials.
 */
function createAddDerived(regex: RegexEngine, catalogue: ServiceCatalogue): AddDerived {
  const derivedClaims = createDerivedClaims(catalogue, regex);
  const parents = catalogue.definition.claims.flatMap(({ path, derived }) =>
    derived === undefined ? [] : [{ path, parent: derived.parent }],
  );
  return (credentials, now, paths) => {
    const active = credentials.filter((credential) => isActiveAt(credential, now));
    const kept = parents.filter(({ parent }) => !active.some(({ claims }) => Object.hasOwn(claims, parent)));
    const isKept = (name: string) => kept.some(({ path }) => `${name}.`.startsWith(`${path}.`));
    return derivedClaims.addTo(
      credentials,
      now,
      paths.filter((path) => !isKept(path)),
    );
  };
}

/** The claims of a person. */
interface PersonClaims {
  /** Including derived claims. */
  readonly credentials: readonly Credential[];
  readonly claims: ClaimSet;
}

/** Creates a function that derives the claims of a person, and caches the last result. */
function createClaimsCache(
  addDerived: AddDerived,
): (credentials: readonly Credential[], now: number, paths: readonly string[]) => PersonClaims {
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
      const credentials = addDerived(of, now, paths);
      last = { of, paths, credentials, claims: indexCredentials(credentials, now) };
    }
    return last;
  };
}

/** Creates a function that determines the scopes that a query requires, and caches the last result, which depends only on the claims of the query. */
function createScopesCache(
  regex: RegexEngine,
  { definition, scopes: catalogue }: ServiceCatalogue,
): (compiled: CompiledQuery) => RequiredScopes {
  let last: { readonly claims: readonly string[]; readonly required: RequiredScopes } | undefined;
  return ({ query, claims }) => {
    if (last === undefined || !areSame(last.claims, claims)) {
      const derived = definition.claims.filter(
        (claim) => claim.derived !== undefined && claims.includes(claim.path),
      );
      const { sets, uncovered } = requiredScopes(query, catalogue, { regex });
      const reach = (set: readonly string[]) => catalogue.expand(set).size;
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
  // An error without a location applies to the whole text.
  if (problems.length === 0) return [{ span: json.spanOf(''), message, severity: 'error' }];
  return problems.map((problem) => ({
    span: spanOfProblem(problem, json),
    message: problem.message,
    severity: 'error',
  }));
}

/** Returns the span of a problem: the name of an unknown member, the opening brace of an object whose members are wrong, or the value itself. */
function spanOfProblem({ code, pointer }: QueryProblem, json: JsonText): Span {
  if (code === 'member_unknown') return json.nameOf(pointer);
  const span = json.spanOf(pointer);
  return code === 'member_missing' || code.startsWith('form_')
    ? { from: span.from, to: span.from + 1 }
    : span;
}

function uncoveredNotes(
  json: JsonText,
  uncovered: readonly string[],
  { definition }: ServiceCatalogue,
): readonly Note[] {
  if (uncovered.length === 0) return [];
  const notes: Note[] = [];
  forEachClaim(json.value, '', (claim, pointer) => {
    if (!uncovered.includes(claim)) return;
    const hint = suggestion(
      claim,
      definition.claims.map(({ path }) => path),
    );
    notes.push({
      span: json.spanOf(pointer),
      message: `No scope of the catalogue covers \`${claim}\`: a service with this catalogue rejects the query.${hint}`,
      severity: 'warning',
    });
  });
  return notes;
}

/** Visits every `claim` member of a valid query. */
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
