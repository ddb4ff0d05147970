/** Stands in for your sessions and your database in these examples: people, their credentials, and the scopes that they granted. */
import { type Credential, parseCredentials } from 'proviso';

/** A signed-in person. */
export interface Person {
  readonly credentials: readonly Credential[];
  /** The scopes that they granted. */
  readonly scopes: readonly string[];
}

const PEOPLE: ReadonlyMap<string, Person> = new Map([
  ['ada', { credentials: attested('civil-registry-1', 34), scopes: ['identity:date_of_birth'] }],
  ['bruno', { credentials: attested('civil-registry-2', 17), scopes: ['identity:date_of_birth'] }],
  ['chiyo', { credentials: attested('civil-registry-3', 52), scopes: [] }],
]);

/** Finds a person; `undefined` where the name is unknown. */
export async function findPerson(name: string | undefined): Promise<Person | undefined> {
  return name === undefined ? undefined : PEOPLE.get(name);
}

function attested(id: string, age: number): readonly Credential[] {
  const source = 'Civil Registry';
  return parseCredentials([
    { id, source, issuedAt: '2026-01-05T00:00:00Z', claims: { 'identity.age': age } },
  ]);
}
