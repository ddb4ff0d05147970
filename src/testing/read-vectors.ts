/** Parses files of conformance vectors strictly, since a typo in a vector must not make a test pass. */
import type { JsonObject, JsonValue } from '../engine/claims/json-value.js';
import type { ScopeDefinition } from '../engine/scopes/catalogue.js';
import type { Expectation, ExpectedError, ExpectedParts, Vector, VectorCredential } from './vector.js';

/** Default instant of evaluation. */
export const DEFAULT_VECTOR_INSTANT = '2026-06-01T00:00:00.000Z';

/** Default catalogue: a single scope that covers the claims of the vectors. */
export const DEFAULT_VECTOR_CATALOGUE: readonly ScopeDefinition[] = Object.freeze([
  Object.freeze({ name: 'all', covers: Object.freeze(['x', 'y', 'identity', 'kyc', 'financial']) }),
]);

type Members = Readonly<Record<string, unknown>>;

/** Defaults that a file gives to its cases. */
interface VectorDefaults {
  readonly decisions: readonly string[];
  readonly catalogue: readonly ScopeDefinition[];
}

const PARTS = ['passed', 'evidence', 'data', 'claimsUsed', 'evaluatedAt', 'expiresAt'] as const;

/**
 * Parses a file of vectors into a flat list of tests with all defaults resolved.
 *
 * @param file - The JSON of the file. Not modified; the vectors refer to parts of it.
 * @throws {TypeError} When the file is invalid, for example because of an unknown or missing member, a value of another
 *   type, or a duplicate `id`. The message names the place.
 * @see L1–L25
 * @example
 * readVectors({ title: 't', decisions: ['L2'], cases: [{ description: 'd', query: {}, tests: [{ id: 'a-001',
 *   description: 't', claims: {}, expect: { error: { code: 'invalid_query' } } }] }] }).length // 1
 */
export function readVectors(file: unknown): readonly Vector[] {
  const { title, decisions, catalogue, cases } = members(
    file,
    'file',
    ['title', 'decisions', 'cases'],
    ['catalogue'],
  );
  string(title, 'file.title');
  const defaults = {
    decisions: readDecisions(decisions, 'file.decisions'),
    catalogue:
      catalogue === undefined ? DEFAULT_VECTOR_CATALOGUE : readCatalogue(catalogue, 'file.catalogue'),
  };
  const vectors = list(cases, 'file.cases', 1).flatMap((entry, index) =>
    readCase(entry, `file.cases[${index}]`, defaults),
  );
  const ids = vectors.map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) < index);
  return repeated === undefined ? vectors : fail('file.cases', `duplicate id \`${repeated}\``);
}

function readCase(value: unknown, place: string, file: VectorDefaults): readonly Vector[] {
  const optional = ['decisions', 'catalogue', 'canonical'];
  const read = members(value, place, ['description', 'query', 'tests'], optional);
  const description = string(read['description'], `${place}.description`);
  const { decisions, catalogue, canonical } = read;
  const shared = {
    // Any JSON: some tests are about invalid queries.
    query: read['query'] as JsonValue,
    ...(canonical === undefined ? {} : { canonical: string(canonical, `${place}.canonical`) }),
    decisions: decisions === undefined ? file.decisions : readDecisions(decisions, `${place}.decisions`),
    catalogue: catalogue === undefined ? file.catalogue : readCatalogue(catalogue, `${place}.catalogue`),
  };
  return list(read['tests'], `${place}.tests`, 1).map((entry, index) => {
    const test = readTest(entry, `${place}.tests[${index}]`, shared.catalogue);
    return { ...shared, ...test, description: `${description}: ${test.description}` };
  });
}

function readTest(
  value: unknown,
  place: string,
  catalogue: readonly ScopeDefinition[],
): Omit<Vector, 'query' | 'decisions' | 'catalogue'> {
  const optional = ['claims', 'credentials', 'scopes', 'at'];
  const read = members(value, place, ['id', 'description', 'expect'], optional);
  const { claims, credentials, scopes, at } = read;
  if ((claims === undefined) === (credentials === undefined)) {
    fail(place, 'must have exactly one of `claims` and `credentials`');
  }
  const id = string(read['id'], `${place}.id`);
  if (!/^[a-z]+(?:-[a-z]+)*-\d{3}$/.test(id))
    fail(`${place}.id`, 'must be a file name and three digits, such as `operators-001`');
  return {
    id,
    description: string(read['description'], `${place}.description`),
    credentials:
      credentials === undefined
        ? [onlyCredential(object(claims, `${place}.claims`))]
        : list(credentials, `${place}.credentials`, 0).map((entry, index) =>
            readCredential(entry, `${place}.credentials[${index}]`),
          ),
    scopes: scopes === undefined ? catalogue.map(({ name }) => name) : strings(scopes, `${place}.scopes`),
    at: at === undefined ? DEFAULT_VECTOR_INSTANT : string(at, `${place}.at`),
    expect: readExpectation(read['expect'], `${place}.expect`),
  };
}

function onlyCredential(claims: JsonObject): VectorCredential {
  return { id: 'c1', source: 'issuer', issuedAt: '2026-01-01T00:00:00.000Z', claims };
}

