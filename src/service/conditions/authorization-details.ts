/** The parameter `authorization_details`: conditions that are requested, or selected from requested or granted ones (RFC 9396, S287–S291). */
import { satisfiable, tautology } from '../../analysis/index.js';
import { JsonReader } from '../../engine/catalogue/json-reader.js';
import { withOperandChecks } from '../../engine/claims/claim-type.js';
import { readPredicate } from '../../engine/compile/compile.js';
import {
  canonicalText,
  type PolicyItem,
  QueryError,
  type QueryLimits,
  type RegexEngine,
} from '../../engine/index.js';
import { pointerTo } from '../../engine/problems.js';
import { ParseContext } from '../../engine/query/parse-context.js';
import { checksOf, mapChecks } from '../../engine/query/query.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { Application } from '../clients/application.js';
import { ServiceError } from '../errors.js';
import { parseStrictJson } from '../json/strict-json.js';
import {
  AUTHORIZATION_DETAILS_TYPES,
  CONDITION_TYPE,
  type Condition,
  mayRequestConditions,
} from './condition.js';
import { patternCostFault } from './pattern-cost.js';

/** Limit of the parameter in bytes of UTF-8, before percent-encoding, which makes it longer: a URL may have 8 KiB. */
const MAX_BYTES = 4_096;
const MAX_CONDITIONS = 10;
/** Text that is shown to the person: 1 to 200 characters, not all of them blank. */
const PURPOSE = /^(?=.*\S)\P{Cc}{1,200}$/u;
const PURPOSE_FORM = '1 to 200 characters, not all blank, without control characters';
const ENTRIES = `\`authorization_details\` must be an array of 1 to ${MAX_CONDITIONS} objects.`;
const MEMBERS = ['type', 'query', 'purpose'];
/**
 * Steps of each analysis. A query that needs more is accepted without proof, since an unauthenticated caller must not be able to cause
 * costly searches.
 */
const ANALYSIS_STEPS = 500;
const UTF8 = new TextEncoder();

type DetailsCode =
  | 'limit_size'
  | 'limit_entries'
  | 'limit_match_cost'
  | 'type_not_registered'
  | 'condition_repeated'
  | 'condition_not_granted'
  | 'always_false'
  | 'always_true'
  | (string & {});

/** Parses authorization details. */
export interface ConditionParser {
  /**
   * Parses the conditions of an authorization request.
   *
   * @throws {ServiceError} `invalid_authorization_details` with every problem: for JSON that is malformed or too large; for an unknown type, a type
   *   that the application is not registered for, and unknown members; for a query that is invalid, repeated, or reads unknown claims; for a query
   *   that is proven to pass on all claims or on none, and for patterns that are too costly to match.
   */
  parseRequest(text: string, application: Application): readonly Condition[];

  /**
   * Selects conditions of a list by the canonical texts of their queries (RFC 9396 §6), and by `purpose` if it is present. May select none.
   *
   * @param details - A JSON text, or its value.
   * @throws {ServiceError} `invalid_authorization_details` with every problem: for details that are malformed or too large, and for a condition that is
   *   repeated or not in the list.
   */
  select(details: unknown, from: readonly Condition[]): readonly Condition[];
}

/** Rules for the queries of conditions. */
export interface ConditionRules {
  readonly regex: RegexEngine;
  readonly catalogue: ServiceCatalogue;
  readonly limits: Partial<QueryLimits>;
}

/** Creates the parser of a service. */
export function createConditionParser(rules: ConditionRules): ConditionParser {
  return {
    parseRequest: (text, application) => {
      const reader = new DetailsReader(rules);
      const details = parseText(text);
      const conditions = reader.readRequest(details);
      if (Array.isArray(details) && details.length === 0) reader.add('limit_entries', '', ENTRIES);
      if (!mayRequestConditions(application))
        reader.add(
          'type_not_registered',
          '',
          `The client must be registered for the type \`${CONDITION_TYPE}\`.`,
        );
      return reader.resultOf(conditions);
    },
    select: (details, from) => {
      const reader = new DetailsReader(rules);
      return reader.resultOf(
        reader.readSelection(typeof details === 'string' ? parseText(details) : details, from),
      );
    },
  };
}

/** Returns the value of a JSON text. */
function parseText(text: string): unknown {
  if (UTF8.encode(text).length > MAX_BYTES) {
    const message = `\`authorization_details\` must have at most ${MAX_BYTES} bytes in UTF-8.`;
    throw invalidDetails([{ code: 'limit_size', pointer: '', message }]);
  }
  const outcome = parseStrictJson(text);
  if (outcome.accepted) return outcome.value;
  const { problem } = outcome;
  const message = '`authorization_details` must be a JSON array (RFC 8259) in UTF-8.';
  throw invalidDetails([problem.code === 'json_malformed' ? { ...problem, message } : problem]);
}

class DetailsReader extends JsonReader<DetailsCode> {
  readonly #rules: ConditionRules;

  constructor(rules: ConditionRules) {
    super();
    this.#rules = rules;
  }

