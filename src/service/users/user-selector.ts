/** How an application names a person whom it knows by something of its own (S125–S129). */
import type { ServiceContext } from '../context.js';
import type { User } from './user.js';

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
 * The person that a selector names, as the organisation knows them: an id is the pairwise one or, in the sandbox, a name.
 */
export async function findUser(
  { by, value }: UserSelector,
  organizationId: string,
  { store, identifiers, environment }: ServiceContext,
): Promise<User | undefined> {
  switch (by) {
    case 'id':
      // A pairwise id does not lead back to anybody: each person's is worked out and compared.
      return (await store.listUsers()).find(
        ({ id, name }) =>
          identifiers.subject(organizationId, id) === value || (environment.seeded && name === value),
      );
    case 'email':
      return await store.findUser('email', withLowerCaseDomain(value));
    case 'evm_address':
      return isEvmAddress(value) ? await store.findUser('evmAddress', value.toLowerCase()) : undefined;
  }
}

/** Letter case counts but for ASCII letters of the domain: nothing else is folded, or two people could become one (S127). */
function withLowerCaseDomain(email: string): string {
  const at = email.lastIndexOf('@');
  return email.slice(0, at) + email.slice(at).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
