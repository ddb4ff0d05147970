/** Finds likely mistakes in a query: items without effect, queries that never pass, and negations that pass on undefined claims (L14). */
import { operandFaults } from '../engine/claims/claim-type.js';
import {
  type Catalogue,
  type CatalogueClaim,
  type Check,
  type CompileOptions,
  canonicalText,
  DEFAULT_CLAIMS,
  type JsonValue,
  type PolicyInput,
  type PolicyItem,
  parse,
  safeParse,
} from '../engine/index.js';
import { suggestion } from '../engine/names.js';
import { hasClaim } from '../engine/query/members.js';
import { checksOf, combinationOf } from '../engine/query/query.js';
import { parsePattern, partsOf } from '../re2-syntax/parse-pattern.js';
import { readPredicate } from './formula.js';
import { constant, firstClaim, type PlacedItem, placedItems, replaceAt, type Simplified } from './items.js';
import {
  type AnalysisOptions,
  type ClaimCatalogue,
  COMPOSED_LIMITS,
  claimsOfCatalogue,
  compileOptions,
} from './options.js';
import { type Demand, findClaims, SearchSpace } from './questions.js';

/** The codes of findings. */
export const FINDING_CODES = [
  'always_true',
  'always_false',
  'redundant_item',
  'shadowed_alternative',
  'negated_undefined',
  'plain_pattern',
  'pattern_delimiters',
  'type_clash',
  'duplicate_check',
  'unknown_claim',
] as const;

export type FindingCode = (typeof FINDING_CODES)[number];

/** A finding. */
export interface Finding {
  readonly code: FindingCode;
  /** JSON Pointer into the canonical query, which `lint` returns as well. */
  readonly pointer: string;
  /** The fault, and how to correct it. */
  readonly message: string;
  /**
   * The whole query, corrected. Absent if no claims are found on which the corrected query passes, or if it exceeds a limit (L7).
   * Also absent if only the author knows what is meant: for an unknown claim, for the delimiters of a pattern, for a type clash
   * under an odd number of `not`, and for a type clash of the operand alone, where some value of the claim's type passes the check.
   */
  readonly suggestion?: PolicyItem;
  /**
   * The proven relation of the suggestion to the original query: it passes on the same claims, or on some of them.
   * Present with `suggestion`.
   */
  readonly relation?: Relation;
}

type Relation = 'equivalent' | 'stricter';

/** The findings of a query: unknown claims, then constant items, then all others; in each, an item before the items inside it. */
export interface LintReport {
  /** The query in canonical form, to which the findings' pointers refer. */
  readonly query: PolicyItem;
  readonly findings: readonly Finding[];
}

/** A possible finding, before its correction is verified. */
interface Suspicion {
  readonly code: FindingCode;
  readonly placed: PlacedItem;
  readonly message: string;
  /** The replacement of the item; absent where only the author knows what is meant. */
  readonly replacement?: Simplified;
  /** Ignored without `replacement`. */
  readonly relation: Relation;
}

/** The catalogue of {@link lint}. */
export type LintCatalogue = ClaimCatalogue;

/**
 * Analyzes a query for likely mistakes. Except for unknown claims and delimiters of patterns, reports only proven
 * findings. A correction is suggested if it was proven to be equivalent or stricter, and to pass on some claims.
 *
 * @param catalogue - The claims and their types. Defaults to the default catalogue.
 * @throws {QueryError} When the query is invalid.
 * @throws {RangeError} When `steps` or a limit is out of range, or a limit does not exist.
 * @throws {TypeError} For projections, which have no outcome; when `catalogue` is neither a catalogue with claims nor `'none'`;
 *   when an option is unknown or has another type.
 */
export function lint(
  query: unknown,
  catalogue: LintCatalogue = { claims: DEFAULT_CLAIMS },
  options: AnalysisOptions = {},
): LintReport {
  const item = readPredicate(query, compileOptions(options));
  const linter = new Linter(item, claimsOfCatalogue(catalogue), options);
  return { query: item, findings: linter.findings() };
}

class Linter {
  readonly #query: PolicyItem;
  readonly #claims: Catalogue['claims'] | undefined;
  readonly #options: AnalysisOptions;
  readonly #engine: CompileOptions;
  readonly #space: SearchSpace;
  readonly #outcomes = new Map<PolicyItem, boolean | undefined>();

