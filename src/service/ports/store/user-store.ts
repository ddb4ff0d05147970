/** The people who are asked about. */
import type { User } from '../../users/user.js';

/** What no two people share. */
export type UserColumn = 'id' | 'name' | 'email' | 'evmAddress';

/** Keeps people, each under a name of their own. */
export interface UserStore {
  /**
   * Records a person under their name unless one of that name is known, and gives the one that is. An e-mail or wallet address that
   * another person has stays theirs.
   */
  recordPerson(user: User): Promise<User>;

  /** Ends a person's sessions that began at an instant or before it. An earlier instant than one already recorded changes nothing. */
  endSessions(userId: string, until: number): Promise<void>;

  /** The person who has this id, name or address; letter case counts. */
  findUser(by: UserColumn, value: string): Promise<User | undefined>;

  /** Some people, by name in code-unit order: the first of the store's own order, 100 at most where no limit is given. */
  listUsers(limit?: number): Promise<readonly User[]>;
}
