/** Parsing of JSON with the restrictions of RFC 7493 (S30–S43). */
import { describe, expect, it } from 'vitest';
import { parseStrictJson } from '../../../src/service/json/strict-json.js';

const ACCEPTED = [
  'null',
  '0',
  '-0',
  '1e308',
  '1.5E-7',
  '9007199254740991',
  '"\\ud83d\\ude00"',
  '"é"',
  '[]',
  '{}',
  ' {"a":[1,{"a":2}],"b":{"a":3}} ',
  '"\\""',
  '{"a":"b:c,{}[]"}',
  '{"\\"a":1,"a":2}',
];

const REJECTED: readonly [text: string, code: string, pointer: string][] = [
  ['', 'json_malformed', ''],
  ['{', 'json_malformed', ''],
  ['{"a":1,}', 'json_malformed', ''],
  ['[1 2]', 'json_malformed', ''],
  ["{'a':1}", 'json_malformed', ''],
  ['{"a":NaN}', 'json_malformed', ''],
  ['01', 'json_malformed', ''],
  ['1-2', 'json_malformed', ''],
  ['"\t"', 'json_malformed', ''],
  ['"\\x"', 'json_malformed', ''],
  ['"a', 'json_malformed', ''],
  ['{}x', 'json_malformed', ''],
  ['\ufeff{}', 'json_malformed', ''],
  ['{"a":1,"a":1}', 'json_duplicate', '/a'],
  ['{"a":1,"\\u0061":2}', 'json_duplicate', '/a'],
  ['{"x":[0,{"~/":1,"~/":1}]}', 'json_duplicate', '/x/1/~0~1'],
  ['{"__proto__":1,"__proto__":2}', 'json_duplicate', '/__proto__'],
  ['["\\ud800"]', 'json_text', '/0'],
  ['{"\\udc00":1}', 'json_text', '/\ufffd'],
  ['{"a":"\\u0000"}', 'json_text', '/a'],
  ['{"a":[1,1e400]}', 'json_number', '/a/1'],
  ['-9007199254740992', 'json_number', ''],
  ['['.repeat(1_001) + ']'.repeat(1_001), 'json_depth', '/0'.repeat(1_000)],
  ['{"a":'.repeat(32_000), 'json_depth', '/a'.repeat(1_000)],
  // The 64th code unit of the name is half of a character.
  [`{"${'a'.repeat(63)}😀":[1e400]}`, 'json_number', `/${'a'.repeat(63)}\ufffd/0`],
];

describe('in strict JSON, the text', () => {
  it.each(ACCEPTED)('%s is accepted, and parsed as by JSON.parse', (text) => {
    expect(parseStrictJson(text)).toEqual({ accepted: true, value: JSON.parse(text) });
  });

  it('of 1,000 levels is accepted', () => {
    expect(parseStrictJson('['.repeat(1_000) + ']'.repeat(1_000)).accepted).toBe(true);
  });

  // `$text` shortens long texts in titles.
  it.each(REJECTED.map(([text, code, pointer]) => ({ text, code, pointer })))(
    '$text is rejected as $code at $pointer',
    ({ text, code, pointer }) => {
      const outcome = parseStrictJson(text);
      expect(outcome.accepted ? undefined : [outcome.problem.code, outcome.problem.pointer]).toEqual([
        code,
        pointer,
      ]);
    },
  );

  it.each([
    ['[1,1,1]', 3, 'no problem'],
    ['[1,1,1,1]', 3, 'body_size'],
    // An empty container counts as another entry.
    ['[[],[],[]]', 3, 'body_size'],
    ['{"a":1,"b":[1,1]}', 3, 'body_size'],
    ['{"a":",,,,","b":1}', 2, 'no problem'],
  ])('%s, counted with a maximum of %d entries, gives %s', (text, maxEntries, code) => {
    const outcome = parseStrictJson(text, maxEntries);
    expect(outcome.accepted ? 'no problem' : outcome.problem.code).toBe(code);
  });

  // In quadratic time, parsing this text of 2 MiB three times would take longer than the test timeout.
  // S42
  it('of many members is parsed in linear time', () => {
    const names = Array.from({ length: 233_000 }, (_, index) => index.toString(36).padStart(4, '0'));
    const text = `{${names.map((name) => `"${name}":0`).join(',')}}`;
    for (let round = 1; round <= 3; round += 1) expect(parseStrictJson(text).accepted).toBe(true);
  });

  // S42. In quadratic time, parsing one of these texts once would take seconds, so 100 rounds would exceed the test timeout.
  it.each([
    ['an unterminated string', `"${'\\"'.repeat(32_767)}`],
    ['an unterminated member', `{"a":["${'\\"'.repeat(32_763)}`],
    ['only quotes', '"'.repeat(65_535)],
    ['only backslashes', `"${'\\'.repeat(65_535)}`],
    ['only digits and signs', '1e+-'.repeat(16_384)],
  ])('of %s is rejected in linear time', (_title, text) => {
    for (let round = 1; round <= 100; round += 1) {
      expect(parseStrictJson(text)).toMatchObject({ problem: { code: 'json_malformed' } });
    }
  });
});