function readCredential(value: unknown, place: string): VectorCredential {
  const read = members(value, place, ['id', 'source', 'issuedAt', 'claims'], ['expiresAt', 'revokedAt']);
  const { expiresAt, revokedAt } = read;
  return {
    id: string(read['id'], `${place}.id`),
    source: string(read['source'], `${place}.source`),
    issuedAt: string(read['issuedAt'], `${place}.issuedAt`),
    ...(expiresAt === undefined ? {} : { expiresAt: string(expiresAt, `${place}.expiresAt`) }),
    ...(revokedAt === undefined ? {} : { revokedAt: string(revokedAt, `${place}.revokedAt`) }),
    claims: object(read['claims'], `${place}.claims`),
  };
}

function readExpectation(value: unknown, place: string): Expectation {
  const read = object(value, place);
  if ('error' in read) {
    return { error: readError(members(read, place, ['error'])['error'], `${place}.error`) };
  }
  if ('result' in read) {
    return { result: object(members(read, place, ['result'])['result'], `${place}.result`) };
  }
  return readParts(read, place);
}

function readParts(value: JsonObject, place: string): ExpectedParts {
  const read = members(value, place, [], PARTS);
  const { passed, data } = read;
  const isBoolean = passed === undefined || typeof passed === 'boolean';
  if (!isBoolean || (passed === undefined) === (data === undefined)) {
    fail(place, 'must have exactly one of `passed` (a boolean), `data`, `result` and `error`');
  }
  if (data !== undefined) object(data, `${place}.data`);
  if (read['evidence'] !== undefined) object(read['evidence'], `${place}.evidence`);
  if (read['claimsUsed'] !== undefined) list(read['claimsUsed'], `${place}.claimsUsed`, 0);
  for (const name of ['evaluatedAt', 'expiresAt']) {
    if (read[name] !== undefined) string(read[name], `${place}.${name}`);
  }
  // Each part was checked above.
  return read as ExpectedParts;
}

function readError(value: unknown, place: string): ExpectedError {
  const read = members(value, place, ['code'], ['problems', 'missing']);
  const { problems, missing } = read;
  return {
    code: string(read['code'], `${place}.code`),
    ...(problems === undefined
      ? {}
      : {
          problems: list(problems, `${place}.problems`, 1).map((entry) =>
            readProblem(entry, `${place}.problems`),
          ),
        }),
    ...(missing === undefined
      ? {}
      : {
          missing: list(missing, `${place}.missing`, 1).map((entry) =>
            readMissing(entry, `${place}.missing`),
          ),
        }),
  };
}

function readProblem(value: unknown, place: string): { code: string; pointer: string } {
  const { code, pointer } = members(value, place, ['code', 'pointer']);
  return { code: string(code, `${place}.code`), pointer: string(pointer, `${place}.pointer`) };
}

function readMissing(value: unknown, place: string): { claim: string; scopes: readonly string[] } {
  const { claim, scopes } = members(value, place, ['claim', 'scopes']);
  return { claim: string(claim, `${place}.claim`), scopes: strings(scopes, `${place}.scopes`) };
}

function readDecisions(value: unknown, place: string): readonly string[] {
  const decisions = strings(value, place);
  const wrong = decisions.find((decision) => !/^L(?:[1-9]|1\d|2[0-5])$/.test(decision));
  if (wrong !== undefined || decisions.length === 0) fail(place, 'must be one or more of L1 to L25');
  return decisions;
}

function readCatalogue(value: unknown, place: string): readonly ScopeDefinition[] {
  return list(value, place, 1).map((entry, index) => {
    const { name, implies, covers } = members(entry, `${place}[${index}]`, ['name'], ['implies', 'covers']);
    return {
      name: string(name, `${place}[${index}].name`),
      ...(implies === undefined ? {} : { implies: strings(implies, `${place}[${index}].implies`) }),
      ...(covers === undefined ? {} : { covers: strings(covers, `${place}[${index}].covers`) }),
    };
  });
}

function members(
  value: unknown,
  place: string,
  required: readonly string[],
  optional: readonly string[] = [],
): Members {
  const read = object(value, place);
  const missing = required.find((name) => !Object.hasOwn(read, name));
  if (missing !== undefined) fail(place, `must have the member \`${missing}\`; it is missing`);
  const unknown = Object.keys(read).find((name) => !required.includes(name) && !optional.includes(name));
  if (unknown !== undefined) fail(place, `unknown member \`${unknown}\``);
  return read;
}

function object(value: unknown, place: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail(place, 'must be an object');
  // The file was parsed from JSON.
  return value as JsonObject;
}

function list(value: unknown, place: string, atLeast: number): readonly unknown[] {
  if (Array.isArray(value) && value.length >= atLeast) return value;
  return fail(place, atLeast === 0 ? 'must be an array' : 'must be a non-empty array');
}

function string(value: unknown, place: string): string {
  return typeof value === 'string' ? value : fail(place, 'must be a string');
}

function strings(value: unknown, place: string): readonly string[] {
  return list(value, place, 0).map((entry, index) => string(entry, `${place}[${index}]`));
}

function fail(place: string, problem: string): never {
  throw new TypeError(`${place}: ${problem}`);
}
