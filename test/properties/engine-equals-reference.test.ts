/** Checks that the engine agrees with the reference interpreter. */
import { expect, it } from 'vitest';
import { checkConformance } from '../../src/testing/index.js';
import { engineEvaluator } from '../conformance/engine-evaluator.js';
import { regex } from './law.js';

// L10, L14, L20, L21, L22, L23, S164, S173
it('the engine evaluates random scenarios as the reference interpreter does', async () => {
  const report = await checkConformance(engineEvaluator(regex), {
    regex,
    vectors: [],
    seed: 164,
    runs: 20_000,
  });
  expect(report.counterexample).toBeUndefined();
  expect(report.runs).toBe(20_000);
});

// V14
it('an error of a progress listener during random runs rejects the call', async () => {
  const onProgress = ({ runs }: { readonly runs: number }) => {
    if (runs === 3) throw new Error('the listener broke');
  };
  const checked = checkConformance(engineEvaluator(regex), {
    regex,
    vectors: [],
    seed: 1,
    runs: 9,
    onProgress,
  });
  await expect(checked).rejects.toThrow('the listener broke');
});
