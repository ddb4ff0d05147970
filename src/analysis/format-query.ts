/** Formats queries as JSON for people: without redundant wrappers, and with each check on one line if it fits and its operand contains no object (L4). */
import type { JsonValue, PolicyItem } from '../engine/index.js';
import { parse } from '../engine/index.js';
import { combinationOf } from '../engine/query/query.js';
import { type AnalysisOptions, compileOptions } from './options.js';

/** Maximum length of a check or a list on one line, in code units, including indentation but not the member's name. Longer ones are broken into lines. */
const MAX_LINE_CODE_UNITS = 100;

/**
 * Formats a query as indented JSON. The text is a query with the same canonical form, and formatting it again changes
 * nothing.
 *
 * @throws {QueryError} When the query is invalid.
 * @throws {RangeError} When `steps` or a limit is out of range, or a limit does not exist.
 * @throws {TypeError} When an option is unknown or has another type.
 * @example
 * formatQuery({ policy: { not: [{ check: { claim: 'kyc.is_high_risk', operator: '==', value: true } }] } })
 * // {
 * //   "policy": {
 * //     "not": { "claim": "kyc.is_high_risk", "operator": "==", "value": true }
 * //   }
 * // }
 */
export function formatQuery(query: unknown, options: AnalysisOptions = {}): string {
  const parsed = parse(query, compileOptions(options));
  if ('projections' in parsed) return formatJson(parsed, '');
  return formatJson('check' in parsed ? parsed : { policy: toBareItem(parsed) }, '');
}

/** Removes the wrappers `check` and `policy`, which items of a policy do not need. */
function toBareItem(item: PolicyItem): object {
  if ('check' in item) return item.check;
  const [kind, items] = combinationOf(item.policy);
  const bare = items.map(toBareItem);
  return { [kind]: kind === 'not' ? bare[0] : bare };
}

/** Formats plain JSON; a value without an object inside is on one line if it fits. */
function formatJson(value: object, indent: string): string {
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? ['[', ']'] : ['{', '}'];
  const entries = Object.entries(value) as [string, JsonValue][];
  const inner = `${indent}  `;
  const lines = entries.map(([name, member]) => {
    const text =
      typeof member === 'object' && member !== null ? formatJson(member, inner) : JSON.stringify(member);
    return isArray ? text : `${JSON.stringify(name)}: ${text}`;
  });
  const padding = isArray || lines.length === 0 ? '' : ' ';
  const line = `${open}${padding}${lines.join(', ')}${padding}${close}`;
  const isFlat = entries.every(([, member]) => !isNested(member)) && !line.includes('\n');
  if (isFlat && indent.length + line.length <= MAX_LINE_CODE_UNITS) return line;
  return [open, lines.map((text) => inner + text).join(',\n'), indent + close].join('\n');
}

/** Returns whether a value is an object, or a list that contains one at any depth. An object or a list around such a value is broken into lines. */
function isNested(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) || value.some(isNested);
}
