/** What the audit log tells: who was granted, shown or refused what, when, and by which query (L25). */

/** Every kind of entry, with what it tells. */
export const AUDIT_KINDS = {
  authorization_granted: 'Somebody agreed; `scopes` are what they agreed to.',
  authorization_denied: 'Somebody, or the administrator, said no.',
  grant_revoked: 'An agreement ended; `reason` is why.',
  grant_restored: 'The person took back that they had ended it.',
  token_issued: 'An access token was issued, by what `about` names.',
  token_refreshed: 'A refresh token was exchanged for the next.',
  token_replayed: 'A code or a refresh token was shown a second time; `grant_revoked` follows.',
  token_revoked: 'A token was given back.',
  application_registered: 'An application may ask from now on; `scopes` are those that it may ask for.',
  application_revoked: 'An application may not ask any more, and its tokens are worth nothing.',
  credential_ingested: 'A credential was taken in: `about` is its id, `claims` are those that it carries.',
  credential_revoked: 'A credential was revoked: `about` is its id.',
  signing_key_added: 'A key that signs ID tokens was made: `about` is its id.',
  query_answered: 'A query was answered; `claims` are those that it asks about.',
  query_refused: 'A query was refused: for `insufficient_scope`, or another reason.',
  preset_answered: 'A preset was answered: `about` is its name.',
  preset_refused: 'A preset was refused.',
  user_info_read: 'User information was shown; `claims` are those among it.',
  credentials_listed: 'Credentials were shown to an application; `claims` are those among them.',
  credentials_refused: 'They were refused: for `insufficient_scope`, or another reason.',
  audience_evaluated: 'An application’s people were asked whether they satisfy a policy.',
  audience_refused: 'That was refused.',
  client_refused: 'An application that is known did not prove who it is.',
} as const satisfies Readonly<Record<string, string>>;

export type AuditKind = keyof typeof AUDIT_KINDS;

/**
 * One entry. It names people, applications, claims and scopes; it never holds a claim's value, an operand, an answer, a token, a code, a
 * secret or a text that a caller made up.
 */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly kind: AuditKind;
  readonly clientId?: string;
  /** As the store knows the person, and no organisation does (V5). */
  readonly userId?: string;
  readonly authorizationId?: string;
  readonly scopes?: readonly string[];
  /** Of the catalogue; of a longer path the claim that it reaches into. */
  readonly claims?: readonly string[];
  /** SHA-256 of the query's canonical text, base64url (L25). */
  readonly queryHash?: string;
  /** What else it is about: a credential, a key, a preset, a way to get a token. */
  readonly about?: string;
  /** Why, as one word. */
  readonly reason?: string;
}

/** An entry in its place. */
export interface AuditRecord extends AuditEntry {
  /** Its number in the order in which entries were written. */
  readonly position: number;
}

/** Which entries are asked for: those to which everything given applies. */
export interface AuditQuery {
  /** At this instant or later. */
  readonly since?: number;
  /** Before this instant. */
  readonly until?: number;
  readonly clientId?: string;
  readonly userId?: string;
  readonly kinds?: readonly AuditKind[];
  readonly queryHash?: string;
  /** After this entry. */
  readonly after?: Pick<AuditRecord, 'at' | 'position'>;
  /** How many at most. */
  readonly limit: number;
}
