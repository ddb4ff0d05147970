/** The people of the service: how they prove who they are, and how applications, hints and the administrator name them (V2, V5, S125–S129). */
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import type { ActiveGrant, GrantSelector } from '../ports/store/grant-store.js';
import type { PersonStore } from '../ports/store/registry-store.js';
import { effectiveScopes, grantableScopes } from '../scopes/scopes.js';

/** The people: listed, found and verified. */
export function createPeople({ signIn, store, identifiers }: ServiceContext) {
  return {
    /** Lists the people among whom one chooses when signing in; none where people prove who they are. */
    async list(): Promise<readonly Person[]> {
      return await signIn.choices();
    },

    /** Finds the person whom a `login_hint` names; `undefined` where it names nobody, or two people. */
    async findByHint(hint: string): Promise<Person | undefined> {
      return await findHintedPerson(hint, store);
    },

    /** Returns the person whom the members of a sign-in form prove; `undefined` where they prove nobody. */
    async verify(sent: ReadonlyMap<string, string>): Promise<Person | undefined> {
      return await signIn.verify(sent);
    },

    /** Returns the pairwise identifier of a person: `sub`, as one organization knows them (V5). */
    subjectOf(organizationId: string, userId: string): string {
      return identifiers.subject(organizationId, userId);
    },
  };
}

/** Gets a person by their id. @throws {ServiceError} `not_found` */
export async function getPerson(userId: string, { store }: Pick<ServiceContext, 'store'>): Promise<Person> {
  const person = await store.findPerson('id', userId);
  if (person === undefined) throw new ServiceError('not_found');
  return person;
}

/** A person as we see them; no application ever does (V5). */

export interface Person {
  readonly id: string;
  /** A short name, unique, by which the sandbox lets one choose a person. */
  readonly name: string;
  /** One sentence on what this made-up person is there to show. */
  readonly about: string;
  /** As stored: only the domain's letter case does not count (S127). */
  readonly email?: string;
  /** `0x` and 40 hexadecimal digits, in lower case (S128). */
  readonly evmAddress?: string;
  /** Sessions that began at this instant, in epoch milliseconds, or before it have ended. */
  readonly signedOutAt?: number;
}

/** What a person is found by. */
export type PersonSelector =
  | { readonly by: 'id'; readonly value: string }
  | { readonly by: 'email'; readonly value: string }
  | { readonly by: 'evm_address'; readonly value: string };

const IDENTIFIER_TYPES: ReadonlyMap<string, PersonSelector['by']> = new Map([
  ['id', 'id'],
  ['user', 'id'],
  ['user_id', 'id'],
  ['email', 'email'],
  ['evm', 'evm_address'],
  ['evm_addr', 'evm_address'],
  ['wallet', 'evm_address'],
]);

/** The claims that a match by an address confirms. */
const CONFIRMED_CLAIMS: Readonly<Record<Exclude<PersonSelector['by'], 'id'>, readonly string[]>> = {
  email: ['identity.email'],
  evm_address: ['identity.wallet_addresses', 'identity.primary_wallet_address'],
};

/** Reads `type|value`, split at the first bar; `undefined` where it is none. Never throws (S129). */
export function parseIdentifier(identifier: string): PersonSelector | undefined {
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
  selector: PersonSelector,
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
  { by }: PersonSelector,
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
  { by, value }: PersonSelector,
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

/** Finds the person; `undefined` where the hint names nobody, or two people. An `id` is the person's name: no pairwise id is looked up. */
export async function findHintedPerson(hint: string, store: PersonStore): Promise<Person | undefined> {
  const [byName, byEmail] = [await store.findPerson('name', hint), await store.findPerson('email', hint)];
  // One person's name may be another's e-mail: which of them is meant cannot be known.
  if (byName !== undefined && byEmail !== undefined && byName.id !== byEmail.id) return undefined;
  const named = byName ?? byEmail;
  const selector = parseIdentifier(hint);
  if (named !== undefined || selector === undefined) return named;
  const { by, value } = selector;
  switch (by) {
    case 'id':
      return await store.findPerson('name', value);
    case 'email':
      return await store.findPerson('email', value);
    case 'evm_address':
      return isEvmAddress(value) ? await store.findPerson('evmAddress', value.toLowerCase()) : undefined;
  }
}
