/** Reads the suites of JSON Schema, JSONPath and JSON-Logic. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonValue, OperatorName, PolicyItemInput } from '../../../src/index.js';
import { CLAIM, type SuiteCase, type SuiteCases } from './suite-case.js';

/** A date or date-time: the only strings that an ordering by date accepts. */
const IS_INSTANT: PolicyItemInput = {
  anyOf: [
    { claim: CLAIM, operator: '>=', value: '2000-01-01' },
    { claim: CLAIM, operator: '<', value: '2000-01-01' },
  ],
};
const IS_DATE_TIME: PolicyItemInput = {
  allOf: [IS_INSTANT, { claim: CLAIM, operator: 'matchRegex', value: '[Tt]' }],
};
const IS_DATE: PolicyItemInput = {
  allOf: [IS_INSTANT, { not: { claim: CLAIM, operator: 'matchRegex', value: '[Tt]' } }],
};

/** Keywords that one operator expresses. */
const KEYWORDS: Readonly<Record<string, OperatorName>> = {
  const: '==',
  enum: 'in',
  minimum: '>=',
  maximum: '<=',
  exclusiveMinimum: '>',
  exclusiveMaximum: '<',
  pattern: 'matchRegex',
};

const SCHEMA_FILES: readonly string[] = [
  ...Object.keys(KEYWORDS),
  'contains',
  'optional/non-bmp-regex',
  'optional/ecmascript-regex',
];

interface SchemaGroup {
  readonly description: string;
  readonly schema: Readonly<Record<string, JsonValue>>;
  readonly tests: readonly {
    readonly description: string;
    readonly data: JsonValue;
    readonly valid: boolean;
  }[];
}

/** Reads the suite of JSON Schema, draft 2020-12: keywords that compare a value. */
export function readSchemaSuite(folder: string): SuiteCases {
  return gather(SCHEMA_FILES.flatMap((file) => schemaCases(folder, file)));
}

/** Reads the tests of RFC 3339: those of JSON Schema's formats `date-time` and `date`. */
export function readRfc3339Suite(folder: string): SuiteCases {
  return gather(['date-time', 'date'].flatMap((format) => schemaCases(folder, `optional/format/${format}`)));
}

function schemaCases(folder: string, file: string): readonly (SuiteCase | undefined)[] {
  const groups = readJson(join(folder, 'tests/draft2020-12', `${file}.json`)) as readonly SchemaGroup[];
  return groups.flatMap(({ description: group, schema, tests }) => {
    const item = itemOf(schema);
    return tests.map(({ description, data, valid }) =>
      item === undefined
        ? undefined
        : { id: `${file}: ${group}: ${description}`, item, value: data, expected: valid },
    );
  });
}

function itemOf(schema: SchemaGroup['schema']): PolicyItemInput | undefined {
  const { $schema: _, ...rest } = schema;
  const [[keyword, operand] = ['', null], ...others] = Object.entries(rest);
  if (others.length > 0) return undefined;
  if (keyword === 'format')
    return operand === 'date' ? IS_DATE : operand === 'date-time' ? IS_DATE_TIME : undefined;
  if (keyword === 'contains') {
    const inner = operand as SchemaGroup['schema'];
    const isConstant = Object.keys(inner).length === 1 && 'const' in inner;
    return isConstant
      ? { claim: CLAIM, operator: 'contains', value: inner['const'] as JsonValue }
      : undefined;
  }
  const operator = KEYWORDS[keyword];
  return operator === undefined ? undefined : { claim: CLAIM, operator, value: operand };
}

const COMPARISON = /^\$\[\?\s*@(?:\.a|\["a"\])?\s*(==|!=|<=|>=|<|>)\s*(.+?)\s*\]$/;

interface PathTest {
  readonly name: string;
  readonly selector: string;
  readonly document?: JsonValue;
  readonly result?: readonly JsonValue[];
}

/** Reads the JSONPath Compliance Test Suite: filters that compare an element or its member with a literal. */
export function readJsonPathSuite(folder: string): SuiteCases {
  const { tests } = readJson(join(folder, 'cts.json')) as { readonly tests: readonly PathTest[] };
  return gather(
    tests.flatMap(({ name, selector, document, result }): readonly (SuiteCase | undefined)[] => {
      const [, operator, literal] = COMPARISON.exec(selector) ?? [];
      const operand = literal === undefined ? undefined : parseLiteral(literal);
      if (operand === undefined || !Array.isArray(document) || result === undefined) return [undefined];
      const found = new Set(result.map((one) => JSON.stringify(one)));
      return document.map((element: JsonValue, index): SuiteCase => {
        const members = selector.includes('@.a') || selector.includes('@["a"]');
        const value = members ? (element as Readonly<Record<string, JsonValue>>)['a'] : element;
        return {
          id: `${name} [${index}]`,
          item: { claim: CLAIM, operator: operator as OperatorName, value: operand },
          value,
          expected: found.has(JSON.stringify(element)),
        };
      });
    }),
  );
}

const LOGIC_OPERATORS: Readonly<Record<string, OperatorName>> = {
  '==': '==',
  '===': '==',
  '!=': '!=',
  '!==': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  in: 'in',
};

interface LogicTest {
  readonly description: string;
  readonly rule: JsonValue;
  readonly result?: JsonValue;
}

/** Reads the suite of JSON-Logic: comparisons of two constants. */
export function readJsonLogicSuite(folder: string): SuiteCases {
  const suites = join(folder, 'suites');
  const comparisons = readdirSync(join(suites, 'comparison')).map((name) => `comparison/${name}`);
  return gather(
    [...comparisons.sort(), 'compatible.json'].flatMap((file) => {
      const tests = readJson(join(suites, file)) as readonly (LogicTest | string)[];
      return tests.flatMap((test, index) => (typeof test === 'string' ? [] : [logicCase(file, index, test)]));
    }),
  );
}

function logicCase(file: string, index: number, { rule, result }: LogicTest): SuiteCase | undefined {
  if (typeof rule !== 'object' || rule === null || typeof result !== 'boolean') return undefined;
  const [[name, operands] = ['', null]] = Object.entries(rule);
  const operator = LOGIC_OPERATORS[name];
  if (operator === undefined || !Array.isArray(operands) || operands.length !== 2) return undefined;
  const [value = null, operand = null]: readonly JsonValue[] = operands;
  if (isRule(value) || isRule(operand) || (operator === 'in' && !Array.isArray(operand))) return undefined;
  return {
    id: `${file} ${index}: ${JSON.stringify(rule)}`,
    item: { claim: CLAIM, operator, value: operand },
    value,
    expected: result,
  };
}

function isRule(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && (!Array.isArray(value) || value.some(isRule));
}

/** Parses a literal of JSON, or one in single quotes. */
export function parseLiteral(text: string): JsonValue | undefined {
  try {
    return JSON.parse(/^'[^'"\\]*'$/.test(text) ? `"${text.slice(1, -1)}"` : text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Counts the cases that the language cannot express, which are `undefined`, and returns the others. */
export function gather(cases: readonly (SuiteCase | undefined)[]): SuiteCases {
  const mapped = cases.filter((one) => one !== undefined);
  return { cases: mapped, unmapped: cases.length - mapped.length };
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
