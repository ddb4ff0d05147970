/** The encrypted columns of a store, and their re-encryption. */
import type { Schema } from '../schema.js';
import { type AddressColumn, openAddress, toAddressColumns } from '../statements/rows.js';
import * as associatedData from './associated-data.js';
import { type AssociatedData, SealedValueError, type Sealing } from './sealing.js';

/** A row of any of the tables below. */
export type Row = Readonly<Record<string, unknown>>;

/** A column to re-encrypt. */
export interface SealedColumn {
  readonly table: keyof Schema;
  readonly key: string;
  /** The encrypted column; of an e-mail or wallet address, the column with its keyed fingerprint. */
  readonly column: string;
  /** Of an address: the column with the encrypted address. Both are updated together. */
  readonly sealedColumn?: string;
  /** Decrypts the value of a row and encrypts it with the current key. Returns the columns to update. */
  readonly reencrypt: (row: Row, sealing: Sealing) => Readonly<Record<string, string | null>>;
}

/**
 * Columns of a request whose strings clients choose. A string may begin like an encrypted value, so only one that can be decrypted shows that the
 * store is encrypted.
 */
export const REQUEST_COLUMNS = [
  'login_hint',
  'state',
  'nonce',
] as const satisfies readonly associatedData.RequestColumn[];

const SEALED_COLUMNS: readonly SealedColumn[] = [
  sealed('credential', 'id', 'claims', (row) =>
    associatedData.ofClaims(row as unknown as Schema['credential']),
  ),
  address('email'),
  address('evm_address'),
  sealed('person', 'id', 'about', (row) => associatedData.ofPerson('about', textOf(row, 'id'))),
  ...REQUEST_COLUMNS.map(requestColumn),
  sealed('authorization_record', 'id', 'requested_details', (row) =>
    associatedData.ofDetails('requested_details', textOf(row, 'id')),
  ),
  sealed('authorization_record', 'id', 'granted_details', (row) =>
    associatedData.ofDetails('granted_details', textOf(row, 'id')),
  ),
  sealed('access_token', 'token_hash', 'details', (row) =>
    associatedData.ofDetails('granted_details', textOf(row, 'authorization_id')),
  ),
  sealed('learned', 'entry', 'detail', (row) =>
    associatedData.ofLearned(row as unknown as Schema['learned']),
  ),
  sealed('inference', 'id', 'answers', (row) =>
    associatedData.ofInference(row as unknown as Schema['inference']),
  ),
  sealed('pushed_request', 'token_hash', 'parameters', (row) =>
    associatedData.ofPushedRequest(row as unknown as Schema['pushed_request']),
  ),
  sealed('signing_key', 'kid', 'private_jwk', (row) =>
    associatedData.ofSigningKey(row as unknown as Schema['signing_key']),
  ),
  sealed('kept_secret', 'name', 'secret', (row) => associatedData.ofKeptSecret(textOf(row, 'name'))),
];

/** A table with encrypted columns. */
export interface SealedTable {
  readonly table: keyof Schema;
  readonly key: string;
  readonly columns: readonly SealedColumn[];
  /** All columns that a re-encryption changes. */
  readonly changed: readonly string[];
}

/** {@link SEALED_COLUMNS} by table, so that one statement changes all values of a row. */
export const SEALED_TABLES: readonly SealedTable[] = [
  ...new Set(SEALED_COLUMNS.map(({ table }) => table)),
].map((table) => {
  const columns = SEALED_COLUMNS.filter((one) => one.table === table);
  const key = columns[0]?.key ?? '';
  const changed = columns.flatMap(({ column, sealedColumn }) =>
    sealedColumn === undefined ? [column] : [column, sealedColumn],
  );
  return { table, key, columns, changed };
});

/**
 * Columns whose whole value clients cannot choose, so that a value with the prefix of encrypted values shows that the store is encrypted. The second
 * element of each entry is the column that orders the index of these values. The last two tables have few rows, and no index.
 */
export const SERVER_WRITTEN_COLUMNS: readonly (readonly [
  table: keyof Schema,
  order: string,
  ...columns: readonly string[],
])[] = [
  ['person', 'signed_out_at', 'about', 'email_sealed', 'evm_address_sealed'],
  ['credential', 'issued_at', 'claims'],
  ['pushed_request', 'client_id', 'parameters'],
  ['authorization_record', 'created_at', 'requested_details', 'granted_details'],
  ['access_token', 'issued_at', 'details'],
  ['learned', 'first_at', 'detail'],
  ['inference', 'version', 'answers'],
  ['kept_secret', 'name', 'secret'],
  ['signing_key', 'kid', 'private_jwk'],
];

function sealed(
  table: keyof Schema,
  key: string,
  column: string,
  dataOf: (row: Row) => AssociatedData,
): SealedColumn {
  return {
    table,
    key,
    column,
    reencrypt: (row, sealing) => {
      const data = dataOf(row);
      return { [column]: sealing.seal(sealing.open(textOf(row, column), data), data) };
    },
  };
}

/** Updates the fingerprint and the encrypted address together. */
function address(column: AddressColumn): SealedColumn {
  return {
    table: 'person',
    key: 'id',
    column,
    sealedColumn: `${column}_sealed`,
    reencrypt: (row, sealing) => {
      const person = row as unknown as Schema['person'];
      return toAddressColumns(column, openAddress(person, column, sealing) ?? undefined, person.id, sealing);
    },
  };
}

function requestColumn(column: associatedData.RequestColumn): SealedColumn {
  return {
    table: 'authorization_record',
    key: 'id',
    column,
    reencrypt: (row, sealing) => {
      const data = associatedData.ofRequest(column, textOf(row, 'id'));
      const text = openRequestText(textOf(row, column), data, sealing);
      return { [column]: text === undefined ? null : sealing.seal(text, data) };
    },
  };
}

/**
 * Decrypts a client-chosen string. If it does not decrypt, returns `undefined` in a completely encrypted store. In a partly encrypted store,
 * returns it unchanged: it may be plaintext that starts with the prefix of encrypted values.
 */
function openRequestText(text: string, data: AssociatedData, sealing: Sealing): string | undefined {
  try {
    return sealing.open(text, data);
  } catch (error) {
    if (!(error instanceof SealedValueError)) throw error;
    return sealing.complete ? undefined : text;
  }
}

function textOf(row: Row, column: string): string {
  return String(row[column]);
}
