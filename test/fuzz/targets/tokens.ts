/** Signed inputs: credentials (JWT VC, SD-JWT VC), client assertions and sign-in assertions, mutated before or after signing. */
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { HOSTILE_STRINGS, PROTOTYPE_NAMES } from '../../support/hostile-strings.js';
import { type RawResponse, ResponseError } from '../../support/raw-connection.js';
import { DEGREE, DRAFT_PID } from '../../support/specification-credentials.js';
import { type Finding, fuzzTarget, type OpenTarget, type TargetContext } from '../fuzz-target.js';
import {
  ASSERTION_HEADER,
  assertionClaims,
  CREDENTIAL_HEADER,
  CREDENTIAL_TYPE,
  credentialClaims,
  type Deployment,
  ISSUER_OF_CREDENTIALS,
  openDeployment,
  SIGN_IN_HEADER,
  signInClaims,
} from '../http/deployment.js';
import { judgeResponse } from '../http/judge-response.js';
import { replaceNode } from '../http/mutations.js';
import { type PlannedRequest, toSent } from '../http/planned-request.js';
import type { Session } from '../http/session.js';

const KINDS = ['jwt_vc_json', 'dc+sd-jwt', 'client_assertion', 'sign_in'] as const;

interface Change {
  readonly part: 'header' | 'payload' | 'disclosure';
  readonly place: number;
  /** Adds a member of this name instead of replacing a value. */
  readonly name?: string;
  readonly value: unknown;
}

interface SignedInput {
  readonly kind: (typeof KINDS)[number];
  /** Applied before signing. */
  readonly changes: readonly Change[];
  /** Applied to the text after signing. */
  readonly splices: readonly { readonly place: number; readonly cut: number; readonly given: string }[];
  /** For credentials: uses the example printed in a specification instead of a generated one. */
  readonly printed: boolean;
}

type Members = Readonly<Record<string, unknown>>;

export const tokens = fuzzTarget<SignedInput>('tokens', openTokens);

async function openTokens(context: TargetContext): Promise<OpenTarget<SignedInput>> {
  const deployment = await openDeployment('production', context);
  let session: Session | undefined;
  let count = 0;
  const statuses = new Map<string, number>();
  return {
    inputs: signedInputs(),
    probe: async (input) => {
      session ??= await deployment.newSession();
      count += 1;
      try {
        const request = await requestWith(input, String(count), session, deployment);
        const sent = toSent(request, deployment.host, session.known);
        const [response] = (await deployment.send(sent)) as [RawResponse];
        const outcome = `${input.kind} ${response.status}`;
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
        const finding = judgeResponse(sent, response, session, deployment);
        if (finding !== undefined) return { ...finding, kind: `${input.kind}: ${finding.kind}` };
        if (response.status !== 200 || request.operation !== 'ingestCredential') return undefined;
        return await listAndRevoke(response, session, deployment);
      } catch (error) {
        if (error instanceof ResponseError) return await deployment.explainFault(error, input.kind);
        throw error;
      }
    },
    memory: () => deployment.service().memory(),
    reached: () => [...statuses].map(([outcome, count]) => `${outcome} × ${count}`).join(', '),
    close: () => deployment.stop(),
  };
}

/** Lists and revokes an ingested credential, which must work with any id. */
async function listAndRevoke(
  { body }: RawResponse,
  session: Session,
  deployment: Deployment,
): Promise<Finding | undefined> {
  const { id } = JSON.parse(body) as { id: string };
  const list: PlannedRequest = {
    operation: 'listCredentials',
    method: 'GET',
    path: '/v2/credentials',
    query: [['limit', '100']],
    headers: [['Authorization', 'Bearer {{access}}']],
  };
  const revoke: PlannedRequest = {
    operation: 'revokeCredential',
    method: 'DELETE',
    path: `/v2/credentials/${encodeURIComponent(id)}`,
    query: [],
    headers: [['Authorization', 'Bearer {{administrator}}']],
  };
  for (const request of [list, revoke]) {
    const sent = toSent(request, deployment.host, session.known);
    const [response] = (await deployment.send(sent)) as [RawResponse];
    const finding = judgeResponse(sent, response, session, deployment);
    if (finding !== undefined) return { ...finding, kind: `after the ingestion: ${finding.kind}` };
    if (response.status !== 200)
      return {
        kind: `ingested, but ${request.operation} was answered with ${response.status}`,
        detail: JSON.stringify(id),
      };
  }
  return undefined;
}

