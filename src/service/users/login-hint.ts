/** The person whom `login_hint` names: by name, by e-mail address, or in the forms of the client user-token's `identifier`. */
import type { UserStore } from '../ports/store/registry-store.js';
import type { User } from './user.js';
import { isEvmAddress, parseIdentifier } from './user-selector.js';

/** Finds the person; `undefined` where the hint names nobody, or two people. An `id` is the person's name: no pairwise id is looked up. */
export async function findHintedUser(hint: string, store: UserStore): Promise<User | undefined> {
  const [byName, byEmail] = [await store.findUser('name', hint), await store.findUser('email', hint)];
  // One person's name may be another's e-mail: which of them is meant cannot be known.
  if (byName !== undefined && byEmail !== undefined && byName.id !== byEmail.id) return undefined;
  const named = byName ?? byEmail;
  const selector = parseIdentifier(hint);
  if (named !== undefined || selector === undefined) return named;
  const { by, value } = selector;
  switch (by) {
    case 'id':
      return await store.findUser('name', value);
    case 'email':
      return await store.findUser('email', value);
    case 'evm_address':
      return isEvmAddress(value) ? await store.findUser('evmAddress', value.toLowerCase()) : undefined;
  }
}
