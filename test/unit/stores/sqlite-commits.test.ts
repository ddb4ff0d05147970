/** Detecting which statements of a connection may have committed, so that the commit must be flushed (V12, S183). */
import { expect, it } from 'vitest';
import { detectCommits } from '../../../src/stores/sqlite/connections.js';

/** Returns the number of possible commits after each statement. */
function countAfter(statements: readonly (readonly [text: string, succeeded: boolean])[]): readonly number[] {
  let count = 0;
  const afterStatement = detectCommits(() => {
    count += 1;
  });
  return statements.map((statement) => {
    afterStatement(...statement);
    return count;
  });
}

it('`detectCommits` reports a commit at the end of a transaction, but not at the statements in it', () => {
  const statements = [
    ['begin', true],
    ['insert into person values (1)', true],
    ['commit', true],
    ['select 1', true],
  ] as const;
  expect(countAfter(statements)).toEqual([0, 0, 1, 1]);
});

it('`detectCommits` reports a commit at a statement after a transaction that could not begin', () => {
  const [afterBegin = 0, afterInsert] = countAfter([
    ['begin', false],
    ['insert into person values (1)', true],
  ]);
  expect(afterInsert).toBe(afterBegin + 1);
});
