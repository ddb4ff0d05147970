/** People: identity checks, and how applications, hints and the administrator identify them (V2, V5, S125–S129). */
import type { JsonValue } from '../../engine/index.js';
import { readOwnClaims } from '../claims/own-claims.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import type { ActiveGrant, GrantSelector } from '../ports/store/grant-store.js';
import { IDENTIFIER_TYPES, type PersonStore } from '../ports/store/registry-store.js';
import { effectiveScopes, grantableScopes } from '../scopes/scopes.js';
import { parseEvmAddress } from './evm-address.js';

/** Creates the use cases of people. */
export function createPeople(context: ServiceContext) {
  const { signIn, store, identifiers } = context;
  return {
    /** Lists the people offered at the sign-in of the sandbox; empty if people authenticate. */
    async list(): Promise<readonly Person[]> {
      return await signIn.choices();
    },

    /** Finds the person of a `login_hint`; `undefined` for an unknown or ambiguous hint. */
    async findByHint(hint: string): Promise<Person | undefined> {
      return await findHintedPerson(hint, store);
    },

    /** Returns the person authenticated by a sign-in form; `undefined` if authentication fails. */
    async verify(sent: ReadonlyMap<string, string>): Promise<Person | undefined> {
      return await signIn.verify(sent);
    },

    /** Returns a person's own claims, as an organization would see them, by path; claims that are not defined are absent. */
    async readOwnClaims(
      userId: string,
      organizationId: string,
      paths: readonly string[],
    ): Promise<ReadonlyMap<string, JsonValue>> {
      return await readOwnClaims(userId, organizationId, paths, context);
    },

    /** Returns the pairwise identifier (`sub`) of a person for an organization (V5). */
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

/** A person (data subject), as stored. Never shown to applications (V5). */
export interface Person {
  readonly id: string;
  /** A unique short name, by which people are chosen in the sandbox. */
  readonly name: string;
  /** What a sample person demonstrates, in one sentence. */
  readonly about: string;
  /** As stored; only the domain is case-insensitive (S127). */
  readonly email?: string;
  /** `0x` and 40 hexadecimal digits, in lower case (S128). */
  readonly evmAddress?: string;
  /** Sessions that started at this instant (epoch milliseconds) or earlier have ended. */
  readonly signedOutAt?: number;
}

/** Identifies a person. A wallet address is in lower case. */
export interface PersonSelector {
  readonly by: 'id' | 'email' | 'evmAddress';
  readonly value: string;
}

const TYPES_BY_NAME: Readonly<Record<(typeof IDENTIFIER_TYPES)[number], PersonSelector['by']>> = {
  id: 'id',
  user: 'id',
  user_id: 'id',
  email: 'email',
  evm: 'evmAddress',
  evm_addr: 'evmAddress',
  wallet: 'evmAddress',
};

/** The claims that a match by an address confirms. */
const CONFIRMED_CLAIMS: Readonly<Record<Exclude<PersonSelector['by'], 'id'>, readonly string[]>> = {
  email: ['identity.email'],
  evmAddress: ['identity.wallet_addresses', 'identity.primary_wallet_address'],
};

/** Parses `type|value`, split at the first bar; `undefined` if malformed. Never throws (S129). */
export function parseIdentifier(identifier: string): PersonSelector | undefined {
  const bar = identifier.indexOf('|');
  const name = IDENTIFIER_TYPES.find((type) => bar >= 0 && type === identifier.slice(0, bar));
  const by = name && TYPES_BY_NAME[name];
  const value = identifier.slice(bar + 1);
  return by === undefined || value === '' ? undefined : toSelector(by, value);
}

/** Creates a selector; `undefined` for a malformed wallet address. Never throws (S128). */
export function toSelector(by: PersonSelector['by'], value: string): PersonSelector | undefined {
  const parsed = by === 'evmAddress' ? parseEvmAddress(value) : value;
  return parsed === undefined ? undefined : { by, value: parsed };
}

/**
 * Finds the latest active grant of the selected person that covers the selector, with its effective scopes.
 *
 * An e-mail or wallet address matches only if the grant covers the claims that a match confirms; otherwise the result is the same as for an
 * unknown person. The store is not queried if one of these claims is covered by no scope of the application.
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
 * Returns lists of scopes; a grant must have a scope of each list. For an id, one list of all scopes of the application; for an address, a list
 * for each claim that a match would confirm, of the scopes that cover it.
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

/** Translates a selector for the store. An id is a pairwise identifier; in the sandbox, a person's name is accepted as well. */
function storedSelectors(
  { by, value }: PersonSelector,
  { organizationId }: Application,
  { identifiers, environment }: ServiceContext,
): readonly GrantSelector[] {
  if (by !== 'id') return [{ by, value }];
  const subject = { by: 'subject', subject: identifiers.index(organizationId, value) } as const;
  return environment.seeded ? [subject, { by: 'name', value }] : [subject];
}

/** Finds the person of a hint; `undefined` for an unknown or ambiguous hint. An `id` is the person's name; pairwise ids are not looked up. */
export async function findHintedPerson(hint: string, store: PersonStore): Promise<Person | undefined> {
  const { byName, byEmail } = await store.findPeopleByHint(hint);
  // Ambiguous: one person's name may be another's e-mail address.
  if (byName !== undefined && byEmail !== undefined && byName.id !== byEmail.id) return undefined;
  const named = byName ?? byEmail;
  const selector = parseIdentifier(hint);
  if (named !== undefined || selector === undefined) return named;
  const { by, value } = selector;
  return await store.findPerson(by === 'id' ? 'name' : by, value);
}
