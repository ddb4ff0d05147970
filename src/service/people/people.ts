/** The people of the service, as they prove who they are and as applications know them (V2, V5). */
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { findHintedUser } from '../users/login-hint.js';
import type { User } from '../users/user.js';

/** The people: listed, found and verified. */
export function createPeople({ signIn, store, identifiers }: ServiceContext) {
  return {
    /** Lists the people among whom one chooses when signing in; none where people prove who they are. */
    async list(): Promise<readonly User[]> {
      return await signIn.choices();
    },

    /** Finds the person whom a `login_hint` names; `undefined` where it names nobody, or two people. */
    async findByHint(hint: string): Promise<User | undefined> {
      return await findHintedUser(hint, store);
    },

    /** Returns the person whom the members of a sign-in form prove; `undefined` where they prove nobody. */
    async verify(sent: ReadonlyMap<string, string>): Promise<User | undefined> {
      return await signIn.verify(sent);
    },

    /** Returns the pairwise identifier of a person: `sub`, as one organization knows them (V5). */
    subjectOf(organizationId: string, userId: string): string {
      return identifiers.subject(organizationId, userId);
    },
  };
}

/** Gets a person by their id. @throws {ServiceError} `not_found` */
export async function getPerson(userId: string, { store }: Pick<ServiceContext, 'store'>): Promise<User> {
  const person = await store.findUser('id', userId);
  if (person === undefined) throw new ServiceError('not_found');
  return person;
}