  constructor(query: PolicyItem, claims: Catalogue['claims'] | undefined, options: AnalysisOptions) {
    this.#query = query;
    this.#claims = claims;
    this.#options = options;
    this.#engine = compileOptions(options);
    this.#space = new SearchSpace([query], options);
  }

  findings(): readonly Finding[] {
    const placed = placedItems(this.#query);
    const suspicions = [...this.#constants(placed), ...placed.flatMap((one) => this.#suspicionsOf(one))];
    return [
      ...placed.flatMap((one) => this.#unknownClaim(one) ?? []),
      ...suspicions.flatMap((suspicion) => this.#toFinding(suspicion) ?? []),
    ];
  }

  /** Finds items with a constant outcome; items inside them are not reported again. */
  *#constants(placed: readonly PlacedItem[]): Iterable<Suspicion> {
    const reported: string[] = [];
    for (const one of placed) {
      if (reported.some((pointer) => one.pointer.startsWith(`${pointer}/`))) continue;
      const outcome = this.#outcomeOf(one.item);
      if (outcome === undefined) continue;
      reported.push(one.pointer);
      yield {
        code: outcome ? 'always_true' : 'always_false',
        placed: one,
        message: outcome
          ? 'This item passes on all claims. Remove or correct it.'
          : 'This item fails on all claims. Remove or correct it.',
        replacement: outcome,
        relation: 'equivalent',
      };
    }
  }

  #suspicionsOf(placed: PlacedItem): readonly Suspicion[] {
    const { item } = placed;
    if ('check' in item)
      return [
        ...this.#plainPattern(placed, item.check),
        ...findPatternDelimiters(placed, item.check),
        ...this.#typeClash(placed, item.check),
      ];
    const [kind, items] = combinationOf(item.policy);
    return kind === 'not'
      ? this.#negatedUndefined(placed, items[0] as PolicyItem)
      : this.#idleItems(placed, kind, items);
  }

  /** Finds items of a group that do not affect its outcome. */
  #idleItems(group: PlacedItem, kind: 'allOf' | 'anyOf', items: readonly PolicyItem[]): readonly Suspicion[] {
    const space = new SearchSpace(items, this.#options);
    // An item has no effect if it never decides the group alone: it cannot have the decisive outcome while all others have the opposite one.
    const decisive = kind === 'anyOf';
    const left = new Map(
      items.map((item, index) => [
        index,
        {
          item,
          text: canonicalText(item),
          decides: space.formulaOf(item, decisive),
          abstains: space.formulaOf(item, !decisive),
        },
      ]),
    );
    const found: Suspicion[] = [];
    for (const [index, own] of [...left].reverse()) {
      const others = [...left.values()].filter((other) => other !== own);
      // Items with a constant outcome are reported as such.
      if (others.length === 0 || this.#outcomeOf(own.item) !== undefined) continue;
      if (!space.isImpossible([own.decides, ...others.map(({ abstains }) => abstains)])) continue;
      left.delete(index);
      const isDuplicate = others.some(({ text }) => text === own.text);
      found.push({
        code: isDuplicate ? 'duplicate_check' : kind === 'allOf' ? 'redundant_item' : 'shadowed_alternative',
        placed: this.#itemOf(group, index),
        message: isDuplicate
          ? 'Duplicate item. Remove it.'
          : kind === 'allOf'
            ? 'This item is redundant: the other items imply it. Remove it.'
            : 'This alternative is redundant: whenever it passes, so does one of the others. Remove it.',
        replacement: kind === 'allOf',
        relation: 'equivalent',
      });
    }
    return found.reverse();
  }

  /** Finds negations that pass because a claim is not defined, though the query checks its value (L14). */
  #negatedUndefined(placed: PlacedItem, negated: PolicyItem): readonly Suspicion[] {
    if (placed.isNegated) return [];
    const valueChecks = checksOf(negated).filter(({ operator }) => operator !== 'isDefined');
    const claims = [...new Set(valueChecks.map(({ claim }) => claim))];
    const missing = claims.filter((claim) => this.#passesWithout(claim, placed));
    if (missing.length === 0) return [];
    const guards = missing.map((claim): PolicyItem => ({ check: { claim, operator: 'isDefined' } }));
    return [
      {
        code: 'negated_undefined',
        placed,
        message: `This passes if ${missing.map((claim) => `\`${claim}\``).join(', ')} is not defined. Add an \`isDefined\` check.`,
        replacement: { policy: { allOf: [...guards, placed.item] } },
        relation: 'stricter',
      },
    ];
  }

  #passesWithout(claim: string, { item, place }: PlacedItem): boolean {
    // Where the query also passes with the negation failing, the negation is not the cause.
    const without = replaceAt(this.#query, place, false);
    const demands: Demand[] = [
      { item: this.#query, passes: true },
      { item, passes: true },
      { item: { check: { claim, operator: 'isDefined' } }, passes: false },
      ...(typeof without === 'boolean' ? [] : [{ item: without, passes: false }]),
    ];
    return without !== true && findClaims(demands, this.#options).kind === 'found';
  }

  #plainPattern(placed: PlacedItem, check: Check): readonly Suspicion[] {
    const plain = equivalentCheck(check);
    if (plain === undefined) return [];
    const { operator } = plain;
    return [
      {
        code: 'plain_pattern',
        placed,
        message: `This pattern is equivalent to \`${operator}\`, which is simpler and faster.`,
        replacement: { check: plain },
        relation: 'equivalent',
      },
    ];
  }

  /** Finds a claim that the catalogue does not have: neither the claim nor an object of which it is a member (L13). */
  #unknownClaim({ item, pointer }: PlacedItem): Finding | undefined {
    if (this.#claims === undefined || !('check' in item)) return undefined;
    const { claim } = item.check;
    if (hasClaim(this.#claims, claim)) return undefined;
    const hint = suggestion(
      claim,
      this.#claims.map(({ path }) => path),
    );
    return {
      code: 'unknown_claim',
      pointer: `${pointer}/check/claim`,
      message: `The catalogue has no claim \`${claim}\`.${hint}`,
    };
  }

  /** Finds checks that no value of the claim's type passes, and operands that an engine with the catalogue rejects. */
  #typeClash(placed: PlacedItem, check: Check): readonly Suspicion[] {
    const claim = this.#claims?.find(({ path }) => path === check.claim);
    if (claim === undefined) return [];
    const ofType = parse({ policy: typePolicy(claim) }, { limits: COMPOSED_LIMITS }) as PolicyItem;
    const demands: Demand[] = [
      { item: placed.item, passes: true },
      { item: ofType, passes: true },
    ];
    if (this.#outcomeOf(placed.item) !== undefined) return [];
    if (findClaims(demands, this.#options).kind !== 'none') {
      // Some value of the type passes the check. Even so, no value of the type may equal its operand, or an element of it.
      const [operandFault] = operandFaults(check, claim);
      if (operandFault === undefined) return [];
      return [{ code: 'type_clash', placed, message: operandFault.message, relation: 'stricter' }];
    }
    const fault = `No value of \`${check.claim}\` passes this check: the claim is of type ${claim.type}.`;
    if (!placed.isNegated)
      return [{ code: 'type_clash', placed, message: fault, replacement: false, relation: 'stricter' }];
    // The negation passes on every value. No suggestion: a stricter one would pass only where the claim is undefined.
    const message = `${fault} Under \`not\`, it therefore excludes no one. Correct it.`;
    return [{ code: 'type_clash', placed, message, relation: 'stricter' }];
  }

  /**
   * Returns the finding, unless it has a correction whose relation to the query is not proven. Includes the corrected query
   * only if it can pass, and the engine accepts it.
   */
  #toFinding({ code, placed, message, replacement, relation }: Suspicion): Finding | undefined {
    if (replacement === undefined) return { code, pointer: placed.pointer, message };
    const changed = replaceAt(this.#query, placed.place, replacement);
    const suggestion = typeof changed === 'boolean' ? constant(changed, firstClaim(this.#query)) : changed;
    // A suggestion that has only items of the query has no other checks than the query, whose search space suffices.
    const hasNewChecks = typeof changed === 'boolean' || typeof replacement !== 'boolean';
    const space = hasNewChecks ? new SearchSpace([suggestion, this.#query], this.#options) : this.#space;
    const implies = (one: PolicyItem, other: PolicyItem) =>
      space.isImpossible([space.formulaOf(one, true), space.formulaOf(other, false)]);
    const isStricter = implies(suggestion, this.#query);
    const isWideEnough = relation === 'stricter' || implies(this.#query, suggestion);
    if (!isStricter || !isWideEnough) return undefined;
    const finding = { code, pointer: placed.pointer, message };
    const canPass =
      safeParse(suggestion, this.#engine).ok &&
      space.find([{ item: suggestion, passes: true }]).kind === 'found';
    return canPass ? { ...finding, suggestion, relation } : finding;
  }

  /** Returns the constant outcome of an item; `undefined` where it varies or is unknown. */
  #outcomeOf(item: PolicyItem): boolean | undefined {
    if (this.#outcomes.has(item)) return this.#outcomes.get(item);
    const space = item === this.#query ? this.#space : new SearchSpace([item], this.#options);
    const isConstantly = (passes: boolean) => space.isImpossible([space.formulaOf(item, !passes)]);
    const outcome = isConstantly(false) ? false : isConstantly(true) || undefined;
    this.#outcomes.set(item, outcome);
    return outcome;
  }

  #itemOf(group: PlacedItem, index: number): PlacedItem {
    const place = [...group.place, index];
    return placedItems(this.#query).find((one) => one.place.join() === place.join()) as PlacedItem;
  }
}

/** Returns a policy that passes on every value of a claim's type. It may also pass on similar values: a fraction for `integer`, an object for `array`. */
export function typePolicy({
  path,
  type,
  values,
}: Pick<CatalogueClaim, 'path' | 'type' | 'values'>): PolicyInput {
  const is = (operator: string, value: JsonValue) => ({ claim: path, operator, value }) as never;
  const isNumber: PolicyInput = { anyOf: [is('>=', 0), is('<', 0)] };
  const isString: PolicyInput = { allOf: [is('startsWith', '')] };
  switch (type) {
    case 'boolean':
      return { allOf: [is('in', [true, false])] };
    case 'number':
    case 'integer':
      return isNumber;
    case 'string':
      return isString;
    case 'enum':
      return { allOf: [is('in', values ?? [])] };
    case 'date':
    case 'datetime':
      return { anyOf: [is('>=', '2000-01-01'), is('<', '2000-01-01')] };
    case 'array':
    case 'object':
      return {
        allOf: [
          { claim: path, operator: 'isDefined' },
          { not: isNumber },
          { not: isString },
          { not: is('in', [true, false, null]) },
        ],
      };
  }
}

/** A regular-expression literal of JavaScript with flags, as text. */
const PATTERN_LITERAL = /^\/(?:[^/\\]|\\.)+\/[gimsuy]+$/s;

/** Finds a pattern that is written with the delimiters and flags of a literal, which match themselves. */
function findPatternDelimiters(placed: PlacedItem, { operator, value }: Check): readonly Suspicion[] {
  if (operator !== 'matchRegex' || !PATTERN_LITERAL.test(String(value))) return [];
  const message =
    'The slashes and flags of this pattern match themselves: patterns have no delimiters. Write the pattern alone, with flags in front, as in `(?i)abc`; if slashes are meant, write `[/]`.';
  return [{ code: 'pattern_delimiters', placed, message, relation: 'stricter' }];
}

const SURROGATE = /\p{Surrogate}/u;

/** Returns the check that is equivalent to a pattern, if one exists. */
function equivalentCheck({ claim, operator, value }: Check): Check | undefined {
  if (operator !== 'matchRegex') return undefined;
  const parsed = parsePattern(String(value), () => undefined);
  const [start, ...parts] = parsed === undefined ? [] : partsOf(parsed);
  if (start?.kind !== 'assertion' || start.assertion !== 'textStart') return undefined;
  const last = parts.at(-1);
  const isWhole = last?.kind === 'assertion' && last.assertion === 'textEnd';
  const text = (isWhole ? parts.slice(0, -1) : parts).map((part) => {
    const [only, ...others] = part.kind === 'character' ? part.characters : [];
    return only !== undefined && others.length === 0 && only[0] === only[1]
      ? String.fromCodePoint(only[0])
      : undefined;
  });
  // A lone surrogate is a code unit of a string, but not a character of a pattern.
  if (text.some((one) => one === undefined || SURROGATE.test(one))) {
    return undefined;
  }
  return { claim, operator: isWhole ? '==' : 'startsWith', value: text.join('') };
}
