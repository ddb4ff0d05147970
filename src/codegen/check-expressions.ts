/** JavaScript expressions of checks, by operator (L14–L18). */
import { parseInstant } from '../engine/claims/instant.js';
import { isJsonArray, isPrimitive, type JsonPrimitive, type JsonValue } from '../engine/claims/json-value.js';
import type { PlannedCheck } from '../engine/compile/plan.js';
import type { OperatorName } from '../engine/operators/operators.js';
import { toLiteral } from './literals.js';
import type { ModuleConstants } from './module-constants.js';

/** How an expression reads the value of a claim. */
export interface ValueAccess {
  /** Reads the value, or assigns it to a variable. */
  readonly first: string;
  /** Reads it again, after `first` or `json`. */
  readonly again: string;
  /** Reads the value as JSON: `undefined` where it nests too deep. */
  readonly json: string;
  /** Evaluates to `false`, after `first`, for a value whose type is not the operand's. May throw where the value is not JSON. */
  readonly fails: string;
  /** Whether the claim is defined, after `first`. */
  readonly isDefined: string;
}

/** Renders a check, whose operand the parser has validated. */
type RenderCheck = (check: PlannedCheck, value: ValueAccess, constants: ModuleConstants) => string;

/** Lists of up to this many strings or numbers are compared entry by entry. */
const MAX_COMPARED_ENTRIES = 4;

const CHECKS: Readonly<Record<OperatorName, RenderCheck>> = {
  '==': ({ expectedValue }, value) => {
    if (!isPrimitive(expectedValue)) return `JSON.stringify(${value.json}) === ${jsonText(expectedValue)}`;
    return equality(expectedValue, value, `${parenthesized(value.first)} === ${toLiteral(expectedValue)}`);
  },
  '!=': ({ expectedValue }, value) => {
    if (expectedValue === null) return `${parenthesized(value.first)} !== null && ${value.isDefined}`;
    if (!isPrimitive(expectedValue))
      return `![undefined, ${jsonText(expectedValue)}].includes(JSON.stringify(${value.json}))`;
    return guarded(expectedValue, value, `${value.again} !== ${toLiteral(expectedValue)}`, value.isDefined);
  },
  '>': ordering('>'),
  '>=': ordering('>='),
  '<': ordering('<'),
  '<=': ordering('<='),
  in: ({ expectedValue }, value, constants) => {
    const list = listOf(expectedValue);
    const sample = sampleOf(list);
    if (sample === undefined)
      return `${constants.set(list.map(jsonText))}.has(JSON.stringify(${value.json}))`;
    return equality(sample, value, isOneOf(list, value, constants));
  },
  notIn: ({ expectedValue }, value, constants) => {
    const list = listOf(expectedValue);
    const sample = sampleOf(list);
    if (sample === undefined) {
      const excluded = constants.set(['undefined', ...list.map(jsonText)]);
      return `!${excluded}.has(JSON.stringify(${value.json}))`;
    }
    const isListed = isOneOf(list, { first: value.again, again: value.again }, constants);
    return guarded(sample, value, `!${parenthesized(isListed)}`, value.isDefined);
  },
  contains: ({ expectedValue }, { json, again }) => {
    const found = isPrimitive(expectedValue)
      ? `includes(${toLiteral(expectedValue)})`
      : `some((element) => JSON.stringify(element) === ${jsonText(expectedValue)})`;
    return `Array.isArray(${json}) && ${again}.${found}`;
  },
  startsWith: ({ expectedValue }, value) =>
    guarded('', value, `${value.again}.startsWith(${toLiteral(expectedValue)})`, value.fails),
  matchRegex: (check, value, constants) =>
    guarded('', value, constants.match(check, value.again), value.fails),
  isDefined: (_check, { json }) => `${parenthesized(json)} !== undefined`,
};

/** Renders a check as an expression. Its value is whether the check passes. */
export function renderCheck(check: PlannedCheck, value: ValueAccess, constants: ModuleConstants): string {
  return CHECKS[check.operator](check, value, constants);
}

/** Puts an expression into parentheses, unless it is a single call or name. */
export function parenthesized(expression: string): string {
  return expression.includes(' ') ? `(${expression})` : expression;
}

/** Creates the renderer of an order comparison: of numbers by value, of dates by instant (L17). */
function ordering(operator: '>' | '>=' | '<' | '<='): RenderCheck {
  return ({ expectedValue }, value) => {
    if (typeof expectedValue === 'number')
      return guarded(0, value, `${value.again} ${operator} ${toLiteral(expectedValue)}`, value.fails);
    const text = String(expectedValue);
    // Parsing accepted the operand, which is a date.
    const at = `${parseInstant(text)} /* ${text} */`;
    return guarded('', value, `instant(${value.again}) ${operator} ${at}`, value.fails);
  };
}

/** Renders a comparison that only values of the type of a sample pass. */
function equality(sample: JsonPrimitive, { again, fails }: ValueAccess, comparison: string): string {
  if (fails === 'false') return comparison;
  if (sample === null) return `${comparison} || ${fails}`;
  const isOther =
    typeof sample === 'number' ? `!Number.isFinite(${again})` : `typeof ${again} !== "${typeof sample}"`;
  return `${comparison} || (${isOther} && ${fails})`;
}

/** Renders a comparison of values of the type of a sample; other values evaluate to `otherwise`. */
function guarded(
  sample: Exclude<JsonPrimitive, null>,
  { first }: ValueAccess,
  comparison: string,
  otherwise: string,
): string {
  const guard =
    typeof sample === 'number'
      ? `Number.isFinite(${first})`
      : `typeof ${parenthesized(first)} === "${typeof sample}"`;
  return otherwise === 'false' ? `${guard} && ${comparison}` : `${guard} ? ${comparison} : ${otherwise}`;
}

/** Renders the membership of a value in a list. */
function isOneOf(
  list: readonly JsonValue[],
  { first, again }: Pick<ValueAccess, 'first' | 'again'>,
  constants: ModuleConstants,
): string {
  const entries = [...new Set(list.map(toLiteral))];
  if (entries.length > MAX_COMPARED_ENTRIES) return `${constants.set(entries)}.has(${first})`;
  const read = (index: number) => (index === 0 ? parenthesized(first) : again);
  return entries.map((entry, index) => `${read(index)} === ${entry}`).join(' || ');
}

/** Returns a sample entry of a list of strings only, or of numbers only; `undefined` for other lists. */
function sampleOf(list: readonly JsonValue[]): string | number | undefined {
  const [first] = list;
  if (typeof first !== 'string' && typeof first !== 'number') return undefined;
  return list.every((entry) => typeof entry === typeof first) ? first : undefined;
}

function listOf(operand: JsonValue): readonly JsonValue[] {
  return isJsonArray(operand) ? operand : [];
}

/** Renders the JSON of a value as a string literal. Members of claims and operands are sorted, so that equal values have equal JSON. */
function jsonText(value: JsonValue): string {
  return toLiteral(JSON.stringify(value));
}
