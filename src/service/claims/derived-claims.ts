/** Claims that are worked out from others: each is defined where its parent is, and expires when it would change (contract §5). */
import { type Credential, isActiveAt, type JsonValue, parseInstant } from '../../engine/index.js';
import { regionOf } from './regions.js';

/** What follows from a parent's value at an instant, and the instant from which something else would follow. */
interface Derivation {
  readonly claims: Credential['claims'];
  readonly changesAt?: number;
}

type Derive = (value: JsonValue, now: number) => Derivation;

const DERIVATIONS: Readonly<Record<string, Derive>> = {
  'identity.date_of_birth': deriveAge,
  'identity.country_of_residence': (country) => ({
    claims: { 'identity.residency_region': typeof country === 'string' ? (regionOf(country) ?? null) : null },
  }),
  'financial.net_worth': (worth) => ({
    claims: {
      'financial.net_worth_above_10k': isAbove(worth, 10_000),
      'financial.net_worth_above_100k': isAbove(worth, 100_000),
    },
  }),
};

/**
 * A person's credentials with what follows from them. Derived claims stand in credentials of the same id, source and issue date
 * as their parent's, so that the same credential speaks for both.
 *
 * @param now - Epoch milliseconds. Nothing is derived from credentials that are not active then.
 */
export function withDerivedClaims(credentials: readonly Credential[], now: number): readonly Credential[] {
  return [
    ...credentials,
    ...credentials.filter((one) => isActiveAt(one, now)).flatMap((one) => derive(one, now)),
  ];
}

function derive(credential: Credential, now: number): Credential[] {
  return Object.keys(DERIVATIONS)
    .filter((parent) => Object.hasOwn(credential.claims, parent))
    .map((parent) => {
      const { claims, changesAt } = (DERIVATIONS[parent] as Derive)(
        credential.claims[parent] as JsonValue,
        now,
      );
      const ends = [credential.expiresAt, changesAt].filter((instant) => instant !== undefined);
      return { ...credential, claims, ...(ends.length === 0 ? {} : { expiresAt: Math.min(...ends) }) };
    });
}

/** Full years in UTC; who was born on 29 February turns a year older on 1 March of a common year. */
function deriveAge(dateOfBirth: JsonValue, now: number): Derivation {
  const born = typeof dateOfBirth === 'string' ? parseInstant(dateOfBirth) : undefined;
  if (born === undefined) {
    return { claims: { 'identity.age': null, 'identity.age_over_18': null, 'identity.age_over_21': null } };
  }
  const years = new Date(now).getUTCFullYear() - new Date(born).getUTCFullYear();
  const age = now < birthday(born, years) ? years - 1 : years;
  return {
    claims: { 'identity.age': age, 'identity.age_over_18': age >= 18, 'identity.age_over_21': age >= 21 },
    changesAt: birthday(born, age + 1),
  };
}

function birthday(born: number, age: number): number {
  const date = new Date(born);
  return new Date(born).setUTCFullYear(date.getUTCFullYear() + age, date.getUTCMonth(), date.getUTCDate());
}

function isAbove(worth: JsonValue, threshold: number): boolean | null {
  return typeof worth === 'number' ? worth > threshold : null;
}
