/** The format and uniqueness of request ids (S26). */
import { expect, it } from 'vitest';
import { createRequestIds } from '../../../src/http/index.js';
import { createSeededRandom } from '../../support/seeded-random.js';

it('request ids are unique, with 96 random bits each', () => {
  const create = createRequestIds(createSeededRandom('ids'));
  const ids = Array.from({ length: 1_000 }, create);
  expect(new Set(ids).size).toBe(1_000);
  expect(ids.every((id) => /^[A-Za-z0-9_-]{16}$/.test(id))).toBe(true);
});
