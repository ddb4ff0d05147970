/** The encrypted columns of a store, and their re-encryption. */
import type { Schema } from '../schema.js';
import { type AddressColumn, openAddress, toAddressColumns } from '../statements/rows.js';
import * as associatedData from './associated-data.js';
import { type AssociatedData, SealedValueError, type Sealing } from './sealing.js';

/** A row of any of the tables below. */
export type Row = Readonly<Record<string, unknown>>;

/** An encrypted column, or a column of fingerprints. */
export interface SealedColumn {
  readonly table: keyof Schema;
  readonly key: string;
  readonly column: string;
  /** Returns the updated columns of a row with its value under the current key. */
  readonly reencrypt: (row: Row, sealing: Sealing) => Readonly<Record<string, string | null>>;
}

/** Columns of a request with client-chosen strings. */
const REQUEST_COLUMNS = [
  'login_hint',
  'state',
  'nonce',
] as const satisfies readonly associatedData.RequestColumn[];

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  sealed('credential', 'id', 'claims', (row) =>
    associatedData.ofClaims(row as unknown as Schema['credential']),
  ),
  address('email'),
  address('evm_address'),
  sealed('person', 'id', 'about', (row) => associatedData.ofPerson('about', textOf(row, 'id'))),
  ...REQUEST_COLUMNS.map(ofRequest),
  sealed('pushed_request', 'token_hash', 'parameters', (row) =>
    associatedData.ofPushedRequest(row as unknown as Schema['pushed_request']),
  ),
  sealed('signing_key', 'kid', 'private_jwk', (row) =>
    associatedData.ofSigningKey(row as unknown as Schema['signing_key']),
  ),
  sealed('kept_secret', 'name', 'secret', (row) => associatedData.ofKeptSecret(textOf(row, 'name'))),
];

/** Columns without caller-chosen strings: a value with the prefix of encrypted values proves encryption. */
export const SERVER_WRITTEN_COLUMNS: readonly (readonly [table: keyof Schema, column: string])[] = [
  ['kept_secret', 'secret'],
  ['signing_key', 'private_jwk'],
  ['person', 'about'],
  ['person', 'email_sealed'],
  ['person', 'evm_address_sealed'],
  ['credential', 'claims'],
  ['pushed_request', 'parameters'],
];

/** Columns with client-chosen strings: only a value that decrypts proves encryption. */
export const CLIENT_CHOSEN_COLUMNS: readonly {
  readonly table: keyof Schema;
  readonly column: string;
  readonly dataOf: (row: Row) => AssociatedData;
}[] = REQUEST_COLUMNS.map((column) => ({
  table: 'authorization_record',
  column,
  dataOf: (row) => associatedData.ofRequest(column, textOf(row, 'id')),
}));

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

/** The fingerprint and the encrypted address are updated together. */
function address(column: AddressColumn): SealedColumn {
  return {
    table: 'person',
    key: 'id',
    column,
    reencrypt: (row, sealing) => {
      const person = row as unknown as Schema['person'];
      return toAddressColumns(column, openAddress(person, column, sealing) ?? undefined, person.id, sealing);
    },
  };
}

function ofRequest(column: associatedData.RequestColumn): SealedColumn {
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
 * Decrypts a client-chosen string. A value that does not decrypt is returned unchanged in a partly encrypted store, where it may be plaintext
 * with the prefix of encrypted values, and dropped in a completely encrypted store.
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
