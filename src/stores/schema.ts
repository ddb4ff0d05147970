/** The tables as the statements see them; the migrations make them (V13). */

export interface Schema {
  schema_version: { version: number };
  kept_secret: { name: string; secret: string };
  person: { id: string; name: string; about: string };
  credential: {
    id: string;
    person_id: string;
    source: string;
    issued_at: number;
    expires_at: number | null;
    revoked_at: number | null;
    claims: string;
  };
  application: {
    client_id: string;
    name: string;
    organization_id: string;
    redirect_uris: string;
    secret_hash: string | null;
    created_at: number;
    revoked_at: number | null;
  };
  authorization_record: {
    id: string;
    client_id: string;
    person_id: string | null;
    status: 'pending_admin' | 'approved' | 'denied' | 'revoked' | 'consumed';
    requested_scopes: string;
    granted_scopes: string | null;
    created_at: number;
  };
  access_token: {
    token_hash: string;
    authorization_id: string;
    issued_at: number;
    expires_at: number;
    revoked_at: number | null;
  };
}
