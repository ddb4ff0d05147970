/** Problems of invalid parameters: pointers and messages. */
import { expect, it } from 'vitest';
import { parseForm } from '../../../src/http/parameters/body.js';
import { validateParameters } from '../../../src/http/parameters/validate-request.js';
import { ServiceError } from '../../../src/service/index.js';

function problemsOf(parse: () => unknown): unknown {
  try {
    parse();
  } catch (error) {
    if (error instanceof ServiceError) return error.context['problems'];
    throw error;
  }
  return [];
}

// S34
it('the pointer and the message of a problem with a long name are well-formed Unicode', () => {
  // The 64th code unit of the name is half of a character.
  const name = `${'a'.repeat(63)}😀`;
  const shortened = `${'a'.repeat(63)}\ufffd`;
  const pointer = `/${shortened}`;
  expect(problemsOf(() => parseForm(`${name}=1&${name}=2`))).toMatchObject([{ pointer }]);
  expect(problemsOf(() => validateParameters('GrantListParameters', new Map([[name, 'x']])))).toMatchObject([
    { pointer, message: expect.stringContaining(`\`${shortened}\``) },
  ]);
});

// S146
it.each(['0', '-1', '101', '1000000000', 'x', '1.5', '9'.repeat(400)])(
  'the problem of an invalid limit states its range: %s',
  (limit) => {
    expect(
      problemsOf(() => validateParameters('GrantListParameters', new Map([['limit', limit]]))),
    ).toMatchObject([{ pointer: '/limit', message: '`limit` must be an integer from 1 to 100.' }]);
  },
);
