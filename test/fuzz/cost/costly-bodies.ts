/** Bodies that are costly to reject or to accept, and mutations that may make them costlier. */

/** A number from 0 up to, but not including, 1. */
export type Draw = () => number;

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const CLAIM = 'identity.email';

const many = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

const members = (count: number, prefix: string) =>
  Object.fromEntries(many(count, (index) => [`${prefix}${index}`, 1]));

const body = (query: Json) => JSON.stringify({ query });
const anyOf = (items: readonly Json[]) => body({ policy: { anyOf: items } });
const matching = (patterns: readonly string[]) =>
  anyOf(patterns.map((value) => ({ claim: CLAIM, operator: 'matchRegex', value })));

/** A range whose case folding is looked up character by character. */
const FOLDED_RANGE = 'B-\u{10001}';

function repetitions(count: number): readonly Json[] {
  return many(count, (index) => ({ claim: CLAIM, operator: 'matchRegex', value: `a{200}${index}` }));
}

function entries(count: number): Json {
  return { claim: CLAIM, operator: 'in', value: many(count, (index) => `e${index}`) };
}

/** Costly bodies by description; the last one is a simple check, a seed of mutations. */
export const COSTLY_BODIES: ReadonlyMap<string, string> = new Map([
  ['6,000 unknown members in query', body(members(6_000, 'k'))],
  [
    '4,200 unknown members in a check',
    body({ check: { claim: CLAIM, operator: '==', value: 1, ...members(4_200, 'clain') } }),
  ],
  ['256 × (a|b|cN){200}x', matching(many(256, (index) => `(a|b|c${index}){200}x`))],
  ['200 × .{1000}N', matching(many(200, (index) => `.{1000}${index}`))],
  ['250 × (?i)\\p{L}N', matching(many(250, (index) => `(?i)\\p{L}${index}`))],
  ['20 × (.*){1,1000}N', matching(many(20, (index) => `(.*){1,1000}${index}`))],
  [
    '640 misspelled claims and operators',
    anyOf(many(640, (index) => ({ claim: 'identity..email', operator: 'isDefinedd', value: index }))),
  ],
  [
    'one malformed pattern 98 times, each with 100 folded ranges',
    matching(many(98, () => `(?i)[${FOLDED_RANGE.repeat(100)}`)),
  ],
  [
    '4 × a class of 120 folded ranges',
    matching(many(4, (index) => `(?i)[${FOLDED_RANGE.repeat(120)}${index}]`)),
  ],
  ['300 × a folded range', matching(many(300, (index) => `(?i)[${FOLDED_RANGE}]${index}`))],
  [
    '4 × a class of 160 Unicode classes',
    matching(many(4, (index) => `(?i)[${'\\pL\\PN'.repeat(80)}${index}]`)),
  ],
  ['200 × .{250}N', matching(many(200, (index) => `.{250}${index}`))],
  ['32,000 items that are numbers', anyOf(many(32_000, () => 1))],
  ['8,000 items with an unknown member', anyOf(many(8_000, () => ({ a: 1 })))],
  ['1,600 checks', anyOf(many(1_600, () => ({ claim: 'a.b', operator: 'isDefined' })))],
  [
    '6,000 members in an operand',
    body({ check: { claim: 'a.b', operator: '==', value: members(6_000, 'k') } }),
  ],
  [
    'patterns of a{200}, padded with entries to the limit of a body',
    anyOf([...repetitions(28), ...many(9, () => entries(850))]),
  ],
  [
    'patterns of a{200}, and 6,200 unknown members',
    anyOf([...repetitions(14), { claim: 'a..b', operator: 'isDefined' }, members(6_200, 'k')]),
  ],
  ['patterns of a{200}, accepted', matching(many(15, (index) => `a{200}${index}`))],
  ['Unicode classes, accepted', matching(many(12, (index) => `(?i)[\\pL${index}]`))],
  ['a check', body({ check: { claim: CLAIM, operator: '==', value: 1 } })],
]);

