/** The limit of the setting `undoSeconds`. */
import { expect, it } from 'vitest';
import { createSettings } from '../../../src/service/settings.js';

const ISSUER = 'https://id.example/v2';

it('a withdrawal can be undone for less than ten minutes, since a revocation by an operator includes only the withdrawals of the last ten minutes', () => {
  expect(createSettings(ISSUER, { undoSeconds: 599 }).undoSeconds).toBe(599);
  expect(() => createSettings(ISSUER, { undoSeconds: 600 })).toThrow(
    new RangeError('`undoSeconds` must be less than 600 (got 600)'),
  );
});
