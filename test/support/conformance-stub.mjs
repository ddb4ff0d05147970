/**
 * The engine as an implementation of the protocol of `proviso conformance`, in a process of its own.
 *
 *   node conformance-stub.mjs [deviation]
 */
import { createInterface } from 'node:readline';
import {
  ClaimSet,
  canonicalText,
  compile,
  createScopeCatalogue,
  parse,
  parseInstant,
  QueryError,
  re2js,
} from 'proviso';

/** Changes of requests and of responses, by name. */
const DEVIATIONS = {
  'active at its expiry (L10)': {
    request: mapCredentials(({ expiresAt, ...rest }) =>
      expiresAt === undefined ? rest : { ...rest, expiresAt: later(expiresAt) },
    ),
  },
  'ignores revocation (L10)': { request: mapCredentials(({ revokedAt, ...rest }) => rest) },
  'ignores when credentials were issued (L11)': {
    request: mapCredentials((credential) => ({ ...credential, issuedAt: '1900-01-01T00:00:00.000Z' })),
  },
  'null is undefined (L12)': {
    request: mapCredentials(({ claims, ...rest }) => ({
      ...rest,
      claims: Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null)),
    })),
  },
  '>= is > (L17)': { response: mapChecks('>=', (check) => check.actualValue !== check.expectedValue) },
  'an empty pattern never matches (L18)': {
    response: mapChecks('matchRegex', (check) => check.expectedValue !== ''),
  },
  'grants no implied scope (L20)': {
    request: (request) => ({
      ...request,
      catalogue: request.catalogue.map(({ implies, ...scope }) => scope),
    }),
  },
  'names missing scopes in reverse (L20)': {
    response: mapError('missing', (missing) =>
      missing.map(({ claim, scopes }) => ({ claim, scopes: scopes.toReversed() })),
    ),
  },
  'expectedValue is absent for isDefined (L21)': {
    response: mapChecks(
      'isDefined',
      () => true,
      ({ expectedValue, ...check }) => check,
    ),
  },
  'never expires with a credential (L22)': {
    response: mapResult((result) => ({
      ...result,
      expiresAt: new Date(Date.parse(result.evaluatedAt) + 300_000).toISOString(),
    })),
  },
  'discloses the whole claim (L23)': {
    response: mapResult((result, { credentials }) =>
      result.type === 'predicate'
        ? result
        : {
            ...result,
            claimsUsed: result.claimsUsed.map(({ path, value }) => ({
              path,
              value: credentials.find(({ claims }) => Object.hasOwn(claims, path))?.claims[path] ?? value,
            })),
          },
    ),
  },
  'lists problems in reverse (L8)': { response: mapError('problems', (problems) => problems.toReversed()) },
  'lists only the first problem (L8)': { response: mapError('problems', (problems) => problems.slice(0, 1)) },
  'points at the query (L8)': {
    response: mapError('problems', (problems) => problems.map(({ code }) => ({ code, pointer: '' }))),
  },
  'has another code for a missing member (L8)': {
    response: mapError('problems', (problems) =>
      problems.map(({ code, pointer }) => ({
        code: code === 'member_missing' ? 'form_missing' : code,
        pointer,
      })),
    ),
  },
  'claims that no query is valid': {
    response: () => ({ error: { code: 'invalid_query', problems: [{ code: 'form_missing', pointer: '' }] } }),
  },
};

const { request: changeRequest = (request) => request, response: changeResponse = (response) => response } =
  DEVIATIONS[process.argv[2]] ?? {};

const METHODS = {
  hello: () => ({ protocol: 1, name: 'stub', version: '1.2.3' }),
  canonicalize: ({ query }) => canonicalText(parse(query, { regex: re2js })),
  evaluate: ({ query, credentials, scopes, at, catalogue }) => {
    const now = parseInstant(at);
    const compiled = compile(query, { regex: re2js, catalogue: createScopeCatalogue(catalogue) });
    return compiled.evaluate(ClaimSet.at(credentials.map(toCredential), now), { now, scopes });
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const isEvaluation = request.method === 'evaluate';
  const response = respond(isEvaluation ? changeRequest(request) : request);
  const changed = isEvaluation ? changeResponse(response, request) : response;
  process.stdout.write(`${JSON.stringify({ id: request.id, ...changed })}\n`);
}

function respond(request) {
  try {
    return { result: METHODS[request.method](request) };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { code, problems, missing } = error;
    return { error: missing.length > 0 ? { code, missing } : { code, problems } };
  }
}

function toCredential({ issuedAt, expiresAt, revokedAt, ...rest }) {
  return {
    ...rest,
    issuedAt: parseInstant(issuedAt),
    ...(expiresAt === undefined ? {} : { expiresAt: parseInstant(expiresAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: parseInstant(revokedAt) }),
  };
}

function later(instant) {
  return new Date(Date.parse(instant) + 1).toISOString();
}

function mapCredentials(change) {
  return (request) => ({ ...request, credentials: request.credentials.map(change) });
}

function mapResult(change) {
  return (response, request) =>
    'result' in response ? { result: change(response.result, request) } : response;
}

function mapError(member, change) {
  return (response) =>
    response.error?.[member] === undefined
      ? response
      : { error: { ...response.error, [member]: change(response.error[member]) } };
}

/** Makes checks of an operator fail unless they satisfy a condition; a query that is a single check then fails as well. */
function mapChecks(operator, passes, change = (check) => check) {
  return mapResult((result, { query }) => {
    if (result.type !== 'predicate') return result;
    const { evidence } = result;
    const checkResults = evidence.checkResults.map((check) =>
      check.operator === operator ? change({ ...check, passed: check.passed && passes(check) }) : check,
    );
    const passed = 'check' in query ? checkResults[0].passed : result.passed;
    return { ...result, passed, evidence: { ...evidence, checkResults } };
  });
}
