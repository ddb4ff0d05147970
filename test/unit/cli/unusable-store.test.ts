/** The messages of commands whose store was opened, but cannot be used (S198). */
import { expect, it } from 'vitest';
import { unusableStoreError } from '../../../src/cli/database.js';
import { StoreUnavailable } from '../../../src/service/index.js';

const DATABASE = { engine: 'sqlite', address: 'store.sqlite', shown: 'store.sqlite' } as const;

function messageFor(code: string, message: string): string {
  const cause = Object.assign(new Error(message), { code });
  return unusableStoreError(DATABASE, new StoreUnavailable(cause)).message;
}

// S198, S401
it('the message for a store on a full disk names this cause, and does not advise to restore a backup', () => {
  expect(messageFor('SQLITE_FULL', 'database or disk is full')).toBe(
    'the store store.sqlite has no space left: database or disk is full',
  );
});

// S198
it('the message for a store that cannot be read does not contain the message of the database', () => {
  const message = messageFor('SQLITE_CORRUPT', 'a stored value');
  expect(message).toMatch(
    /^the store store\.sqlite is damaged or cannot be read: .*SQLITE_CORRUPT; fix the cause, or restore a backup$/,
  );
  expect(message).not.toContain('a stored value');
});

// S198
it.each([
  ['57014', /^the store store\.sqlite failed: a statement was canceled, .* `statement_timeout`/],
  [
    '55P03',
    /^the store store\.sqlite failed: another transaction kept a lock for longer than `lock_timeout`/,
  ],
  ['22P05', /^the store store\.sqlite failed: its database lacks a character in its encoding, .* UTF8$/],
])(
  'the message for the code %s of PostgreSQL names the fault and what is required, without the message of the database',
  (code, expected) => {
    const message = messageFor(code, 'a stored value');
    expect(message).toMatch(expected);
    expect(message).not.toContain('a stored value');
  },
);