async function requestWith(
  input: SignedInput,
  id: string,
  session: Session,
  deployment: Deployment,
): Promise<PlannedRequest> {
  switch (input.kind) {
    case 'jwt_vc_json': {
      const signed = await deployment.signAsIssuer(
        ...mutatedParts(input, CREDENTIAL_HEADER, credentialClaims(`fuzzed-${id}`)),
      );
      return ingestionRequest(input, input.printed ? DEGREE : signed);
    }
    case 'dc+sd-jwt':
      return ingestionRequest(input, input.printed ? DRAFT_PID : await sdJwt(input, id, deployment));
    case 'client_assertion': {
      const claims = assertionClaims(deployment.issuer, `fuzzed-${id}`);
      const signed = await deployment.signAsClient(...mutatedParts(input, ASSERTION_HEADER, claims));
      return {
        operation: 'introspect',
        method: 'POST',
        path: '/v2/oauth/introspect',
        query: [],
        headers: [],
        body: {
          json: {
            token: 'x',
            client_assertion: spliced(signed, input),
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          },
        },
      };
    }
    case 'sign_in': {
      const nonce = await getNonce(session, deployment);
      const claims = signInClaims(deployment.issuer, `fuzzed-${id}`, nonce);
      const signed = await deployment.signAsLogin(...mutatedParts(input, SIGN_IN_HEADER, claims));
      return {
        operation: 'returnFromSignIn',
        method: 'GET',
        path: '/sign-in/return',
        query: [['assertion', spliced(signed, input)]],
        headers: [['Cookie', '{{cookie}}']],
      };
    }
  }
}

function ingestionRequest(input: SignedInput, text: string): PlannedRequest {
  return {
    operation: 'ingestCredential',
    method: 'POST',
    path: '/v2/credentials',
    query: [],
    headers: [['Authorization', 'Bearer {{administrator}}']],
    body: { json: { identifier: 'id|ada', format: input.kind, credential: spliced(text, input) } },
  };
}

/** Returns the nonce of the session, which a sign-in assertion must contain; requests one if there is none. */
async function getNonce(session: Session, deployment: Deployment): Promise<string> {
  if (session.known.get('nonce') === undefined) {
    await deployment.sendAndLearn(
      {
        operation: 'showSignIn',
        method: 'GET',
        path: '/sign-in',
        query: [],
        headers: [['Cookie', '{{cookie}}']],
      },
      session,
    );
  }
  return session.known.get('nonce') ?? '';
}

/** Returns the mutated header and payload to sign. */
function mutatedParts(
  input: SignedInput,
  header: Members,
  payload: Members,
): [header: object, payload: string] {
  const mutatedHeader = mutated(header, input, 'header');
  return [
    typeof mutatedHeader === 'object' && mutatedHeader !== null ? mutatedHeader : header,
    JSON.stringify(mutated(payload, input, 'payload')),
  ];
}

