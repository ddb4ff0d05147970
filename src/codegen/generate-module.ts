/** Generates the source text of a standalone module that tests one query: no imports except `re2js`, and no code from strings at run time. */
import { createHash } from 'node:crypto';
import { withOperandChecks } from '../engine/claims/claim-type.js';
import { readPredicate, resultLifetime } from '../engine/compile/compile.js';
import { COST_OF_SEARCH, type PlannedCheck, type PlannedItem, planItem } from '../engine/compile/plan.js';
import { assertName, joinNames } from '../engine/names.js';
import { OPERATORS } from '../engine/operators/operators.js';
import { assertOptions } from '../engine/options.js';
import { ParseContext, type QueryLimits } from '../engine/query/parse-context.js';
import { canonicalText } from '../engine/query/query.js';
import { type CatalogueClaim, CLAIM_TYPES } from '../engine/scopes/catalogue.js';
import { assertArray, wrongType } from '../engine/value-types.js';
import { re2js } from '../regex/re2js.js';
import { MS_PER_SECOND } from '../util/time.js';
import { parenthesized, renderCheck, type ValueAccess } from './check-expressions.js';
import { renderDeclarations } from './declarations.js';
import { renderHelpers } from './helpers.js';
import { toLiteral } from './literals.js';
import { ModuleConstants } from './module-constants.js';

/** The formats of modules: ECMAScript modules, and CommonJS. */
export const MODULE_FORMATS = ['esm', 'cjs'] as const;

export type ModuleFormat = (typeof MODULE_FORMATS)[number];

/** Names of the formats in other tools, for which {@link assertName} would suggest no format, or the wrong one. */
const FORMAT_ALIASES: ReadonlyMap<unknown, ModuleFormat> = new Map([
  ['mjs', 'esm'],
  ['module', 'esm'],
  ['commonjs', 'cjs'],
]);

/** Options of {@link generateModule}. */
export interface GenerateOptions {
  /** Default: `'esm'`. */
  readonly format?: ModuleFormat;
  /** Whether the module also exports `evaluate`, which returns the result with its evidence. Default: `false`. */
  readonly evidence?: boolean;
  /**
   * The claims of a catalogue, such as `DEFAULT_CLAIMS`. The declarations have their types, and a query that reads
   * another claim is rejected. By default, the query may read all claims, which are typed as JSON.
   */
  readonly claims?: readonly CatalogueClaim[];
  /** `'allow'`: the query may read claims that `claims` does not list. Default: `'reject'`. */
  readonly unknownClaims?: 'reject' | 'allow';
  /** Changes to the default limits (L7). */
  readonly limits?: Partial<QueryLimits>;
  /** Lifetime of a result in which no credential expires, in seconds; 300 by default (L22). */
  readonly resultLifetimeSeconds?: number;
}

const OPTIONS: readonly (keyof GenerateOptions)[] = [
  'format',
  'evidence',
  'claims',
  'unknownClaims',
  'limits',
  'resultLifetimeSeconds',
];

/** A generated module. The same query and options give the same texts. */
export interface GeneratedModule {
  /** The source text of the module. */
  readonly code: string;
  /** Its declarations: the text of a `.d.ts` file. */
  readonly types: string;
  /** The distinct claim paths that the query reads, in order of first use. */
  readonly claims: readonly string[];
  /** SHA-256 of the query's canonical text (L25), in hexadecimal digits. */
  readonly hash: string;
}

/**
 * Generates a module that tests a check or a policy as the engine does, for a build step.
 *
 * The module exports `test(record)`, `claims` and, with the option `evidence`, `evaluate(record, { now })`. A record is
 * an object of claims by path, or a claim set. The module imports nothing, except `re2js` where a pattern requires it.
 * It checks no scopes.
 *
 * @param query - A check or a policy, as JSON or as returned by `parse`.
 * @throws {QueryError} `invalid_query` or `query_too_large`, with every problem; `invalid_query` for projections.
 * @throws {TypeError} When an option is unknown or has another type, or `format` or `unknownClaims` is not one of the allowed names.
 * @throws {RangeError} When a limit or `resultLifetimeSeconds` is out of range.
 * @see L1–L25
 * @example
 * generateModule({ check: { claim: 'identity.age', operator: '>=', value: 18 } }).code
 */
