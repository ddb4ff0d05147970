/** Makes a scenario smaller for as long as what was found in it is still there: what is left is what matters. */
import { isJsonArray, isJsonObject, type JsonValue } from '../engine/claims/json-value.js';
import type { Scenario } from './arbitraries/scenario.js';

/**
 * Takes away parts of a scenario, one after the other, while it still shows what it showed.
 *
 * Deterministic. Nothing can be taken away from what it returns without losing what it shows.
 *
 * @param shows - Whether a scenario shows it; called often. It must hold for `found`.
 */
export function smallestScenario(found: Scenario, shows: (smaller: Scenario) => boolean): Scenario {
  let smallest = found;
  for (;;) {
    const smaller = firstThat(smallerScenarios(smallest), shows);
    if (smaller === undefined) return smallest;
    smallest = smaller;
  }
}

function firstThat<Value>(values: Iterable<Value>, holds: (value: Value) => boolean): Value | undefined {
  for (const value of values) if (holds(value)) return value;
  return undefined;
}

/** Scenarios that are a step smaller, those with less to them first. */
export function* smallerScenarios(scenario: Scenario): Iterable<Scenario> {
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

/** What a value holds, then the value with less in it. */
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
