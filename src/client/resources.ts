/** The types of the service's responses. */
import type { Evidence, JsonValue } from '../engine/index.js';
import { CALL_OPTIONS, type CallOptions } from './connection.js';

/** The user information that the scopes cover. */
export interface UserInfo {
  readonly sub: string;
  readonly iss: string;
  readonly aud: string;
  readonly authorization_id: string;
  readonly scopes: readonly string[];
  readonly updated_at?: string;
  readonly service_id?: string;
  readonly wallet_address?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  /** `YYYY-MM-DD`. */
  readonly birthdate?: string;
  /** E.164. */
  readonly phone_number?: string;
  readonly phone_number_verified?: boolean;
  readonly address?: {
    readonly street_address?: string;
    readonly locality?: string;
    readonly region?: string;
    readonly postal_code?: string;
    readonly country?: string;
  };
}

/** The description of a preset. */
export interface PresetDescriptor {
  readonly name: string;
  readonly scope: string;
  readonly category: string;
  readonly description: string;
  readonly consentText: string;
  readonly type:
    | 'boolean'
    | 'string'
    | 'number'
    | 'integer'
    | 'date'
    | 'datetime'
    | 'array'
    | 'object'
    | 'enum';
  readonly sensitivity: 'low' | 'medium' | 'high' | 'critical';
  readonly derived: boolean;
  /** For a derived preset: the name of the preset of the parent claim; absent if that claim has no preset. */
  readonly parentField?: string;
}

/** The result of a preset. Instants are RFC 3339 UTC with milliseconds. */
export interface PresetResult {
  readonly preset: string;
  readonly value: JsonValue;
  readonly status: 'valid';
  readonly expires_at: string;
  readonly verified_at?: string;
  readonly evidence?: Evidence;
}

/** The error of one of several presets. */
export interface PresetError {
  readonly preset: string;
  readonly error: {
    readonly error: 'preset_not_found' | 'insufficient_scope' | 'preset_unavailable' | 'preset_expired';
    readonly error_code: 'E4044' | 'E4003' | 'E4004' | 'E4010';
    readonly error_description: string;
    readonly error_subcode: string;
    readonly context: Readonly<Record<string, unknown>>;
  };
}

/** The results and errors of several presets. Each name is in one of the two. */
export interface PresetBatchResult {
  readonly results: readonly PresetResult[];
  readonly errors: readonly PresetError[];
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly has_more: boolean;
  /** The cursor of the next page. */
  readonly next_cursor?: string;
  readonly last_modified?: string;
}

/** A credential, with the claims that the scopes cover. */
export interface Credential {
  readonly id: string;
  readonly source: string;
  readonly status: 'pending' | 'active' | 'expired' | 'revoked';
  readonly issued_at: string;
  readonly updated_at: string;
  readonly claims: { readonly [path: string]: JsonValue };
  readonly expires_at?: string;
  readonly revoked_at?: string;
}

/** A grant to the application. */
export interface Grant {
  readonly authorization_id: string;
  readonly organization_id: string;
  readonly app_scoped_user_id: string;
  readonly status: 'active' | 'revoked';
  readonly updated_at: string;
}

/** The result of a revocation. */
export interface RevocationResult {
  readonly revoked: boolean;
  readonly revoked_count: number;
  readonly details: readonly {
    readonly subject: 'token' | 'authorization';
    readonly status: 'revoked' | 'not_found' | 'invalid';
    readonly token_type?: 'access_token' | 'refresh_token';
    readonly authorization_id?: string;
    readonly client_id?: string;
    readonly user_id?: string;
    /** `requested`: the request named it; `cascade`: it was revoked with a token; `not_in_force`: unknown, expired, already revoked, or of another client. */
    readonly reason?: 'requested' | 'cascade' | 'not_in_force';
  }[];
}

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** RFC 3339: lists only items whose `updated_at` is this instant or later. A grant whose code expires unredeemed keeps its `updated_at`. */
  readonly updatedSince?: string;
  /** Items per page, from 1 to 100. Default: 50. */
  readonly limit?: number;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string;
}

export const LIST_OPTIONS: readonly (keyof ListOptions)[] = [
  ...CALL_OPTIONS,
  'updatedSince',
  'limit',
  'cursor',
];

/** Returns the path of a page of a list, below the issuer. Never throws. */
export function listPath(path: string, options: ListOptions & { readonly status?: string }): string {
  const { updatedSince, limit, cursor, status } = options;
  // `encodeURIComponent` would throw for a lone surrogate.
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ status, updated_since: updatedSince, limit, cursor }))
    if (value !== undefined) query.set(name, String(value));
  return `${path}?${query}`.replace(/\?$/, '');
}
