/** The sandbox's sign-in: a person picks who they are, since everybody is made up (V1). */
import type { SignIn } from '../ports/sign-in.js';
import type { Store } from '../ports/store.js';

/** Takes whoever `person` names for that person. */
export function sandboxSignIn(store: Pick<Store, 'listUsers'>): SignIn {
  return {
    choices: () => store.listUsers(),
    verify: async (sent) => {
      const users = await store.listUsers();
      return users.find(({ name }) => name === sent.get('person'));
    },
  };
}

/** Where a deployment brings no sign-in, nobody is known. */
export const NO_SIGN_IN: SignIn = Object.freeze({
  choices: async () => [],
  verify: async () => undefined,
});
