/**
 * Writes `src/engine/compile/fused-checks.ts`: `npm run generate`.
 *
 * A fused check reads the claim, tests it and continues in one closure. Each form is a separate function in the
 * source, because the just-in-time compiler keeps type feedback per function: a closure that serves several
 * operators would collect the types of all of them.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A form of check that is fused. */
interface Fusion {
  readonly name: string;
  /** Absent if another fusion calls this one. */
  readonly operator?: string;
  /** Expression: whether the fusion applies to the operand. */
  readonly when?: string;
  /** The operand's type. */
  readonly operand: string;
  /** Statement: prepares the operand once. */
  readonly setup?: string;
  /** Expression: whether `value`, which may be `undefined`, passes. */
  readonly holds: string;
}

const ORDERINGS = [
  ['isAbove', '>'],
  ['isAtLeast', '>='],
  ['isBelow', '<'],
  ['isAtMost', '<='],
] as const;

const FUSIONS: readonly Fusion[] = [
  { name: 'isTrue', operator: '==', when: 'operand === true', operand: 'true', holds: 'value === operand' },
  {
    name: 'equalsString',
    operator: '==',
    when: "typeof operand === 'string'",
    operand: 'string',
    holds: "typeof value === 'string' && value === operand",
  },
  {
    name: 'differsFromString',
    operator: '!=',
    when: "typeof operand === 'string'",
    operand: 'string',
    holds: "(typeof value === 'string' ? value !== operand : value !== undefined)",
  },
  ...ORDERINGS.map(([name, operator]) => ({
    name,
    operator,
    when: "typeof operand === 'number'",
    operand: 'number',
    holds: `typeof value === 'number' && value ${operator} operand`,
  })),
  {
    name: 'isOneOf',
    operator: 'in',
    when: 'isStringList(operand)',
    operand: 'readonly string[]',
    setup:
      'if (operand.length <= 3) return isOneOfThree(slot, operand, pass, fail);\n  const list = new LazySet(operand);',
    holds: "typeof value === 'string' && list.has(value)",
  },
  {
    name: 'isOneOfThree',
    operand: 'readonly string[]',
    setup: 'const [first, second = first, third = first] = operand;',
    holds: "typeof value === 'string' && (value === first || value === second || value === third)",
  },
  {
    name: 'isNoneOf',
    operator: 'notIn',
    when: 'isStringList(operand)',
    operand: 'readonly string[]',
    setup: 'const list = new LazySet(operand);',
    holds: "(typeof value === 'string' ? !list.has(value) : value !== undefined)",
  },
  {
    name: 'startsWith',
    operator: 'startsWith',
    when: "typeof operand === 'string'",
    operand: 'string',
    holds: "typeof value === 'string' && value.startsWith(operand)",
  },
];

const HEAD = `/**
 * Faster forms of frequent checks: the read, the test and the continuation in one closure. Written by \`npm run generate\`; not to be edited.
 *
 * Optional: without them every check is compiled from the table of operators, with the same outcomes.
 */
import { assertClaimSet } from '../claims/claim-set.js';
import { FAIL, isDirect, PASS, type PlannedCheck, type Predicate } from './plan.js';
`;

const TAIL = `
function isStringList(operand: unknown): operand is readonly string[] {
  if (!Array.isArray(operand)) return false;
  // A loop, since V8 does not inline the callback of \`every\` for a frozen list.
  for (const element of operand) if (typeof element !== 'string') return false;
  return true;
}

/** A set that is created by the first look-up: most compiled queries are used only a few times, and often another check decides. */
class LazySet {
  readonly #elements: readonly string[];
  #set: ReadonlySet<string> | undefined;

  constructor(elements: readonly string[]) {
    this.#elements = elements;
  }

  has(value: string): boolean {
    this.#set ??= new Set(this.#elements);
    return this.#set.has(value);
  }
}
`;

/** Returns the text of the generated file. */
export function fusedChecks(): string {
  const operators = [...new Set(FUSIONS.flatMap(({ operator }) => operator ?? []))];
  const cases = operators.flatMap((operator) => [
    `    case '${operator}':`,
    ...FUSIONS.filter((fusion) => fusion.operator === operator).map(
      ({ name, when }) => `      if (${when}) return ${name}(slot, operand, pass, fail);`,
    ),
    '      return undefined;',
  ]);
  const dispatch = `
/** Returns the fused predicate of a check; \`undefined\` where there is none. */
export function fuseCheck(
  { operator, operand, claim }: PlannedCheck,
  pass: Predicate,
  fail: Predicate,
): Predicate | undefined {
  if (!isDirect(claim)) return undefined;
  const { slot } = claim;
  switch (operator) {
${cases.join('\n')}
    default:
      return undefined;
  }
}
`;
  return [HEAD, dispatch, ...FUSIONS.map(toFunction), TAIL].join('');
}

/**
 * Renders a fusion: one closure for each combination of continuations. The claim set is asserted once, where the outcome is decided: by `PASS` or
 * `FAIL`, or by the closure that calls neither.
 */
function toFunction({ name, operand, setup, holds }: Fusion): string {
  const closure = (outcome: string, first = '') => `(claims) => {
${first}    const value = claims[slot];
    return ${outcome};
  }`;
  return `
function ${name}(slot: number, operand: ${operand}, pass: Predicate, fail: Predicate): Predicate {
${setup === undefined ? '' : `  ${setup}\n`}  if (pass === PASS && fail === FAIL) return ${closure(holds, '    assertClaimSet(claims);\n')};
  if (fail === FAIL) return ${closure(`(${holds}) ? pass(claims) : FAIL(claims)`)};
  if (pass === PASS) return ${closure(`(${holds}) ? PASS(claims) : fail(claims)`)};
  return ${closure(`(${holds}) ? pass(claims) : fail(claims)`)};
}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../src/engine/compile/fused-checks.ts', import.meta.url), fusedChecks());
}
