/** People whose claims are evaluated: as credentials, and as the flat objects that peers and hand-written code read. */
import type { Credential } from '../../src/index.js';
import { CLAIMS, type ClaimValue, flatName } from './claims.js';
import { createSeededNumbers, type SeededNumbers } from './random.js';

/** One person's claims by flat name. */
export type FlatClaims = Readonly<Record<string, ClaimValue>>;

export interface Person {
  readonly credentials: readonly Credential[];
  readonly flat: FlatClaims;
}

/** `uniform`: all people have the same claims in the same order. `mixed`: 64 sets and orders of claims. */
export type Shape = 'uniform' | 'mixed';

/** Instant of every evaluation, epoch milliseconds. */
export const NOW = Date.UTC(2026, 5, 1);

const SHAPE_COUNT = 64;
const YEAR_MS = 365 * 86_400_000;
const PATHS = Object.keys(CLAIMS);

/**
 * Draws distinct people.
 *
 * @param needed - Claim paths that all people have, in either shape.
 */
export function drawPeople(count: number, shape: Shape, needed: readonly string[], seed: number): Person[] {
  const numbers = createSeededNumbers(seed);
  const shapes = shape === 'uniform' ? [PATHS] : drawShapes(numbers, needed);
  const drawn = new Set<string>();
  const people: Person[] = [];
  while (people.length < count) {
    const claims = numbers
      .pick(shapes)
      .map((path) => [path, CLAIMS[path]?.draw(numbers) as ClaimValue] as const);
    const text = JSON.stringify(claims);
    if (drawn.has(text)) continue;
    drawn.add(text);
    people.push(toPerson(claims));
  }
  return people;
}

function drawShapes(numbers: SeededNumbers, needed: readonly string[]): readonly (readonly string[])[] {
  const others = PATHS.filter((path) => !needed.includes(path));
  return Array.from({ length: SHAPE_COUNT }, () => {
    const paths = [...needed, ...numbers.sample(others, numbers.below(others.length + 1))];
    return numbers.sample(paths, paths.length);
  });
}

/** Creates a person with three credentials, one per category of claims. */
function toPerson(claims: readonly (readonly [string, ClaimValue])[]): Person {
  const credentials = ['identity', 'kyc', 'financial'].map((category, index) => ({
    id: `credential-${category}`,
    source: `https://${category}.example`,
    issuedAt: NOW - (index + 1) * YEAR_MS,
    expiresAt: NOW + (index + 1) * YEAR_MS,
    claims: Object.fromEntries(claims.filter(([path]) => path.startsWith(`${category}.`))),
  }));
  const flat = Object.fromEntries(claims.map(([path, value]) => [flatName(path), value]));
  return { credentials: throughJson(credentials), flat: throughJson(flat) };
}

/** Converts a value to JSON and back, as in practice, since objects that are built in a loop may be slow dictionaries in V8. */
function throughJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
