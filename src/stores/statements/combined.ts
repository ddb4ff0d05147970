/**
 * Statements for PostgreSQL that each change a token or grant with everything that depends on it, atomically and in one round trip. If such a
 * statement changes nothing, the method runs its transaction, which detects replays, expired requests and states of concurrent changes, as on
 * SQLite.
 */
import { type CompiledQuery, type Expression, type Kysely, type OperationNodeSource, sql } from 'kysely';
import { isInForce } from '../../service/authorization/authorization.js';
import type {
  Approval,
  RedeemedCode,
  Redemption,
  Revocation,
  RevocationOutcome,
  Rotation,
} from '../../service/ports/store/authorization-store.js';
import type { Store } from '../../service/ports/store/store.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Schema } from '../schema.js';
import type { Sealing } from '../sealing/sealing.js';
import type { AuthorizationEvent } from './auditing.js';
import { approvePending, toApprovedColumns } from './authorizations.js';
import { consumeCode, NO_KEY } from './codes.js';
import { compileOnce } from './conditions.js';
import { AUTHORIZATION_COLUMNS, parseStringList, toAuthorization } from './rows.js';
import { rotateToken, touchGrant } from './tokens.js';

/** Columns of a changed grant from which the entry of the audit log is made. */
const CHANGED_COLUMNS = ['id', 'client_id', 'person_id', 'granted_scopes'] as const;

/** Methods that return `undefined` if nothing was changed. */
export interface CombinedStatements {
  approve(approval: Approval): Promise<true | undefined>;
  redeem(redemption: Redemption): Promise<RedeemedCode | undefined>;
  /** Returns whether tokens were issued: `false` if the grant of the token is not in force. */
  rotate(rotation: Rotation, details: string | null): Promise<boolean | undefined>;
  record(...token: Parameters<Store['recordAccessToken']>): Promise<true | undefined>;
  /** Revokes a single token without its authorization. Returns `undefined` for other revocations, too. */
  revoke(revocation: Revocation): Promise<RevocationOutcome | undefined>;
}

