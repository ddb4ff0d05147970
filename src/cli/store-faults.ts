/** Faults of a store that is neither out of reach nor damaged, with what is required. */

const FAULTS: ReadonlyMap<string, string> = new Map([
  [
    '57014',
    'a statement was canceled, for example by its timeout: `statement_timeout` and `query_timeout` of PROVISO_DATABASE_URL (in milliseconds) must be longer, or the database less busy',
  ],
  ['55P03', 'another transaction kept a lock for longer than `lock_timeout`: end it, or try again later'],
  ['22P05', 'its database lacks a character in its encoding, which must be UTF8'],
]);

/** Finds the fault of an error or its causes by the code of PostgreSQL. Contains no message, which may contain stored values (S198). */
export function findStoreFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const fault = 'code' in error ? FAULTS.get(String(error.code)) : undefined;
  return fault ?? findStoreFault(error.cause);
}
