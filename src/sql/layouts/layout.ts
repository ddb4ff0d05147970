/** Where a database keeps claims: data, handed in with each query. */

/**
 * People, and their credentials with their claims as one JSON object each: `{"identity.age": 37}`.
 *
 * What the columns hold is what the engine takes in: ids that differ, instants in epoch milliseconds, values nested at
 * most 16 deep, no name twice in an object, texts without U+0000.
 */
export interface CredentialsLayout {
  readonly kind: 'credentials';
  readonly people: { readonly table: string; readonly id: string };
  readonly credentials: {
    readonly table: string;
    readonly person: string;
    readonly id: string;
    readonly issuedAt: string;
    /** Columns that are NULL where a credential does not expire, or is not revoked. */
    readonly expiresAt: string;
    readonly revokedAt: string;
    /** The claims, as JSON: `jsonb` or text in PostgreSQL, text in SQLite, `JSON` or text in DuckDB. */
    readonly claims: string;
  };
}

/** One row a person, with the claims that speak as one JSON object. */
export interface DocumentsLayout {
  readonly kind: 'documents';
  readonly people: { readonly table: string; readonly id: string };
  /** The column with the claims, `jsonb` in PostgreSQL. Never NULL. */
  readonly claims: string;
  /**
   * Claims that have an index on their value. In PostgreSQL a comparison with a number is written otherwise where an index can serve
   * it, which makes it slower where none does.
   */
  readonly indexed?: readonly string[];
}

/** People, and one row for each claim that speaks for them. */
export interface ClaimsLayout {
  readonly kind: 'claims';
  readonly people: { readonly table: string; readonly id: string };
  readonly claims: {
    readonly table: string;
    readonly person: string;
    /** The claim's path. A person has each path once. */
    readonly path: string;
    /** Its value as JSON, `jsonb` in PostgreSQL. Never SQL's NULL. */
    readonly value: string;
  };
}

/**
 * What a column of a {@link ColumnsLayout} holds. NULL is a claim that is not defined, whatever the type.
 *
 * `integer`: whole numbers up to 2^53; `number`: double precision; `date`: a date of the years 1 to 9999, which the engine knows as
 * its text (in SQLite it is that text); `json`: any value.
 */
export type ColumnType = 'integer' | 'number' | 'text' | 'boolean' | 'date' | 'json';

/** One row a person, one column a claim. A claim without a column is not defined. */
export interface ColumnsLayout {
  readonly kind: 'columns';
  readonly people: { readonly table: string; readonly id: string };
  /** By claim path. */
  readonly columns: { readonly [path: string]: { readonly column: string; readonly type: ColumnType } };
}

export type SqlLayout = CredentialsLayout | DocumentsLayout | ClaimsLayout | ColumnsLayout;

/** How the service's own store keeps them, on SQLite and on PostgreSQL. */
export const SERVICE_STORE_LAYOUT: CredentialsLayout = Object.freeze({
  kind: 'credentials',
  people: Object.freeze({ table: 'person', id: 'id' }),
  credentials: Object.freeze({
    table: 'credential',
    person: 'person_id',
    id: 'id',
    issuedAt: 'issued_at',
    expiresAt: 'expires_at',
    revokedAt: 'revoked_at',
    claims: 'claims',
  }),
});