/** @param audited - Whether the store has an audit log. */
export function prepareCombined(
  database: Kysely<Schema>,
  audited: boolean,
  sealing: Sealing,
): CombinedStatements {
  const approve = compileApproval(database, audited);
  const redeem = compileRedemption(database, audited);
  const rotate = compileRotation(database, audited);
  const record = compileRecording(database, audited);
  const revoke = compileRevocation(database, audited);
  const run = async <Row>(statement: CompiledQuery<Row>) => (await database.executeQuery(statement)).rows[0];
  return {
    approve: async (approval) => {
      const { authorizationId, at } = approval;
      const row = await run(approve({ ...toApprovedColumns(approval, sealing), authorizationId, at }));
      return row && true;
    },
    redeem: async (redemption) => {
      const { accessToken, refreshToken, allowedScopes, allowsConditions = false, ...values } = redemption;
      const row = await run(
        redeem({
          ...values,
          jkt: redemption.jkt ?? NO_KEY,
          allowsConditions: allowsConditions ? 1 : 0,
          allowedScopes: allowedScopes === undefined ? null : JSON.stringify(allowedScopes),
          accessHash: accessToken.tokenHash,
          issuedAt: accessToken.issuedAt,
          expiresAt: accessToken.expiresAt,
          accessJkt: accessToken.jkt ?? null,
          refreshHash: refreshToken.tokenHash,
          familyId: refreshToken.familyId,
          refreshIssuedAt: refreshToken.issuedAt,
          refreshExpiresAt: refreshToken.expiresAt,
          refreshJkt: refreshToken.jkt ?? null,
        }),
      );
      if (row === undefined) return undefined;
      const authorization = toAuthorization(row, sealing);
      const conditions = allowsConditions ? authorization.grantedConditions : undefined;
      return { authorization, scopes: parseStringList(row.token_scopes), ...omitUndefined({ conditions }) };
    },
    rotate: async ({ tokenHash, clientId, nextTokenHash, nextJkt = null, accessToken, at }, details) => {
      const row = await run(
        rotate({
          ...{ tokenHash, clientId, nextTokenHash, nextJkt, at },
          accessHash: accessToken.tokenHash,
          scopes: JSON.stringify(accessToken.scopes),
          details,
          issuedAt: accessToken.issuedAt,
          expiresAt: accessToken.expiresAt,
          accessJkt: accessToken.jkt ?? null,
        }),
      );
      return row?.issued;
    },
    record: async (authorizationId, { tokenHash, scopes, issuedAt, expiresAt, jkt = null }) => {
      const row = await run(
        record({
          authorizationId,
          tokenHash,
          scopes: JSON.stringify(scopes),
          at: issuedAt,
          expiresAt,
          jkt,
        }),
      );
      return row && true;
    },
    revoke: async ({ tokenHashes, authorizationId, clientId = null, cascade, at }) => {
      const [tokenHash] = tokenHashes;
      if (tokenHash === undefined || tokenHashes.length > 1 || authorizationId !== undefined || cascade)
        return undefined;
      const row = await run(revoke({ tokenHash, clientId, at }));
      if (row === undefined) return { tokens: [undefined], authorizations: [] };
      // A concurrent rotation may have committed another generation, which the statement does not see.
      if (row.token_type === 'refresh_token' && !row.revoked) return undefined;
      const { status } = row;
      const wasInForce = isInForce(
        omitUndefined({ status, codeExpiresAt: row.code_expires_at ?? undefined }),
        at,
      );
      if (!row.revoked || !wasInForce || row.expires_at <= at)
        return { tokens: [undefined], authorizations: [] };
      const revoked = {
        tokenType: row.token_type,
        authorizationId: row.authorization_id,
        userId: row.person_id ?? '',
        clientId: row.client_id,
        organizationId: row.organization_id,
      };
      return { tokens: [revoked], authorizations: [] };
    },
  };
}

/** Embeds a statement in another. */
function part(statement: OperationNodeSource): Expression<unknown> {
  return { expressionType: undefined, toOperationNode: () => statement.toOperationNode() };
}

/** Returns the insert of an audit entry for the grant in the common table expression `changed`. */
function insertEntry(
  audited: boolean,
  { kind, about }: Pick<AuthorizationEvent, 'kind' | 'about'>,
  at: number,
  scopes: string | null = null,
) {
  return sql`insert into audit_entry (at, kind, client_id, person_id, authorization_id, scopes, about)
    select cast(${at} as bigint), ${sql.lit(kind)}, client_id,
      (select p.audit_id from person as p where p.id = person_id), id,
      coalesce(cast(${scopes} as text), granted_scopes), ${sql.lit(about ?? null)}
    from changed where ${sql.lit(audited)}`;
}

type ApprovalValues = ReturnType<typeof toApprovedColumns> & Pick<Approval, 'authorizationId' | 'at'>;

function compileApproval(database: Kysely<Schema>, audited: boolean) {
  return compileOnce((values: ApprovalValues) => {
    const changed = approvePending(database, values.authorizationId, values, values.at).returning(
      CHANGED_COLUMNS,
    );
    const entry = insertEntry(audited, { kind: 'authorization_granted' }, values.at);
    const statement = sql<{ id: string }>`
      with changed as (${part(changed)}), entry as (${entry}) select id from changed`;
    return { compile: () => statement.compile(database) };
  });
}

interface AccessTokenValues {
  readonly accessHash: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly accessJkt: string | null;
}

type RedemptionValues = AccessTokenValues &
  Pick<Redemption, 'codeHash' | 'clientId' | 'redirectUri' | 'codeChallenge' | 'at'> & {
    readonly jkt: string;
    readonly allowedScopes: string | null;
    /** 1 or 0. */
    readonly allowsConditions: number;
    readonly refreshHash: string;
    readonly familyId: string;
    readonly refreshIssuedAt: number;
    readonly refreshExpiresAt: number;
    readonly refreshJkt: string | null;
  };

