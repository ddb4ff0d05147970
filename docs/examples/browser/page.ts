/** The page's script: requests consent, handles the redirect, and evaluates the policy, without a server. */
import { p } from 'proviso/builder';
import { ClientError, createClient, inMemoryTokens, type PendingAuthorization } from 'proviso/client';

/** Set by serve.ts. */
declare const ISSUER: string;

const PENDING = 'pending';
const policy = p.claim('identity.age').gte(18);
const redirectUri = `${location.origin}/callback`;
const client = createClient({ issuer: ISSUER, clientId: 'sandbox-public', redirectUri });
// Tokens live as long as the page: a script that is injected later finds none in storage.
const storage = inMemoryTokens();

const answer = element('answer');
const signIn = element('sign-in');
const signOut = element('sign-out');

signIn.addEventListener('click', async () => {
  const { url, pending } = await client.authorize({ scopes: policy.scopes });
  // The browser leaves this page; only this tab can read the pending request afterwards.
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  location.assign(url);
});

signOut.addEventListener('click', async () => {
  await client.access(storage).revoke();
  show('It is over.', false);
});

await arrive();

/** Handles the load of the page: after the redirect, redeems the code and evaluates the policy; otherwise offers the sign-in. */
async function arrive(): Promise<void> {
  const text = sessionStorage.getItem(PENDING);
  sessionStorage.removeItem(PENDING);
  if (location.pathname !== '/callback' || text === null) return show('May we ask?', false);
  const callback = location.href;
  // The code is valid once; remove it from the history.
  history.replaceState(null, '', '/');
  try {
    const pending = JSON.parse(text) as PendingAuthorization;
    const access = await client.redeem(callback, pending, { storage });
    const { passed } = await access.evaluate(policy);
    return show(passed ? 'You are of age.' : 'You are not of age.', true);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return show(error.code === 'access_denied' ? 'You said no.' : `It did not work: ${error.code}`, false);
  }
}

function show(said: string, signedIn: boolean): void {
  answer.textContent = said;
  signIn.hidden = signedIn;
  signOut.hidden = !signedIn;
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}
