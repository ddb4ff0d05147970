/** Parsing of JSON text in an editor: the first problem, and the positions of values and names. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pointerTo } from '../../../src/engine/problems.js';
import { readJsonText, type Span } from '../../../src/util/json-text.js';

const SEED = 20_261_126;

/** Any JSON, on one line or indented. `JSON.stringify` produces no repeated names, which would be rejected. */
const jsonTexts = fc
  .tuple(fc.json(), fc.constantFrom(undefined, 2))
  .map(([json, indent]) => JSON.stringify(JSON.parse(json), undefined, indent));

/** The part of a text to which its problem refers, and the message. */
function markedPart(text: string): readonly [string, string] | undefined {
  const { problem } = readJsonText(text);
  return problem && [text.slice(problem.span.from, problem.span.to), problem.message];
}

describe('a valid JSON text', () => {
  it('has the same value as with `JSON.parse`', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        const read = readJsonText(text);
        expect([read.problem, read.value]).toEqual([undefined, JSON.parse(text)]);
      }),
      { seed: SEED },
    );
  });

  it('has the positions of values and names by JSON Pointer', () => {
    const text = '{ "policy": { "allOf": [true, { "a/b": "x" }] } }';
    const read = readJsonText(text);
    const at = ({ from, to }: { readonly from: number; readonly to: number }) => text.slice(from, to);
    expect(at(read.spanOf('/policy/allOf/1/a~1b'))).toBe('"x"');
    expect(at(read.nameOf('/policy/allOf/1/a~1b'))).toBe('"a/b"');
    expect(at(read.spanOf('/policy/allOf/0'))).toBe('true');
    expect(at(read.spanOf('/policy/allOf/1/none'))).toBe('{ "a/b": "x" }');
    expect(at(read.spanOf(''))).toBe(text);
  });

  it('has every value and every name at its reported position', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        const read = readJsonText(text);
        const valueAt = ({ from, to }: Span): unknown => JSON.parse(text.slice(from, to));
        const follow = (value: unknown, pointer: string): void => {
          expect(valueAt(read.spanOf(pointer))).toEqual(value);
          if (typeof value !== 'object' || value === null) return;
          for (const [name, inner] of Object.entries(value)) {
            const innerPointer = pointerTo(pointer, name);
            if (!Array.isArray(value)) expect(valueAt(read.nameOf(innerPointer))).toBe(name);
            follow(inner, innerPointer);
          }
        };
        follow(JSON.parse(text), '');
      }),
      { seed: SEED },
    );
  });
});

describe('an invalid JSON text', () => {
  it.each([
    ['', ['', 'Expected a value.']],
    ['{"a": }', ['}', 'Expected a value.']],
    ['{"a" 1}', ['1', 'Expected a colon and a value.']],
    ['{"a": 1 "b": 2}', ['"', 'Expected a comma or `}`.']],
    ['{"a": 1,}', ['}', 'Expected a name in double quotes; a comma must not follow the last member.']],
    ['[1,]', [']', 'Remove the comma after the last item.']],
    ['[1', ['1', 'Expected a comma or `]`.']],
    ["{'a': 1}", ["'", 'Expected a name in double quotes, or `}`.']],
    ['{"a": "x', ['"x', 'The string is not closed: add `"`.']],
    ['{"a": tru}', ['tru', 'Only `true`, `false` and `null` may be written without quotes.']],
    ['{"a": "\\x"}', ['"\\x"', 'The string contains a control character or an invalid escape.']],
    ['{"a": 1, "a": 2}', ['"a"', 'This name is repeated.']],
    ['{} {}', ['{', 'Unexpected text after the end of the value; remove it.']],
  ])('has a problem with the expected token at its position: %s', (text, problem) => {
    expect(markedPart(text)).toEqual(problem);
  });

  it('has a problem if `JSON.parse` rejects it, and does not throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,\\ntrue1.-e \n') }), (text) => {
        const { problem } = readJsonText(text);
        const isJson = (() => {
          try {
            JSON.parse(text);
            return true;
          } catch {
            return false;
          }
        })();
        if (!isJson) expect(problem).toBeDefined();
        else if (problem !== undefined) expect(problem.message).toMatch(/repeated/);
      }),
      { seed: SEED },
    );
  });

  it('is rejected if it nests too deep, instead of overflowing the stack', () => {
    expect(markedPart('['.repeat(100_000))?.[1]).toMatch(/deeper than 200 levels/);
  });
});
