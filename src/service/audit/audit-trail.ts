/** The audit log: its entries, the records that seal them, and the trail that writes entries (L20, L25). */
import { createBatchWriter } from '../batches.js';
import type { SetImmediate } from '../ports/ports.js';
import type { Store } from '../ports/store/store.js';

/** Writes entries for operations that change nothing in the store. For changes, the store itself writes the entry in the same transaction. */
export interface AuditTrail {
  /** Resolves once the entries are durable. When it rejects, the result that they describe must not be returned. */
  record(entries: readonly AuditEntry[]): Promise<void>;
  /**
   * Writes an entry without waiting, so that the response time of a rejection does not reveal its reason (S121). The entry is lost when the store
   * fails or the process ends before the next write.
   */
  recordInBackground(entry: AuditEntry): void;
  /** Resolves once all pending writes have succeeded or failed; for an orderly stop. Never rejects. */
  flush(): Promise<void>;
}

/** @param setImmediate - Delays a write to the end of the event-loop turn. Batches are written one after another. */
export function createAuditTrail(store: Pick<Store, 'recordAudit'>, setImmediate: SetImmediate): AuditTrail {
  const batches = createBatchWriter<AuditEntry>((entries) => store.recordAudit(entries), setImmediate);
  return {
    record: batches.write,
    // A failure is not reported here: while the store fails, the callers of `record` report it.
    recordInBackground: (entry) => void batches.write([entry]).catch(() => undefined),
    flush: batches.flush,
  };
}

// Contents of the audit log: grants, disclosures and rejections, with their time, people, applications and queries (L25).

/** Every kind of entry, with its meaning. */
export const AUDIT_KINDS = {
  authorization_granted: 'A person approved an authorization; `scopes` are the granted scopes.',
  authorization_denied: 'A person or the administrator denied an authorization.',
  grant_revoked: 'A grant ended, for `reason`.',
  grant_restored: 'The person undid the withdrawal of a grant.',
  token_issued: 'An access token was issued, by the grant type in `about`.',
  token_refreshed: 'A refresh token was rotated.',
  token_replayed: 'A code or a refresh token was used a second time; `grant_revoked` follows.',
  token_revoked: 'A token was revoked by its client or bearer.',
  application_registered: 'An application was registered; `scopes` are those that it may request.',
  application_changed:
    'An application was changed, or its secret was replaced: `reason` lists the changed columns; `scopes` are those that it may request.',
  application_revoked: 'An application was revoked, and all its tokens with it.',
  credential_ingested: 'A credential was ingested: `about` is its id, `claims` are its claims.',
  credential_revoked: 'A credential was revoked: `about` is its id.',
  person_exported: 'Everything that is held about a person was exported; `reason` names who exported it.',
  person_erased: 'A person was erased: the entries about them can no longer be linked to a person.',
  signing_key_added: 'A signing key of ID tokens was created: `about` is its id, `reason` its algorithm.',
  query_answered: 'A query was evaluated; `claims` are those that it reads.',
  query_refused: 'A query was rejected: for `insufficient_scope`, or another reason.',
  preset_answered: 'A preset was resolved: `about` is its name.',
  preset_refused: 'A preset was rejected.',
  user_info_read: 'User information was read; `claims` are those in it.',
  credentials_listed: 'Credentials were listed for an application; `claims` are those in them.',
  credentials_refused: 'A list of credentials was rejected: for `insufficient_scope`, or another reason.',
  audience_evaluated: 'A policy was evaluated for the people of an application.',
  audience_refused: 'The evaluation of an audience was rejected.',
  client_refused: 'The authentication of a known application failed.',
} as const satisfies Readonly<Record<string, string>>;

export type AuditKind = keyof typeof AUDIT_KINDS;

/**
 * One entry. It names people, applications, claims and scopes, and never contains claim values, operands, results, tokens, codes, secrets or
 * caller-supplied text.
 */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly kind: AuditKind;
  readonly clientId?: string;
  /** The internal id of the person, which no organization sees (V5). */
  readonly userId?: string;
  readonly authorizationId?: string;
  readonly scopes?: readonly string[];
  /** Claims of the catalogue; for a longer path, the claim that contains it. */
  readonly claims?: readonly string[];
  /** SHA-256 of the query's canonical text, base64url (L25). */
  readonly queryHash?: string;
  /** The credential, key, preset or grant type that the entry concerns. */
  readonly about?: string;
  /** Code of the reason, such as `insufficient_scope`. Some kinds use it for another detail: see {@link AUDIT_KINDS}. */
  readonly reason?: string;
}

/** An entry with its position in the log. */
export interface AuditRecord extends AuditEntry {
  /** Sequence number, in the order of writing. */
  readonly position: number;
}

/** A filter for entries, which must match every member that is present. */
export interface AuditQuery {
  /** At this instant or later. */
  readonly since?: number;
  /** Before this instant. */
  readonly until?: number;
  readonly clientId?: string;
  readonly userId?: string;
  readonly kinds?: readonly AuditKind[];
  readonly queryHash?: string;
  /** Whether entries have the pseudonyms of people and credentials, as they are stored. Default: their ids, if these exist. */
  readonly asStored?: boolean;
  /** After this entry. */
  readonly after?: Pick<AuditRecord, 'at' | 'position'>;
  /** Maximum number of entries. */
  readonly limit: number;
}

// The records that make the audit log tamper-evident. Instants are epoch milliseconds.

/** An entry as canonical text, which seals cover. */
export interface AuditLine {
  readonly position: number;
  readonly at: number;
  /** A JSON array of the entry's columns as they are stored, in the order of the table. */
  readonly text: string;
}

/** A range of positions, both ends included; unbounded if an end is absent. */
export interface PositionRange {
  readonly from?: number;
  readonly to?: number;
}

/** The state of the log at a seal. A copy kept outside the database reveals later changes and removals. */
export interface AuditHead {
  /** The seal's number: 1, 2, 3 … */
  readonly number: number;
  /** The highest position that this seal or an earlier one covers. */
  readonly position: number;
  /** Number of entries that this seal and all earlier ones cover. */
  readonly entries: number;
  /** When the seal was made. */
  readonly at: number;
  /** SHA-256 of the seal and the previous seal's hash. */
  readonly hash: string;
  /** HMAC of all of the above, under the audit key. */
  readonly mac: string;
}

/** A seal as stored. `gaps` and `lines` are JSON texts, since the hash covers the exact texts. */
export interface AuditSeal extends AuditHead {
  /** The newest instant among the entries that this seal covers; 0 if it covers none. */
  readonly lastAt: number;
  /** Skipped positions that may still be written: an array of `[from, to, since]`. */
  readonly gaps: string;
  /** The entries that this seal covers: an array of `[position, at, hash]`. */
  readonly lines: string;
}

/** The record of removals by retention, with HMACs that authenticate it. */
export interface AuditRetention {
  /** Entries before this instant may have been removed. */
  readonly keptFrom: number;
  /** HMAC of `keptFrom`; absent until entries are removed. */
  readonly mac?: string;
  /** The last seal that was removed, as JSON text with an HMAC; absent while the first seal is present. */
  readonly start?: string;
}