  readRequest(details: unknown): readonly Condition[] {
    return this.#readEach(details, (entry, pointer) => {
      const purpose = this.matching(entry, 'purpose', pointer, PURPOSE, PURPOSE_FORM);
      const query = this.#readQuery(entry, pointer, true);
      return query === undefined || purpose === undefined ? undefined : { query, purpose };
    });
  }

  readSelection(details: unknown, from: readonly Condition[]): readonly Condition[] {
    return this.#readEach(details, (entry, pointer) => {
      const query = this.#readQuery(entry, pointer, false);
      if (query === undefined) return undefined;
      const found = from.find((condition) => condition.query === query);
      const purpose = entry['purpose'] ?? found?.purpose;
      if (found !== undefined && purpose === found.purpose) return found;
      return this.add(
        'condition_not_granted',
        pointer,
        'The condition must be one of those that were requested or granted.',
      );
    });
  }

  /** Returns the conditions. @throws {ServiceError} If there are problems. */
  resultOf(conditions: readonly Condition[]): readonly Condition[] {
    if (this.reported.length > 0) throw invalidDetails(this.reported);
    return conditions;
  }

  #readEach(
    details: unknown,
    read: (entry: Readonly<Record<string, unknown>>, pointer: string) => Condition | undefined,
  ): readonly Condition[] {
    if (!Array.isArray(details) || details.length > MAX_CONDITIONS) {
      this.add('limit_entries', '', ENTRIES);
      return [];
    }
    const seen = new Set<string>();
    return details.flatMap((value: unknown, index) => {
      const pointer = pointerTo('', index);
      // The members depend on the type, so those of an unknown type are not read.
      const isTyped = typeof value !== 'object' || value === null || this.#readType(value, pointer);
      const entry = isTyped ? this.object(value, pointer, MEMBERS) : undefined;
      const condition = entry && read(entry, pointer);
      if (condition === undefined) return [];
      if (seen.has(condition.query))
        this.add(
          'condition_repeated',
          pointerTo(pointer, 'query'),
          'Two conditions must not have the same query.',
        );
      seen.add(condition.query);
      return [condition];
    });
  }

  #readType(value: object, pointer: string): boolean {
    const entry = value as Readonly<Record<string, unknown>>;
    return this.oneOf(entry, 'type', pointer, AUTHORIZATION_DETAILS_TYPES) !== undefined;
  }

  /** Returns the canonical text of a query. @param isNew - Whether the query must satisfy the rules of conditions. */
  #readQuery(entry: Readonly<Record<string, unknown>>, parent: string, isNew: boolean): string | undefined {
    const pointer = pointerTo(parent, 'query');
    if (entry['query'] === undefined) return this.add('member_missing', parent, '`query` is required.');
    const { regex, catalogue, limits } = this.#rules;
    const context = new ParseContext(
      isNew ? { regex, claims: withOperandChecks(catalogue.definition.claims), limits } : { limits },
    );
    try {
      const query = readPredicate(entry['query'], context);
      if (isNew) this.#checkQuery(query, context, pointer);
      return canonicalText(query);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      for (const problem of error.problems)
        this.push({ ...problem, pointer: `${pointer}${problem.pointer}` });
      return undefined;
    }
  }

  #checkQuery(
    query: PolicyItem,
    { patternSizes, limits: { matchCost } }: ParseContext,
    pointer: string,
  ): void {
    const fault = patternCostFault(query, patternSizes, matchCost);
    if (fault !== undefined) {
      this.add('limit_match_cost', pointer, `The patterns of a condition ${fault}`);
      return;
    }
    const { regex, limits } = this.#rules;
    const options = { regex, limits, steps: ANALYSIS_STEPS };
    const analyzed = withoutPatterns(query);
    if (satisfiable(analyzed, options).answer === 'no')
      this.add('always_false', pointer, 'The query fails on all claims.');
    else if (tautology(analyzed, options).answer === 'yes')
      this.add('always_true', pointer, 'The query passes on all claims.');
  }
}

/**
 * Replaces each check that matches a pattern by a check on a separate claim, which may pass or fail independently of all others: a proof that the
 * result always passes or always fails holds for the query as well. Analyzing patterns can take a minute for a request of a few thousand bytes.
 */
function withoutPatterns(item: PolicyItem): PolicyItem {
  const patterns = new Map<string, number>();
  const prefix = unusedPrefix(item);
  return mapChecks(item, (check) => {
    if (check.operator !== 'matchRegex') return check;
    const key = JSON.stringify([check.claim, check.value]);
    const number = patterns.get(key) ?? patterns.size;
    patterns.set(key, number);
    return { claim: `${prefix}p${number}`, operator: 'isDefined' };
  });
}

/** Returns a prefix of claim paths that no claim of the query has. */
function unusedPrefix(item: PolicyItem): string {
  const claims = checksOf(item).map(({ claim }) => claim);
  let segment = 'pattern';
  while (claims.some((claim) => claim.startsWith(`${segment}.`))) segment += '_';
  return `${segment}.`;
}

type DetailsProblem = DetailsReader['reported'][number];

/** Maximum length of the description, which is part of a URL, without the number of further problems. */
const MAX_DESCRIPTION = 400;

/** Creates the error, whose description names the first problem, in the characters that RFC 6749 §4.1.2.1 allows. */
function invalidDetails(problems: readonly DetailsProblem[]): ServiceError {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const text = `authorization_details${first?.pointer ?? ''}: ${first?.message ?? ''}`;
  const printable = text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');
  const description = `${printable.slice(0, MAX_DESCRIPTION)}${more}`;
  return new ServiceError(
    'invalid_authorization_details',
    { problems, problem_count: problems.length },
    { description },
  );
}