async function sdJwt(input: SignedInput, id: string, deployment: Deployment): Promise<string> {
  const plain: readonly unknown[] = [
    ['salt-1', 'kyc_level', 'basic'],
    ['salt-2', 'address', { country: 'PT' }],
    ['salt-3', 'nationalities', ['PT']],
  ];
  const disclosures = (mutated(plain, input, 'disclosure') as readonly unknown[] | null) ?? [];
  const encoded = (Array.isArray(disclosures) ? disclosures : [disclosures]).map((one) =>
    Buffer.from(JSON.stringify(one) ?? '').toString('base64url'),
  );
  const { jti, nbf, exp } = credentialClaims(`fuzzed-${id}`);
  const claims = {
    ...{ iss: ISSUER_OF_CREDENTIALS, vct: CREDENTIAL_TYPE, sub: jti, jti, iat: nbf, exp },
    _sd_alg: 'sha-256',
    _sd: encoded.map((one) => createHash('sha256').update(one).digest('base64url')),
  };
  const signed = await deployment.signAsIssuer(
    ...mutatedParts(input, { ...CREDENTIAL_HEADER, typ: 'dc+sd-jwt' }, claims),
  );
  return `${[signed, ...encoded].join('~')}~`;
}

function mutated(value: unknown, { changes }: SignedInput, part: Change['part']): unknown {
  return changes
    .filter((change) => change.part === part)
    .reduce<unknown>(
      (changed, { place, name, value: given }) =>
        replaceNode(changed, place, (node) => {
          if (name === undefined || typeof node !== 'object' || node === null || Array.isArray(node))
            return given;
          const member = { value: given, enumerable: true, configurable: true, writable: true };
          return Object.defineProperty({ ...node }, name, member);
        }),
      value,
    );
}

function spliced(text: string, { splices }: SignedInput): string {
  return splices.reduce((changed, { place, cut, given }) => {
    const from = place % (changed.length + 1);
    return changed.slice(0, from) + given + changed.slice(from + cut);
  }, text);
}

const NAMES = [
  '_sd',
  '...',
  '_sd_alg',
  'vc',
  'cnf',
  'crit',
  'jku',
  'jwk',
  'kid',
  'x5u',
  'b64',
  'zip',
  'aud',
  'sub',
  'validUntil',
  'issuer',
  'id',
  ...PROTOTYPE_NAMES,
];
const VALUES: readonly unknown[] = [
  ...Object.values(HOSTILE_STRINGS),
  ...[null, true, 0, -1, 1e300, -1e12, 8.64e12, 253402300800, 2 ** 53, 1.0000001, '', [], {}, [[]], [null]],
  ...[
    'x\u0000',
    '\ud800',
    'none',
    'HS256',
    'RS256',
    'ES256',
    'EdDSA',
    'sha-512',
    '9999-12-31T23:59:59Z',
    '+275760-09-13T00:00:00Z',
  ],
  ...[
    { _sd: ['x'] },
    { '...': 'A'.repeat(43) },
    ['b64'],
    { kty: 'oct', k: 'AA' },
    'https://attacker.example/jwks',
  ],
];

function signedInputs(): fc.Arbitrary<SignedInput> {
  const value = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...VALUES) }, fc.jsonValue({ maxDepth: 4 }));
  const change = fc.record(
    {
      part: fc.constantFrom('header', 'payload', 'payload', 'payload', 'disclosure') as fc.Arbitrary<
        Change['part']
      >,
      place: fc.nat({ max: 40 }),
      name: fc.constantFrom(...NAMES),
      value,
    },
    { requiredKeys: ['part', 'place', 'value'], noNullPrototype: true },
  );
  const splice = fc.record({
    place: fc.nat({ max: 3_000 }),
    cut: fc.nat({ max: 4 }),
    given: fc.constantFrom('', 'A', '.', '~', '=', '~~', '.~', '\n', '-', '\u00e9', 'e30', 'W10', 'bnVsbA'),
  });
  const often = <Value>(one: fc.Arbitrary<Value>, maxLength: number) =>
    fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(one, { maxLength }));
  return fc.record(
    {
      kind: fc.constantFrom(...KINDS),
      changes: fc.oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 6, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
      ),
      splices: often(splice, 2),
      printed: fc.constantFrom(false, false, false, true),
    },
    { noNullPrototype: true },
  );
}
