/** The sandbox's sign-in and palm: a person picks who they are and presses a button, since everybody is made up (V1, V6). */
import type { PalmVerifier, SignIn } from '../ports/ports.js';
import type { Store } from '../ports/store/store.js';

/** Takes whoever `person` names for that person. */
export function sandboxSignIn(store: Pick<Store, 'listUsers' | 'findUser'>): SignIn {
  return {
    choices: () => store.listUsers(),
    verify: async (sent) => {
      const name = sent.get('person');
      return name === undefined ? undefined : await store.findUser('name', name);
    },
  };
}

/** Where a deployment brings no sign-in, nobody is known. */
export const NO_SIGN_IN: SignIn = Object.freeze({
  choices: async () => [],
  verify: async () => undefined,
});

/** The button is pressed: that is all there is to it. */
export const SANDBOX_PALM: PalmVerifier = Object.freeze({ verify: async () => true });

/** Where a deployment brings no reader, nobody is verified. */
export const NO_PALM: PalmVerifier = Object.freeze({ verify: async () => false });