export function generateModule(query: unknown, options: GenerateOptions = {}): GeneratedModule {
  assertOptions(options, OPTIONS);
  const { format = 'esm', evidence = false, claims: catalogue = [], unknownClaims = 'reject' } = options;
  assertFormat(format);
  assertName('`unknownClaims`', ['reject', 'allow'], unknownClaims);
  if (typeof evidence !== 'boolean') throw wrongType('`evidence`', 'a boolean', evidence);
  const lifetimeSeconds = resultLifetime(options.resultLifetimeSeconds);
  assertArray('`claims`, such as `catalogue.claims`,', catalogue);
  for (const claim of catalogue)
    if (!isCatalogueClaim(claim)) throw wrongType('each of `claims`', 'a claim of a catalogue', claim);
  const readable =
    unknownClaims === 'reject' && options.claims !== undefined ? withOperandChecks(catalogue) : undefined;
  const context = new ParseContext({ regex: re2js, limits: options.limits, claims: readable });
  const parsed = readPredicate(query, context);
  const checks: PlannedCheck[] = [];
  const item = planItem(parsed, context.patterns, checks);
  const hash = createHash('sha256').update(canonicalText(parsed)).digest('hex');
  const module = new ModuleText(item, checks, context.limits.matchCost);
  return Object.freeze<GeneratedModule>({
    code: module.render({ format, evidence, lifetimeSeconds, hash }),
    types: renderDeclarations(module, { evidence, hash, catalogue }),
    claims: Object.freeze([...module.claims]),
    hash,
  });
}

function assertFormat(format: unknown): void {
  const meant = FORMAT_ALIASES.get(format);
  if (meant !== undefined)
    throw new TypeError(
      `\`format\` must be one of ${joinNames(MODULE_FORMATS)} (got \`${format}\`). Did you mean \`${meant}\`?`,
    );
  assertName('`format`', MODULE_FORMATS, format);
}

interface RenderOptions {
  readonly format: ModuleFormat;
  readonly evidence: boolean;
  readonly lifetimeSeconds: number;
  readonly hash: string;
}

/** The text of a module, from the plan of its query. */
class ModuleText {
  /** The distinct claims of the query, in order of first use. */
  readonly claims: readonly string[];
  /** The claims, and the parent claims that may contain them (L13). */
  readonly paths: readonly string[];
  readonly #item: PlannedItem;
  readonly #checks: readonly PlannedCheck[];
  readonly #constants: ModuleConstants;

  constructor(item: PlannedItem, checks: readonly PlannedCheck[], matchCost: number) {
    this.#item = item;
    this.#checks = checks;
    this.#constants = new ModuleConstants(checks, matchCost);
    this.claims = [...new Set(checks.map(({ claim }) => claim.path))];
    const parents = checks.flatMap(({ claim }) => claim.parents.map(({ path }) => path));
    this.paths = [...new Set([...this.claims, ...parents])];
  }

  render({ format, evidence, lifetimeSeconds, hash }: RenderOptions): string {
    const functions = [this.#renderTest(), ...(evidence ? [this.#renderEvaluate()] : [])].join('\n');
    const constants = [
      `const claims = Object.freeze(${toLiteral(this.claims)});`,
      `const paths = ${this.paths.length === this.claims.length ? 'claims' : toLiteral(this.paths)};`,
      ...(evidence ? [`const LIFETIME_MS = ${lifetimeSeconds * MS_PER_SECOND};`] : []),
      this.#constants.render(),
    ];
    const body = `${this.#renderInherits()}\n${this.#constants.renderGuard()}\n${functions}`;
    const names = ['test', ...(evidence ? ['evaluate'] : []), 'claims'];
    const lines = [
      `// Generated by Proviso from the query with the SHA-256 ${hash}. Do not edit.`,
      ...(format === 'cjs' ? ['"use strict";'] : []),
      ...(this.#constants.importsRe2js ? [IMPORTS[format]] : []),
      '',
      ...constants,
      renderHelpers(body),
      body,
      format === 'esm'
        ? `export { ${names.join(', ')} };`
        : names.map((name) => `exports.${name} = ${name};`).join('\n'),
    ];
    return `${lines.join('\n').replace(/\n{3,}/g, '\n\n')}\n`;
  }

  /** Renders the function that detects claims in the prototype of all objects. */
  #renderInherits(): string {
    const names = this.paths.map((path) => `${toLiteral(path)} in Object.prototype`);
    return `
/** Whether every object inherits one of the claims: then, reading a member does not show whether it is the object's own. */
const inherits = () =>
  ${names.join(' ||\n  ')};
`;
  }

  /**
   * Renders the start of a function: whether the record can be read without a copy, which is so for a plain object that has the claim of the
   * first evaluated check. Most records are such objects. The test is inlined, so that V8 decides it once per shape of records. `try` replaces comparisons
   * with `null` and `undefined`, which V8 would not remove.
   *
   * @param first - Reads the claim of the check that is evaluated first.
   */
  #renderPlainTest(record: string, first: string): string {
    return `
  let isPlainRecord = false;
  try {
    isPlainRecord =
      ${first} !== undefined && Object.getPrototypeOf(${record}) === Object.prototype && !inherits();
  } catch {
    // \`toClaims\` reports what is wrong with the record.
  }`;
  }