type RedeemedRow = Pick<Schema['authorization_record'], (typeof AUTHORIZATION_COLUMNS)[number]> & {
  readonly token_scopes: string;
};

function compileRedemption(database: Kysely<Schema>, audited: boolean) {
  return compileOnce((values: RedemptionValues) => {
    const consumed = consumeCode(database, values).returning(AUTHORIZATION_COLUMNS);
    // The granted scopes that are allowed, in the order in which they were granted.
    const scopes = sql`case when cast(${values.allowedScopes} as text) is null then granted_scopes else (
      select '[' || coalesce(string_agg(to_json(scope)::text, ',' order by number), '') || ']'
      from json_array_elements_text(granted_scopes::json) with ordinality as granted (scope, number)
      where scope in (select allowed from json_array_elements_text(cast(${values.allowedScopes} as json)) as list (allowed))) end`;
    const columns = sql.join(AUTHORIZATION_COLUMNS.map((column) => sql.ref(`consumed.${column}`)));
    const statement = sql<RedeemedRow>`
      with consumed as (${part(consumed)}),
      changed as (select id, client_id, person_id, ${scopes} as granted_scopes,
        case when cast(${values.allowsConditions} as bigint) = 1 then granted_details end as details from consumed),
      access as (insert into access_token (token_hash, authorization_id, family_id, scopes, details, issued_at, expires_at, jkt)
        select cast(${values.accessHash} as text), id, cast(${values.familyId} as text), granted_scopes, details,
          cast(${values.issuedAt} as bigint), cast(${values.expiresAt} as bigint), cast(${values.accessJkt} as text)
        from changed),
      refresh as (insert into refresh_token (token_hash, authorization_id, family_id, generation, issued_at, expires_at, jkt)
        select cast(${values.refreshHash} as text), id, cast(${values.familyId} as text), 1,
          cast(${values.refreshIssuedAt} as bigint), cast(${values.refreshExpiresAt} as bigint), cast(${values.refreshJkt} as text)
        from changed),
      entry as (${insertEntry(audited, { kind: 'token_issued', about: 'authorization_code' }, values.at)})
      select ${columns}, changed.granted_scopes as token_scopes from consumed, changed`;
    return { compile: () => statement.compile(database) };
  });
}

type RotationValues = AccessTokenValues &
  Pick<Rotation, 'tokenHash' | 'clientId' | 'nextTokenHash' | 'at'> & {
    readonly nextJkt: string | null;
    readonly scopes: string;
    readonly details: string | null;
  };

/** If the grant ends concurrently, rotates the token without a successor, as the transaction does. */
function compileRotation(database: Kysely<Schema>, audited: boolean) {
  return compileOnce((values: RotationValues) => {
    const rotated = rotateToken(database, values);
    const authorizationId = sql<string>`(select authorization_id from rotated)`;
    const changed = touchGrant(database, authorizationId, values.at).returning(CHANGED_COLUMNS);
    const event = { kind: 'token_refreshed' } as const;
    const statement = sql<{ issued: boolean }>`
      with rotated as (${part(rotated)}), changed as (${part(changed)}),
      refresh as (insert into refresh_token (token_hash, authorization_id, family_id, generation, issued_at, expires_at, jkt)
        select cast(${values.nextTokenHash} as text), authorization_id, family_id, generation + 1, cast(${values.at} as bigint),
          expires_at, coalesce(cast(${values.nextJkt} as text), jkt)
        from rotated, changed),
      access as (insert into access_token (token_hash, authorization_id, family_id, scopes, details, issued_at, expires_at, jkt)
        select cast(${values.accessHash} as text), authorization_id, family_id, cast(${values.scopes} as text), cast(${values.details} as text),
          cast(${values.issuedAt} as bigint), cast(${values.expiresAt} as bigint), cast(${values.accessJkt} as text)
        from rotated, changed),
      entry as (${insertEntry(audited, event, values.at, values.scopes)})
      select exists (select 1 from changed) as issued from rotated`;
    return { compile: () => statement.compile(database) };
  });
}

