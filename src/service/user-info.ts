/** User information, restricted to the granted scopes (OpenID Connect Core §5.3, S139, S241, S242). */
import { indexCredentials } from '../engine/claims/claim-set.js';
import { findClaim, toClaimReference } from '../engine/index.js';
import type { ServiceContext } from './context.js';
import { ServiceError } from './errors.js';
import { disclosesValues } from './queries/evidence-level.js';
import { isCoveredBy } from './scopes/scopes.js';
import type { Grant } from './tokens/tokens.js';

/**
 * User information about a person. A claim is `undefined` unless a credential attests it, the scopes cover it and include the standard scope that it
 * requires (such as `profile` for the name), and the evidence level allows its value.
 */
export interface UserInfo {
  readonly subject: string;
  readonly clientId: string;
  readonly authorizationId: string;
  readonly scopes: readonly string[];
  readonly serviceId: string | undefined;
  readonly walletAddress: string | undefined;
  readonly email: string | undefined;
  readonly emailVerified: boolean | undefined;
  readonly name: string | undefined;
  /** `YYYY-MM-DD`. */
  readonly birthdate: string | undefined;
  /** E.164. */
  readonly phoneNumber: string | undefined;
  readonly phoneNumberVerified: boolean | undefined;
  readonly address: PostalAddress | undefined;
  /** When the newest of the claims above was attested, rounded down; `undefined` without claims. */
  readonly updatedAt: number | undefined;
}

/** An address with the member names of OpenID Connect Core §5.1.1. */
export type PostalAddress = Readonly<Partial<Record<(typeof ADDRESS_MEMBERS)[number][0], string>>>;

/** Each member of an address, and the member of the claim that has its value. */
const ADDRESS_MEMBERS = [
  ['street_address', 'street'],
  ['locality', 'locality'],
  ['region', 'region'],
  ['postal_code', 'postal_code'],
  ['country', 'country'],
] as const;

/** The claim of each member of user information. */
const CLAIM_OF_USER_INFO = {
  email: 'identity.email',
  serviceId: 'identity.service_uuid',
  walletAddress: 'identity.primary_wallet_address',
  name: 'identity.legal_name',
  birthdate: 'identity.date_of_birth',
  phoneNumber: 'identity.phone',
  address: 'identity.address_full',
} as const;

/** Returns the claims that user information has. */
export function claimsIn(info: UserInfo): readonly string[] {
  return Object.entries(CLAIM_OF_USER_INFO).flatMap(([member, path]) =>
    info[member as keyof UserInfo] === undefined ? [] : [path],
  );
}

/** The scope of user information (OpenID Connect Core §5.3). */
const OPENID = 'openid';

type ClaimMember = keyof typeof CLAIM_OF_USER_INFO;

/** The standard scope that each of these members requires. Another scope that covers the claim only allows queries on it. */
const STANDARD_SCOPE_OF: Readonly<Partial<Record<ClaimMember, string>>> = {
  name: 'profile',
  birthdate: 'profile',
  phoneNumber: 'phone',
  address: 'address',
};

/** The names of the members in responses. */
const NAMES: Readonly<Record<ClaimMember, readonly string[]>> = {
  serviceId: ['service_id'],
  walletAddress: ['wallet_address'],
  email: ['email', 'email_verified'],
  name: ['name'],
  birthdate: ['birthdate'],
  phoneNumber: ['phone_number', 'phone_number_verified'],
  address: ['address'],
};

/** Creates the use case of user information. */
export function createUserInfo(context: ServiceContext) {
  return {
    /** Lists the names of the members that user information may have: those that the catalogue has claims and scopes for. */
    listUserInfoMembers(): readonly string[] {
      const { catalogue } = context;
      const names = (Object.keys(NAMES) as ClaimMember[]).flatMap((member) => {
        const scope = STANDARD_SCOPE_OF[member];
        const isGrantable = scope === undefined || catalogue.findScope(scope) !== undefined;
        const isKnown = catalogue.findClaim(CLAIM_OF_USER_INFO[member]) !== undefined;
        return isGrantable && isKnown ? NAMES[member] : [];
      });
      return names.length === 0 ? names : ['updated_at', ...names];
    },

    /** Reads the user information of a grant. @throws {ServiceError} `insufficient_scope` for a grant of conditions only. */
    async readUserInfo(grant: Grant): Promise<UserInfo> {
      const { store, clock, identifiers, view } = context;
      if (grant.grantedScopes.length === 0)
        throw new ServiceError('insufficient_scope', { missing: [{ scopes: [OPENID] }] });
      const now = clock.now();
      const isShown = shownMembers(grant, context);
      const isNeeded = (Object.keys(CLAIM_OF_USER_INFO) as ClaimMember[]).some(isShown);
      const credentials = isNeeded ? await store.readCredentials(grant.userId) : [];
      const claims = indexCredentials(view.pseudonymize(credentials, grant.organizationId, now), now);
      const attestedAt: number[] = [];
      const readMember = <Value>(
        member: ClaimMember,
        parse: (value: unknown) => Value | undefined,
      ): Value | undefined => {
        if (!isShown(member)) return undefined;
        const found = findClaim(claims, toClaimReference(CLAIM_OF_USER_INFO[member]));
        const value = found && parse(found.value);
        if (found !== undefined && value !== undefined) attestedAt.push(found.credential.issuedAt);
        return value;
      };
      const text = (member: ClaimMember): string | undefined =>
        readMember(member, (value) => (typeof value === 'string' ? value : undefined));
      const [email, phoneNumber] = [text('email'), text('phoneNumber')];
      const claimMembers = {
        serviceId: text('serviceId'),
        walletAddress: text('walletAddress'),
        email,
        // Attested values have been verified by their issuer.
        emailVerified: email === undefined ? undefined : true,
        name: text('name'),
        birthdate: text('birthdate'),
        phoneNumber,
        phoneNumberVerified: phoneNumber === undefined ? undefined : true,
        address: readMember('address', toPostalAddress),
      };
      return {
        subject: identifiers.subject(grant.organizationId, grant.userId),
        clientId: grant.clientId,
        authorizationId: grant.authorizationId,
        scopes: grant.grantedScopes,
        ...claimMembers,
        updatedAt: attestedAt.length === 0 ? undefined : view.roundDown(Math.max(...attestedAt)),
      };
    },
  };
}

function shownMembers(grant: Grant, { catalogue }: ServiceContext): (member: ClaimMember) => boolean {
  const { grantedScopes } = grant;
  const { scopes } = catalogue;
  const isCovered = isCoveredBy(grantedScopes, scopes);
  const isDisclosed = disclosesValues(grant, catalogue);
  const expandedScopes = scopes.expand(grantedScopes);
  return (member) => {
    const scope = STANDARD_SCOPE_OF[member];
    const claim = CLAIM_OF_USER_INFO[member];
    return isCovered(claim) && isDisclosed(claim) && (scope === undefined || expandedScopes.has(scope));
  };
}

/** Returns the known members of an address; `undefined` without any. */
function toPostalAddress(value: unknown): PostalAddress | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(value));
  const known = ADDRESS_MEMBERS.flatMap(([name, source]) => {
    const part = members.get(source);
    return typeof part === 'string' ? [[name, part]] : [];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
