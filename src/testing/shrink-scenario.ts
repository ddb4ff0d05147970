/** Shrinks scenarios: removes or simplifies one part after the other. */
import { isJsonArray, isJsonObject, type JsonValue } from '../engine/claims/json-value.js';
import type { Scenario } from './arbitraries/scenario.js';

/**
 * Shrinks a scenario step by step while it has a property.
 *
 * Deterministic. No single step can shrink the returned scenario further.
 *
 * @param hasProperty - Whether a scenario has the property; called often. Must hold for `found`.
 */
export async function shrinkScenario(
  found: Scenario,
  hasProperty: (smaller: Scenario) => Promise<boolean>,
): Promise<Scenario> {
  let smallest = found;
  for (;;) {
    const smaller = await findFirst(shrinkCandidates(smallest), hasProperty);
    if (smaller === undefined) return smallest;
    smallest = smaller;
  }
}

async function findFirst<Value>(
  values: Iterable<Value>,
  holds: (value: Value) => Promise<boolean>,
): Promise<Value | undefined> {
  for (const value of values) if (await holds(value)) return value;
  return undefined;
}

/** Generates the scenarios that are one step smaller, largest steps first. */
export function* shrinkCandidates(scenario: Scenario): Iterable<Scenario> {
  const { query, credentials, scopes, catalogue } = scenario;
  for (const fewer of withoutEach(credentials)) yield { ...scenario, credentials: fewer };
  if (isJsonObject(query) && 'policy' in query) {
    for (const check of checksIn(query)) yield { ...scenario, query: { check } };
  }
  for (const smaller of smallerValues(query)) yield { ...scenario, query: smaller };
  for (const smaller of withEach(credentials, smallerCredentials))
    yield { ...scenario, credentials: smaller };
  for (const fewer of withoutEach(scopes)) yield { ...scenario, scopes: fewer };
  for (const [index, definition] of catalogue.entries()) {
    const isImplied = catalogue.some(({ implies = [] }) => implies.includes(definition.name));
    if (!isImplied) yield { ...scenario, catalogue: catalogue.toSpliced(index, 1) };
  }
  for (const smaller of withEach(catalogue, smallerDefinitions)) yield { ...scenario, catalogue: smaller };
}

function* checksIn(value: JsonValue): Iterable<JsonValue> {
  if (isJsonArray(value)) for (const inner of value) yield* checksIn(inner);
  if (!isJsonObject(value)) return;
  if ('claim' in value) yield value;
  else for (const inner of Object.values(value)) yield* checksIn(inner);
}

function* smallerDefinitions(
  definition: Scenario['catalogue'][number],
): Iterable<Scenario['catalogue'][number]> {
  const { name, implies = [], covers = [] } = definition;
  if (implies.length > 0) yield { name, covers };
  for (const fewer of withoutEach(covers)) yield { ...definition, covers: fewer };
}

function* smallerCredentials(
  credential: Scenario['credentials'][number],
): Iterable<Scenario['credentials'][number]> {
  const { expiresAt, revokedAt, ...lasting } = credential;
  if (expiresAt !== undefined) yield revokedAt === undefined ? lasting : { ...lasting, revokedAt };
  if (revokedAt !== undefined) yield expiresAt === undefined ? lasting : { ...lasting, expiresAt };
  for (const claims of withoutEach(Object.entries(credential.claims))) {
    yield { ...credential, claims: Object.fromEntries(claims) };
  }
  for (const claims of withEach(Object.entries(credential.claims), smallerMembers)) {
    yield { ...credential, claims: Object.fromEntries(claims) };
  }
}

/** Generates the parts of a value, then smaller values. */
function* smallerValues(value: JsonValue): Iterable<JsonValue> {
  if (isJsonArray(value)) {
    yield* value;
    yield* withoutEach(value);
    yield* withEach(value, smallerValues);
  } else if (isJsonObject(value)) {
    yield* Object.values(value);
    const members = Object.entries(value);
    for (const fewer of withoutEach(members)) yield Object.fromEntries(fewer);
    for (const smaller of withEach(members, smallerMembers)) yield Object.fromEntries(smaller);
  } else if (typeof value === 'string' && value !== '') {
    yield* ['', value.slice(0, value.length / 2), value.slice(0, -1)];
  } else if (typeof value === 'number' && value !== 0) {
    const half = Math.trunc(value / 2);
    yield* half === value ? [0] : [0, half];
  }
}

function* smallerMembers([name, value]: readonly [string, JsonValue]): Iterable<
  readonly [string, JsonValue]
> {
  for (const smaller of smallerValues(value)) yield [name, smaller];
}

function* withoutEach<Element>(list: readonly Element[]): Iterable<readonly Element[]> {
  for (const index of list.keys()) yield list.toSpliced(index, 1);
}

function* withEach<Element>(
  list: readonly Element[],
  smaller: (element: Element) => Iterable<Element>,
): Iterable<readonly Element[]> {
  for (const [index, element] of list.entries()) {
    for (const replacement of smaller(element)) yield list.with(index, replacement);
  }
}
