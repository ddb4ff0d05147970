/** Options of `checkConformance`. */
import { describe, expect, it } from 'vitest';
import { type RegexEngine, re2js } from '../../../src/index.js';
import { measurePattern } from '../../../src/re2-syntax/parse-pattern.js';
import { checkConformance, type Deviation } from '../../../src/testing/index.js';

const reject = () => ({ error: { code: 'invalid_query' } });

describe('the number of random scenarios', () => {
  // L26
  it.each([-5, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('is rejected if it is %d', async (runs) => {
    await expect(checkConformance(reject, { regex: re2js, vectors: [], runs })).rejects.toThrow(
      new RangeError(`\`runs\` must be a whole number of 0 or more (got ${runs})`),
    );
  });

  // L26
  it('is rejected if it is a string', async () => {
    const options = { regex: re2js, vectors: [], runs: '10' as never };
    await expect(checkConformance(reject, options)).rejects.toThrow(
      new TypeError('`runs` must be a whole number of 0 or more (got a string)'),
    );
  });

  it('may be 0, so that only vectors run', async () => {
    expect(await checkConformance(reject, { regex: re2js, vectors: [], runs: 0 })).toMatchObject({ runs: 0 });
  });
});

describe('a counterexample', () => {
  const find = async (without: readonly Deviation[]) => {
    const options = { regex: re2js, vectors: [], runs: 100, seed: 1, without };
    return (await checkConformance(reject, options)).counterexample;
  };

  it('is not a scenario of a declared deviation, such as an invalid query for an implementation without problems', async () => {
    expect((await find(['problems']))?.expected).toHaveProperty('error.code', 'insufficient_scope');
  });

  it('may be an invalid query if no deviation is declared', async () => {
    expect((await find([]))?.expected).toHaveProperty('error.code', 'invalid_query');
  });
});

describe('the pattern engine', () => {
  // L18
  it('may be an instance of a class, whose methods read the instance', async () => {
    class Engine implements RegexEngine {
      readonly #measured = new Set<string>();
      compile(pattern: string) {
        return re2js.compile(pattern);
      }
      measure(pattern: string) {
        this.#measured.add(pattern);
        return measurePattern(pattern);
      }
    }
    const outcome = await checkConformance(reject, { regex: new Engine(), vectors: [], runs: 50, seed: 1 });
    expect(outcome).toHaveProperty('counterexample');
  });
});
