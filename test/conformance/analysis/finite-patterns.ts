/** Checks verdicts on finite patterns whose strings may all be named, against a list of all strings that can match. */
import fc from 'fast-check';
import { satisfiable } from '../../../src/analysis/index.js';
import { ClaimSet } from '../../../src/index.js';
import { compile } from '../../support/with-re2js.js';
import { assert } from './assert.js';
import type { AnalysisProperty } from './property.js';
import { ANY_COST, regex } from './regex.js';

interface Drawn {
  readonly patterns: readonly string[];
  readonly named: readonly string[];
}

const options = { regex, limits: ANY_COST };

/** The strings of up to two of these characters, of which one is a surrogate pair. */
const CHARACTERS = ['a', 'b', '0', '😀'];
const WORDS = ['', ...CHARACTERS, ...CHARACTERS.flatMap((one) => CHARACTERS.map((other) => one + other))];
const PATTERNS = ['^[ab]$', '^[ab0]?$', '^[a-b]{1,2}$', '^[ab😀]{2}$', '^a|b$', '^.$', '^[^b]{0,2}$', '0'];

export const finitePatterns: AnalysisProperty<Drawn> = {
  name: 'finite-patterns',
  drawn: fc.record({
    patterns: fc.subarray(PATTERNS, { minLength: 1, maxLength: 2 }),
    named: fc.shuffledSubarray(WORDS, { minLength: 1 }),
  }),
  check: ({ patterns, named }, tally) => {
    const claim = 'x.a';
    const query = {
      policy: {
        allOf: [
          { claim, operator: 'matchRegex', value: '^[ab0😀]{0,2}$' },
          ...patterns.map((value) => ({ claim, operator: 'matchRegex', value })),
          { claim, operator: 'notIn', value: named },
        ],
      },
    };
    const compiled = compile(query, options);
    const canPass = WORDS.some((word) => compiled.test(ClaimSet.of({ [claim]: word })));
    const verdict = tally('satisfiable', satisfiable(query, options));
    assert(verdict.answer === (canPass ? 'yes' : 'no'), 'the verdict contradicts the list of strings');
  },
};
