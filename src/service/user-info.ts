/** User information: only what the scopes cover (OpenID Connect Core §5.3, S139). */
import { ClaimSet, findClaim, toClaimReference } from '../engine/index.js';
import type { ServiceCatalogue } from './catalogue/service-catalogue.js';
import type { ServiceContext } from './context.js';
import type { Grant } from './tokens/authenticate-bearer.js';

/** The last five are there only as the scopes cover them and a credential carries them. */
export interface UserInfo {
  readonly subject: string;
  readonly clientId: string;
  readonly authorizationId: string;
  readonly scopes: readonly string[];
  readonly serviceId?: string;
  readonly walletAddress?: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  /** When the newest of the claims above was attested, rounded down as every instant that an organization sees; absent without any. */
  readonly updatedAt?: number;
}

const EMAIL = 'identity.email';
const SERVICE_ID = 'identity.service_uuid';
const WALLET = 'identity.primary_wallet_address';

/** The claims that stand among user information, by the member that shows each. */
export const CLAIM_OF_USER_INFO = { email: EMAIL, serviceId: SERVICE_ID, walletAddress: WALLET } as const;

/** Reads what the bearer's person has let this client know about who they are. */
export async function readUserInfo(grant: Grant, context: ServiceContext): Promise<UserInfo> {
  const { catalogue, store, clock, identifiers, view } = context;
  const now = clock.now();
  const readable = [EMAIL, SERVICE_ID, WALLET].filter((path) => covers(grant.grantedScopes, path, catalogue));
  const credentials = readable.length === 0 ? [] : await store.readCredentials(grant.userId, grant.asked);
  const claims = ClaimSet.at(view.of(credentials, grant.organizationId, now), now);
  const attestedAt: number[] = [];
  const text = (path: string) => {
    const found = readable.includes(path) ? findClaim(claims, toClaimReference(path)) : undefined;
    if (typeof found?.value !== 'string') return undefined;
    attestedAt.push(found.credential.issuedAt);
    return found.value;
  };
  const [email, serviceId, walletAddress] = [text(EMAIL), text(SERVICE_ID), text(WALLET)];
  return {
    subject: identifiers.subject(grant.organizationId, grant.userId),
    clientId: grant.clientId,
    authorizationId: grant.authorizationId,
    scopes: grant.grantedScopes,
    ...(serviceId === undefined ? {} : { serviceId }),
    ...(walletAddress === undefined ? {} : { walletAddress }),
    // What a credential carries has been verified by its issuer.
    ...(email === undefined ? {} : { email, emailVerified: true }),
    ...(attestedAt.length === 0 ? {} : { updatedAt: view.roundDown(Math.max(...attestedAt)) }),
  };
}

function covers(granted: readonly string[], path: string, { scopes }: ServiceCatalogue): boolean {
  const held = scopes.expand(granted);
  return scopes.coveringScopes(path).some((scope) => held.has(scope));
}
