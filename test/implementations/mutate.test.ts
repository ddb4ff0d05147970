/** The mutants of implementations in Python and Go. */
import { expect, it } from 'vitest';
import { applyMutant, listMutants, shuffleMutants } from './mutate.js';

const PYTHON = `import re
def f(a):
    # a == 1
    if a == 1:
        return True
    g(a)
    return a + 2  # not a + 2`;

const GO = `func f(a int) bool {
	if a >= 10 {
		return true
	}
	g(a) // or true
	return false
}`;

const after = (text: string, isGo: boolean) => listMutants(text, isGo).map((mutant) => mutant.after.trim());

it('mutants of Python exchange operators, negate conditions, change numbers and delete statements, but change no comment', () => {
  expect(after(PYTHON, false)).toEqual([
    'if a != 1:',
    'if not (a == 1):',
    'if a == 2:',
    'if a == 0:',
    'return False',
    'pass',
    'pass',
    'return a - 2  # not a + 2',
    'return a + 3  # not a + 2',
    'return a + 1  # not a + 2',
  ]);
});

it('mutants of Go exchange operators, negate conditions, change numbers and delete statements, but change no comment', () => {
  expect(after(GO, true)).toEqual([
    'if a > 10 {',
    'if !(a >= 10) {',
    'if a >= 11 {',
    'if a >= 9 {',
    'return false',
    '',
    '// or true',
    'return true',
    '',
  ]);
});

it('the first mutants change different lines, and only the same seed gives the same order', () => {
  const mutants = listMutants(PYTHON, false);
  const shuffled = shuffleMutants(mutants, 1);
  expect(new Set(shuffled.slice(0, 4).map(({ line }) => line)).size).toBe(4);
  expect(shuffleMutants(mutants, 1)).toEqual(shuffled);
  expect(shuffled).toHaveLength(mutants.length);
  expect(shuffleMutants(mutants, 2)).not.toEqual(shuffleMutants(mutants, 3));
});

it('a mutant changes one line', () => {
  const [mutant] = listMutants(PYTHON, false);
  expect(mutant && applyMutant(PYTHON, mutant)).toBe(PYTHON.replace('if a == 1', 'if a != 1'));
});
