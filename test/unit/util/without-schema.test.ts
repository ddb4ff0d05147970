/** The `$schema` member of JSON files. */
import { expect, it } from 'vitest';
import { withoutSchema } from '../../../src/util/without-schema.js';

it('`withoutSchema` removes `$schema` from the top of a file, and nothing else', () => {
  const check = { claim: 'a.b', operator: '==', value: { $schema: 1 } };
  expect(withoutSchema({ $schema: 'https://example.org/query.json', check })).toEqual({ check });
  for (const other of [{ check }, [{ $schema: 'x' }], null, 'text', 7])
    expect(withoutSchema(other)).toBe(other);
});