interface RecordingValues {
  readonly authorizationId: string;
  readonly tokenHash: string;
  readonly scopes: string;
  readonly at: number;
  readonly expiresAt: number;
  readonly jkt: string | null;
}

function compileRecording(database: Kysely<Schema>, audited: boolean) {
  return compileOnce((values: RecordingValues) => {
    const changed = touchGrant(database, values.authorizationId, values.at).returning(CHANGED_COLUMNS);
    const event = { kind: 'token_issued', about: 'client_user_token' } as const;
    const statement = sql<{ id: string }>`
      with changed as (${part(changed)}),
      access as (insert into access_token (token_hash, authorization_id, scopes, issued_at, expires_at, jkt)
        select cast(${values.tokenHash} as text), id, cast(${values.scopes} as text), cast(${values.at} as bigint),
          cast(${values.expiresAt} as bigint), cast(${values.jkt} as text)
        from changed),
      entry as (${insertEntry(audited, event, values.at, values.scopes)})
      select id from changed`;
    return { compile: () => statement.compile(database) };
  });
}

type RevokedRow = Pick<
  Schema['authorization_record'],
  'client_id' | 'person_id' | 'status' | 'code_expires_at'
> & {
  readonly authorization_id: string;
  readonly organization_id: string;
  readonly expires_at: number;
  readonly token_type: 'access_token' | 'refresh_token';
  readonly revoked: boolean;
};

/**
 * Revokes an access token; or a refresh token's current generation, and if it was active, the access tokens of the family. A rotation locks the
 * current generation first, so a revocation that changes it sees every access token of the family.
 */
function compileRevocation(database: Kysely<Schema>, audited: boolean) {
  return compileOnce(
    (values: { readonly tokenHash: string; readonly clientId: string | null; readonly at: number }) => {
      const at = sql`cast(${values.at} as bigint)`;
      const statement = sql<RevokedRow>`
      with presented as (
        select authorization_id, cast(null as text) as family_id, expires_at, 'access_token' as token_type
        from access_token where token_hash = ${values.tokenHash}
        union all select authorization_id, family_id, expires_at, 'refresh_token'
        from refresh_token where token_hash = ${values.tokenHash}),
      found as (
        select p.authorization_id, p.family_id, p.expires_at, p.token_type, a.client_id, a.person_id, a.status, a.code_expires_at,
          a.granted_scopes, c.organization_id
        from presented as p join authorization_record as a on a.id = p.authorization_id
        join application as c on c.client_id = a.client_id
        where cast(${values.clientId} as text) is null or a.client_id = ${values.clientId}),
      access as (update access_token set revoked_at = ${at}
        where token_hash = ${values.tokenHash} and revoked_at is null and exists (select 1 from found)
        returning token_hash),
      generation as (update refresh_token set revoked_at = ${at}
        where family_id = (select family_id from found) and rotated_at is null and revoked_at is null
        returning family_id),
      family as (update access_token set revoked_at = ${at}
        where family_id = (select family_id from generation) and revoked_at is null),
      entry as (insert into audit_entry (at, kind, client_id, person_id, authorization_id, scopes, about)
        select ${at}, 'token_revoked', client_id, (select p.audit_id from person as p where p.id = person_id),
          authorization_id, granted_scopes, token_type
        from found where ${sql.lit(audited)} and (exists (select 1 from access) or exists (select 1 from generation)))
      select authorization_id, expires_at, token_type, client_id, person_id, status, code_expires_at, organization_id,
        exists (select 1 from access) or exists (select 1 from generation) as revoked
      from found`;
      return { compile: () => statement.compile(database) };
    },
  );
}
