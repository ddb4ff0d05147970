/** How an application names a person whom it knows by something of its own (S125–S129). */
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import type { ActiveGrant, GrantSelector } from '../ports/store/grant-store.js';
import { effectiveScopes } from '../scopes/effective-scopes.js';
import { grantableScopes } from '../scopes/grantable-scopes.js';

/** What a person is found by. */
export type UserSelector =
  | { readonly by: 'id'; readonly value: string }
  | { readonly by: 'email'; readonly value: string }
  | { readonly by: 'evm_address'; readonly value: string };

const IDENTIFIER_TYPES: ReadonlyMap<string, UserSelector['by']> = new Map([
  ['id', 'id'],
  ['user', 'id'],
  ['user_id', 'id'],
  ['email', 'email'],
  ['evm', 'evm_address'],
  ['evm_addr', 'evm_address'],
  ['wallet', 'evm_address'],
]);

/** The claims that a match by an address confirms. */
const CONFIRMED_CLAIMS: Readonly<Record<Exclude<UserSelector['by'], 'id'>, readonly string[]>> = {
  email: ['identity.email'],
  evm_address: ['identity.wallet_addresses', 'identity.primary_wallet_address'],
};

/** Reads `type|value`, split at the first bar; `undefined` where it is none. Never throws (S129). */
export function parseIdentifier(identifier: string): UserSelector | undefined {
  const bar = identifier.indexOf('|');
  const by = bar < 0 ? undefined : IDENTIFIER_TYPES.get(identifier.slice(0, bar));
  const value = identifier.slice(bar + 1);
  return by === undefined || value === '' ? undefined : { by, value };
}

/** Whether a text is `0x` and 40 hexadecimal digits. Never throws (S128). */
export function isEvmAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}

/**
 * Finds the latest grant in force that covers a selector, of the person whom it names, with the scopes that the application still has.
 *
 * An e-mail or wallet address matches only where a grant covers the claims that the match confirms; otherwise the result is that for an
 * unknown person. Where no scope of the application covers them, the store is not asked at all.
 */
export async function findNamedGrant(
  selector: UserSelector,
  application: Application,
  context: ServiceContext,
): Promise<ActiveGrant | undefined> {
  const { store, clock, environment } = context;
  const coverage = coverageOf(selector, application, context);
  if (coverage.length === 0 || coverage.some((scopes) => scopes.length === 0)) return undefined;
  for (const stored of storedSelectors(selector, application, context)) {
    const grant = await store.findActiveGrant(application.clientId, stored, coverage, clock.now());
    if (grant !== undefined)
      return { ...grant, scopes: effectiveScopes(grant.scopes, application, environment) };
  }
  return undefined;
}

/**
 * Lists of which a grant must have one scope each: for an id any scope that the application still has, for an address one that covers each
 * claim that a match would confirm, as far as the catalogue has them.
 */
function coverageOf(
  { by }: UserSelector,
  application: Application,
  context: ServiceContext,
): readonly (readonly string[])[] {
  const { scopes, findClaim } = context.catalogue;
  const grantable = grantableScopes(application, context);
  if (by === 'id') return [grantable];
  return CONFIRMED_CLAIMS[by]
    .filter((path) => findClaim(path) !== undefined)
    .map((path) => {
      const covering = scopes.coveringScopes(path);
      return grantable.filter((scope) => {
        const implied = scopes.expand([scope]);
        return covering.some((one) => implied.has(one));
      });
    });
}

/** As the store knows them: an id is the pairwise identifier; in the sandbox a person's name serves as well. */
function storedSelectors(
  { by, value }: UserSelector,
  { organizationId }: Application,
  { identifiers, environment }: ServiceContext,
): readonly GrantSelector[] {
  switch (by) {
    case 'id': {
      const subject = { by: 'subject', subject: identifiers.index(organizationId, value) } as const;
      return environment.seeded ? [subject, { by: 'name', value }] : [subject];
    }
    case 'email':
      return [{ by: 'email', value }];
    case 'evm_address':
      return isEvmAddress(value) ? [{ by: 'evmAddress', value: value.toLowerCase() }] : [];
  }
}