const SNIPPETS: readonly Json[] = [
  { claim: 'a.b', operator: 'isDefined' },
  { claim: 'a.b', operator: 'matchRegex', value: 'a' },
  { claim: 'a.b', operator: 'in', value: ['a'] },
  { clain: 'a..b', operatr: 'isDefned', valeu: 1 },
  { policy: { not: {} } },
  { anyOf: [] },
  { projections: [{ claim: 'a.b', lens: 'pick', fields: ['a'] }] },
  ...[{}, [], 1, '', 'matchRegx', 'identity.emial', '2026-01-01', null],
];

const PATTERN_PIECES = [
  ...['a', '.', '(', ')', '|', '*', '{250}', '{0,16}', '(?i)', '\\pL', '\\P{Lu}', '[', ']', 'B-\u{10001}'],
  ...[
    '[^\\pN]',
    '\\w',
    '(?:',
    '(?P<n>',
    '\\Q',
    '\\E',
    '\\x{10001}',
    '^',
    '$',
    '\\b',
    '一-龥',
    'ſ',
    '(a|b){30}',
  ],
];

const MAX_REPEATED = 4_096;

/** Changes one node of a body at random. Returns the body unchanged if the result would exceed `maxBytes`. */
export function mutate(text: string, draw: Draw, maxBytes: number): string {
  const nodes = countNodes(JSON.parse(text) as Json);
  const index = Math.floor(draw() * nodes);
  const changed = JSON.stringify(changeNode(JSON.parse(text) as Json, { left: index }, draw));
  return Buffer.byteLength(changed) <= maxBytes ? changed : text;
}

function countNodes(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner: Json) => sum + countNodes(inner), 1);
}

/** Rebuilds a value with one node changed, after `left` other nodes in document order. */
function changeNode(value: Json, position: { left: number }, draw: Draw): Json {
  position.left -= 1;
  if (position.left === -1) return change(value, draw);
  if (Array.isArray(value)) return value.map((inner: Json) => changeNode(inner, position, draw));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, changeNode(inner, position, draw)]),
  );
}

function change(value: Json, draw: Draw): Json {
  const count = Math.ceil(MAX_REPEATED ** draw());
  if (draw() < 0.15) return pick(SNIPPETS, draw);
  if (Array.isArray(value)) {
    const part =
      value.length === 0 || draw() < 0.3 ? pick(SNIPPETS, draw) : pick(value as readonly Json[], draw);
    return [...value, ...many(count, (index) => withNumber(part, index, draw() < 0.9))];
  }
  if (typeof value === 'object' && value !== null) {
    const name = pick(['anyof', 'clam', 'k', 'm'.repeat(40), 'not', 'check'], draw);
    const part = pick(SNIPPETS, draw);
    return { ...value, ...Object.fromEntries(many(count, (index) => [`${name}${index}`, part])) };
  }
  if (typeof value === 'string') return changeString(value, draw);
  return pick(SNIPPETS, draw);
}

/** If `differs`, appends a number to the operand of a check, so that patterns are distinct. Returns values without a string operand unchanged. */
function withNumber(value: Json, index: number, differs: boolean): Json {
  if (!differs || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { value: operand, ...others } = value as { readonly [name: string]: Json };
  return typeof operand === 'string' ? { ...others, value: `${operand}${index}` } : value;
}

function changeString(text: string, draw: Draw): string {
  const characters = [...text];
  const at = Math.floor(draw() * (characters.length + 1));
  const cut = draw() < 0.5 ? 0 : Math.ceil(draw() * 8);
  const piece = pick(PATTERN_PIECES, draw).repeat(draw() < 0.6 ? 1 : Math.ceil(120 ** draw()));
  return [...characters.slice(0, at), piece, ...characters.slice(at + cut)].join('');
}

function pick<Value>(values: readonly Value[], draw: Draw): Value {
  return values[Math.floor(draw() * values.length)] as Value;
}
