/** Constants of a generated module: sets, and patterns with the guard of their cost (L18, S156). */
import type { JsonValue } from '../engine/claims/json-value.js';
import type { PlannedCheck } from '../engine/compile/plan.js';
import { measurePattern } from '../re2-syntax/parse-pattern.js';
import { isLiteralPattern } from '../regex/literal-pattern.js';
import { toNativePattern } from '../regex/native-pattern.js';
import { toFrozenLiteral, toLiteral, toPatternLiteral } from './literals.js';

/** Collects the constants of a module. Equal ones are shared. */
export class ModuleConstants {
  readonly #names = new Map<string, string>();
  readonly #matching: readonly PlannedCheck[];
  readonly #limit: number;
  #importsRe2js = false;

  /**
   * @param checks - All checks of the query.
   * @param limit - Maximum cost of matching patterns.
   */
  constructor(checks: readonly PlannedCheck[], limit: number) {
    this.#matching = checks.filter(({ pattern }) => pattern !== undefined);
    this.#limit = limit;
  }

  /** Whether a pattern requires the package `re2js`. */
  get importsRe2js(): boolean {
    return this.#importsRe2js;
  }

  /** Returns the name of a set. @param entries - Literals. */
  set(entries: readonly string[]): string {
    return this.#define('list', `new Set([${entries.join(', ')}])`);
  }

  /** Returns an expression for an operand in evidence, which all results share. */
  operand(value: JsonValue): string {
    return typeof value === 'object' && value !== null
      ? this.#define('operand', toFrozenLiteral(value))
      : toLiteral(value);
  }

  /** Renders the match of a string. The cost of all matches of the module together must not exceed the limit. */
  match({ expectedValue }: PlannedCheck, string: string): string {
    const pattern = String(expectedValue);
    return `(${string}.length <= ${this.#lengthWithinLimit()} || assertMatchCost(record)) && ${this.#test(pattern, string)}`;
  }

  /** Renders the definitions. */
  render(): string {
    return [...this.#names].map(([text, name]) => `const ${name} = ${text};`).join('\n');
  }

  /** Renders the function that asserts the cost; empty if the query has no pattern. */
  renderGuard(): string {
    if (this.#matching.length === 0) return '';
    const isDirect = this.#matching.every(({ claim }) => claim.parents.length === 0);
    const costs = this.#matching.map(
      ({ claim, pattern }) => `[${toLiteral(claim.path)}, ${pattern?.programSize ?? 0}]`,
    );
    return `
/** Throws if matching all patterns would take too long. */
function assertMatchCost(record) {
  let cost = 0;
  for (const [path, size] of [${costs.join(', ')}]) {
    const value = ${isDirect ? 'record[path]' : 'find(record, path)'};
    if (typeof value === "string") cost += size * value.length;
  }
  if (cost <= ${this.#limit}) return true;
  const message = "matching these patterns on these claims must take at most ${this.#limit} steps";
  throw Object.assign(new RangeError(message), { code: "query_too_large" });
}`;
  }

  /** Matching stays within the limit if no matched string is longer than this. A longer one requires {@link renderGuard}. */
  #lengthWithinLimit(): number {
    const sizes = this.#matching.reduce((sum, { pattern }) => sum + (pattern?.programSize ?? 0), 0);
    return Math.floor(this.#limit / Math.max(1, sizes));
  }

  #test(pattern: string, string: string): string {
    if (isLiteralPattern(pattern)) return `${string}.includes(${toLiteral(pattern)})`;
    const measured = measurePattern(pattern);
    const native = measured.accepted && measured.pattern ? toNativePattern(measured.pattern) : undefined;
    if (native !== undefined)
      return `${this.#define('pattern', toPatternLiteral(native.source))}.test(${string})`;
    this.#importsRe2js = true;
    return `${this.#define('pattern', `RE2JS.compile(${toLiteral(pattern)})`)}.test(${string})`;
  }

  #define(kind: string, text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const name = `${kind}${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
