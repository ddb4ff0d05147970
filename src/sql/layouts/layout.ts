/** Layouts: the tables and columns in which a database keeps claims. */

/**
 * People, and their credentials with the claims as a JSON object: `{"identity.age": 37}`.
 *
 * The columns must hold what the engine accepts: distinct ids, instants in epoch milliseconds, values nested at most
 * 16 deep, no duplicate member names, strings without U+0000.
 */
export interface CredentialsLayout {
  readonly kind: 'credentials';
  readonly people: { readonly table: string; readonly id: string };
  readonly credentials: {
    readonly table: string;
    readonly person: string;
    readonly id: string;
    readonly issuedAt: string;
    /** NULL where a credential does not expire. */
    readonly expiresAt: string;
    /** NULL where a credential is not revoked. */
    readonly revokedAt: string;
    /** The claims, as JSON: `jsonb` or text in PostgreSQL, text in SQLite, `JSON` or text in DuckDB. */
    readonly claims: string;
  };
}

/** One row per person, with the active claims as a JSON object. */
export interface DocumentsLayout {
  readonly kind: 'documents';
  readonly people: { readonly table: string; readonly id: string };
  /** The column with the claims, `jsonb` in PostgreSQL. Never NULL. */
  readonly claims: string;
  /**
   * Claims with an index on their value. In PostgreSQL, comparisons of these claims with numbers are written
   * so that the index is used; without an index, they are slower than others.
   */
  readonly indexed?: readonly string[];
}

/** People, and one row per active claim. */
export interface ClaimsLayout {
  readonly kind: 'claims';
  readonly people: { readonly table: string; readonly id: string };
  readonly claims: {
    readonly table: string;
    readonly person: string;
    /** The claim's path, unique per person. */
    readonly path: string;
    /** The claim's value as JSON, `jsonb` in PostgreSQL. Never SQL's NULL. */
    readonly value: string;
  };
}

export const COLUMN_TYPES = ['integer', 'number', 'text', 'boolean', 'date', 'timestamptz', 'json'] as const;

/**
 * The type of a column of a {@link ColumnsLayout}. NULL is an undefined claim, for every type.
 *
 * `integer`: integers within ±(2^53 − 1); `number`: double precision; `date`: a date of the years 1 to 9999, which the
 * engine reads as a string `YYYY-MM-DD` (in SQLite the column contains that string, and is read as `text` is); `timestamptz`: an instant
 * of the years 1 to 9999, a column `timestamp with time zone` of PostgreSQL or DuckDB, which the engine reads as
 * `Date.prototype.toISOString` writes it (`2026-01-31T09:30:00.000Z`), truncated to milliseconds; `json`: every JSON value.
 * In PostgreSQL and DuckDB, the statement fails if a column declared as `date` or `timestamptz` has another type.
 */
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** The column of a claim. */
export interface ClaimColumn {
  readonly column: string;
  readonly type: ColumnType;
}

/** One row per person, one column per claim. */
export interface ColumnsLayout {
  readonly kind: 'columns';
  readonly people: { readonly table: string; readonly id: string };
  /** By claim path. */
  readonly columns: { readonly [path: string]: ClaimColumn };
  /**
   * Claims that no person has, with their members. A query on any other claim without a column is rejected: a misspelled
   * claim would be undefined for everyone, so that its negation passes for everyone.
   */
  readonly undefinedClaims?: readonly string[];
}

export type SqlLayout = CredentialsLayout | DocumentsLayout | ClaimsLayout | ColumnsLayout;

/** The layout of the service's store, on SQLite and on PostgreSQL. */
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