  /** Returns the check that `test` evaluates first. */
  #firstCheck(): PlannedCheck {
    let item = this.#item;
    while (item.kind !== 'check') {
      const [first] = item.kind === 'not' ? [item.item] : cheapestFirst(item.items);
      // Parsing rejects empty groups.
      item = first as PlannedItem;
    }
    return item;
  }

  #renderTest(): string {
    const first = toLiteral(this.#firstCheck().claim.path);
    return `
/**
 * Tests whether a record passes. Throws a TypeError for a record of a wrong type, and for a claim that it reads and that is not JSON, and a RangeError if
 * matching patterns would exceed the cost limit.
 */
function test(record) {
  let v;${this.#renderPlainTest('record', `(v = record[${first}])`)}
  if (!isPlainRecord) v = (record = toClaims(record))[${first}];
  return ${this.#renderItem(this.#item, '  ')};
}
`;
  }

  /** Renders an item with short-circuit evaluation, cheapest items first. The order does not change the outcome. */
  #renderItem(item: PlannedItem, indent: string): string {
    switch (item.kind) {
      case 'check':
        return renderCheck(item, readOf(item, item === this.#firstCheck()), this.#constants);
      case 'not':
        return `!${parenthesized(this.#renderItem(item.item, indent))}`;
      case 'allOf':
      case 'anyOf': {
        const inner = `${indent}  `;
        const operator = item.kind === 'allOf' ? '&&' : '||';
        const items = cheapestFirst(item.items).map((each) => parenthesized(this.#renderItem(each, inner)));
        return items.length === 1
          ? items.join('')
          : `(\n${inner}${items.join(` ${operator}\n${inner}`)}\n${indent})`;
      }
    }
  }

  #renderEvaluate(): string {
    const reads = this.claims.map((path, index) => {
      const check = this.#checks.find(({ claim }) => claim.path === path) as PlannedCheck;
      return `  const claim${index} = ${readAsJson(check)};`;
    });
    const outcomes = this.#checks.map((check) => {
      const name = `claim${this.claims.indexOf(check.claim.path)}`;
      const value = {
        first: name,
        again: name,
        json: name,
        fails: 'false',
        isDefined: `${name} !== undefined`,
      };
      return `  const passed${check.position} = ${renderCheck(check, value, this.#constants)};`;
    });
    // Object literals, not calls of a function that creates them: V8 inlines a limited number of calls into one function.
    const used = this.claims.map(
      (path, index) => `{ path: ${toLiteral(path)}, value: claim${index}, credentialId: "", source: "" }`,
    );
    const results = this.#checks.map(({ claim, operator, expectedValue, position }) => {
      const value = `claim${this.claims.indexOf(claim.path)}`;
      const expected = `claim: ${toLiteral(claim.path)}, operator: ${toLiteral(operator)}, expectedValue: ${this.#constants.operand(expectedValue)}`;
      return `${value} === undefined
      ? { ${expected}, passed: passed${position} }
      : { ${expected}, actualValue: ${value}, passed: passed${position} }`;
    });
    const undefinedClaim = this.claims.map((_, index) => `claim${index} === undefined`).join(' || ');
    return `
/** Evaluates the query and returns the result with its evidence. \`now\`: the instant of evaluation, in epoch milliseconds. */
function evaluate(given, options) {
${this.#renderPlainTest('given', `given[${toLiteral(this.#firstCheck().claim.path)}]`).slice(1)}
  const record = isPlainRecord ? given : toClaims(given);
  const at = record === given ? options?.now : instantOf(given, options?.now);
  if (at !== now) setNow(at);
${reads.join('\n')}
${outcomes.join('\n')}
  const all = [
    ${used.join(',\n    ')},
  ];
  const claimsUsed = ${undefinedClaim} ? all.filter(({ value }) => value !== undefined) : all;
  const checkResults = [
    ${results.join(',\n    ')},
  ];
  return {
    type: "predicate",
    passed: ${renderVerdict(this.#item)},
    evaluatedAt,
    evidence: { claimsUsed, checkResults },
    expiresAt: record === given ? expiresAt : attest(given, claimsUsed),
  };
}
`;
  }
}

const IMPORTS: Readonly<Record<ModuleFormat, string>> = {
  esm: 'import { RE2JS } from "re2js";',
  cjs: 'const { RE2JS } = require("re2js");',
};

/**
 * Returns how `test` reads the claim of a check. For comparisons, it validates a value as JSON only if its type is not the operand's.
 *
 * @param isRead - Whether the variable `v` already has the claim's value.
 */
function readOf(check: PlannedCheck, isRead: boolean): ValueAccess {
  const path = toLiteral(check.claim.path);
  if (!isDirect(check)) {
    const first = `v = find(record, ${path})`;
    return { first, again: 'v', json: first, fails: 'false', isDefined: 'v !== undefined' };
  }
  const value = isRead ? 'v' : `record[${path}]`;
  return {
    first: isRead ? 'v' : `v = ${value}`,
    again: 'v',
    json: `v = json(${value}, ${path})`,
    fails: `fails(v, ${path})`,
    isDefined: `isDefined(v, ${path})`,
  };
}

/** Renders the value of a claim as JSON. */
function readAsJson(check: PlannedCheck): string {
  const path = toLiteral(check.claim.path);
  return isDirect(check) ? `json(record[${path}], ${path})` : `find(record, ${path})`;
}

/** Renders the verdict from the outcomes of all checks (L19). */
function renderVerdict(item: PlannedItem): string {
  switch (item.kind) {
    case 'check':
      return `passed${item.position}`;
    case 'not':
      return `!${parenthesized(renderVerdict(item.item))}`;
    case 'allOf':
    case 'anyOf':
      return item.items
        .map((each) => parenthesized(renderVerdict(each)))
        .join(item.kind === 'allOf' ? ' && ' : ' || ');
  }
}

function cheapestFirst(items: readonly PlannedItem[]): readonly PlannedItem[] {
  return [...items].sort((one, other) => costOf(one) - costOf(other));
}

/** Returns the cost of an item. The plan's cost depends on how many claim paths the process has used, and the text must not. */
function costOf(item: PlannedItem): number {
  switch (item.kind) {
    case 'check':
      return OPERATORS[item.operator].cost(item.operand as never) + (isDirect(item) ? 0 : COST_OF_SEARCH);
    case 'not':
      return costOf(item.item);
    case 'allOf':
    case 'anyOf':
      return item.items.reduce((sum, each) => sum + costOf(each), 0);
  }
}

/** Returns whether a claim cannot be a member of another one (L13). */
function isDirect({ claim }: PlannedCheck): boolean {
  return claim.parents.length === 0;
}

/** Returns whether the members that are read have the types of a catalogue's claim. `ParseContext` asserts the path, unless unknown claims are allowed. */
function isCatalogueClaim(claim: unknown): boolean {
  const {
    type,
    values = [],
    description = '',
  } = (claim ?? {}) as Readonly<Record<keyof CatalogueClaim, unknown>>;
  return (
    CLAIM_TYPES.some((each) => each === type) &&
    typeof description === 'string' &&
    Array.isArray(values) &&
    values.every((value) => typeof value === 'string')
  );
}
