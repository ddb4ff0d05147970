/** Reads the suites of CEL and of Rust's regular expressions. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import type { OperatorName } from '../../../src/index.js';
import { gather, parseLiteral } from './json-suites.js';
import { CLAIM, type SuiteCase, type SuiteCases } from './suite-case.js';

const CEL_TEST =
  /name: "([^"]+)"(?:\s+description: "[^"]*")?\s+expr: (?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')([\s\S]*?)\n {2}\}/g;
const CEL_COMPARISON = /^(.+?) (==|!=|<=|>=|<|>|in) (.+)$/;

/** Reads CEL's simple tests: comparisons of two literals. */
export function readCelSuite(folder: string): SuiteCases {
  const text = readFileSync(join(folder, 'tests/simple/testdata/comparisons.textproto'), 'utf8');
  return gather(
    [...text.matchAll(CEL_TEST)].map(([, name, double, single, rest = '']): SuiteCase | undefined => {
      const [, left, operator, right] =
        CEL_COMPARISON.exec((double ?? single ?? '').replaceAll('\\"', '"')) ?? [];
      const [value, operand] = [left, right].map((literal) => celLiteral(literal ?? ''));
      const expected = /bool_value: (true|false)/.exec(rest)?.[1];
      if (value === undefined || operand === undefined || expected === undefined) return undefined;
      return {
        id: `${name}: ${left} ${operator} ${right}`,
        item: { claim: CLAIM, operator: operator as OperatorName, value: operand },
        value,
        expected: expected === 'true',
      };
    }),
  );
}

/** Parses literals that are also JSON; integers must be exact as doubles. */
function celLiteral(text: string): ReturnType<typeof parseLiteral> {
  const inner = /^dyn\((.*)\)$/.exec(text)?.[1] ?? text;
  const literal = parseLiteral(inner.replace(/^(-?\d+)u$/, '$1').replaceAll("'", '"'));
  return typeof literal === 'number' && Math.abs(literal) > Number.MAX_SAFE_INTEGER ? undefined : literal;
}

interface RustTest {
  readonly name: string;
  readonly regex: string | readonly string[];
  readonly haystack: string;
  readonly matches: readonly unknown[];
}

/** Members that change the meaning of a pattern in a way that the language cannot express. */
const RUST_OPTIONS = [
  'anchored',
  'bounds',
  'unicode',
  'utf8',
  'line-terminator',
  'search-kind',
  'match-limit',
];

/** Reads the suite of Rust's regular expressions: whether a pattern matches anywhere. */
export function readRustRegexSuite(folder: string): SuiteCases {
  const root = join(folder, 'testdata');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.toml'),
  );
  return gather(
    files.sort().flatMap((file) => {
      const { test: tests } = parse(readFileSync(join(root, file), 'utf8')) as unknown as {
        readonly test: readonly RustTest[];
      };
      return tests.map((test) => rustCase(file, test));
    }),
  );
}

function rustCase(file: string, test: RustTest): SuiteCase | undefined {
  const options = test as unknown as Readonly<Record<string, unknown>>;
  if (typeof test.regex !== 'string' || RUST_OPTIONS.some((name) => name in options)) return undefined;
  const haystack = options['unescape'] === true ? unescaped(test.haystack) : test.haystack;
  if (haystack === undefined) return undefined;
  const pattern = options['case-insensitive'] === true ? `(?i)${test.regex}` : test.regex;
  return {
    id: `${file}: ${test.name}`,
    item: { claim: CLAIM, operator: 'matchRegex', value: pattern },
    value: haystack,
    expected: options['compiles'] === false ? 'rejected' : test.matches.length > 0,
  };
}

/** Replaces escapes of ASCII; others may be invalid UTF-8, which no claim is. */
function unescaped(text: string): string | undefined {
  if (/\\x[89a-fA-F][0-9a-fA-F]/.test(text)) return undefined;
  return parseLiteral(
    `"${text.replaceAll('"', '\\"').replace(/\\x/g, '\\u00').replace(/\\0/g, '\\u0000')}"`,
  ) as string | undefined;
}
