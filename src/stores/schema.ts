/** Types of the tables that the migrations create (V13), without the columns `audit_id` and the table `recent_change`, which only raw SQL uses. */

import type { Generated } from 'kysely';

export interface Schema {
  schema_version: { version: number; compatible_from?: number | null };
  used_assertion: { id: string; expires_at: number };
  rate_limit: { id: string; empty_at: number };
  kept_secret: { name: string; secret: string };
  signing_key: {
    kid: string;
    algorithm: 'ES256' | 'RS256';
    private_jwk: string;
    published_at: number;
    signs_from: number;
  };
  encryption_key: { id: string; proof: string };
  person: {
    id: string;
    name: string;
    about: string;
    email: string | null;
    evm_address: string | null;
    email_sealed: string | null;
    evm_address_sealed: string | null;
    signed_out_at: number | null;
  };
  erased_credential: { id_hash: string; erased_at: number };
  linked_account: { account_hash: string; issuer: string; person_id: string; linked_at: number };
  credential: {
    id: string;
    person_id: string;
    source: string;
    issued_at: number;
    expires_at: number | null;
    revoked_at: number | null;
    claims: string;
    updated_at: number;
  };
  credential_subject: { id: string; person_id: string; credential_id: string };
  application: {
    client_id: string;
    name: string;
    organization_id: string;
    redirect_uris: string;
    post_logout_redirect_uris: string | null;
    scopes: string;
    secret_hash: string | null;
    id_token_algorithm: 'ES256' | 'RS256';
    created_at: number;
    revoked_at: number | null;
    purpose: string | null;
    organization_name: string | null;
    logo_uri: string | null;
    policy_uri: string | null;
    tos_uri: string | null;
    jwks: string | null;
    auth_method: 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | null;
    dpop_bound: number;
    created_by: string | null;
    changed_at: number | null;
    require_pushed: number;
    authorization_details_types: string | null;
    max_evidence: 'full' | 'checks' | 'none' | null;
  };
  inference: { id: string; person_id: string; version: number; answers: string };
  application_origin: { origin: string; client_id: string };
  authorization_record: {
    id: string;
    client_id: string;
    person_id: string | null;
    status: 'pending_admin' | 'approved' | 'denied' | 'revoked' | 'consumed';
    redirect_uri: string;
    response_mode: 'form_post' | null;
    requested_scopes: string;
    granted_scopes: string | null;
    state: string | null;
    nonce: string | null;
    login_hint: string | null;
    code_challenge: string | null;
    code_hash: string | null;
    code_expires_at: number | null;
    dpop_jkt: string | null;
    failed_redemptions: number;
    browser_hash: string | null;
    palm_verified_at: number | null;
    palm_verified_person_id: string | null;
    prompt: string | null;
    ui_locales: string | null;
    max_age_seconds: number | null;
    authenticated_after: number | null;
    created_at: number;
    request_expires_at: number;
    updated_at: number;
    approved_at: number | null;
    revoked_at: number | null;
    last_token_issued_at: number | null;
    withdrawn_until: number | null;
    authenticated_at: number | null;
    subject_sector: string | null;
    subject_hash: string | null;
    requested_details: string | null;
    granted_details: string | null;
  };
  pushed_request: { token_hash: string; client_id: string; parameters: string; expires_at: number };
  access_token: {
    token_hash: string;
    authorization_id: string;
    family_id: string | null;
    scopes: string;
    issued_at: number;
    expires_at: number;
    revoked_at: number | null;
    jkt: string | null;
    details: string | null;
  };
  refresh_token: {
    token_hash: string;
    authorization_id: string;
    family_id: string;
    generation: number;
    issued_at: number;
    expires_at: number;
    rotated_at: number | null;
    revoked_at: number | null;
    jkt: string | null;
  };
  learned: {
    entry: string;
    authorization_id: string;
    detail: string;
    first_at: number;
    last_at: number;
    changes: number;
  };
  audit_entry: {
    position: Generated<number>;
    at: number;
    kind: string;
    client_id: string | null;
    person_id: string | null;
    authorization_id: string | null;
    scopes: string | null;
    claims: string | null;
    query_hash: string | null;
    about: string | null;
    reason: string | null;
  };
  audit_retention: {
    kept_from: number;
    kept_from_mac: string | null;
    start_number: number;
    chain_start: string | null;
  };
  audit_seal: {
    number: number;
    position: number;
    entries: number;
    sealed_at: number;
    last_at: number;
    gaps: string;
    lines: string;
    hash: string;
    mac: string;
  };
}
