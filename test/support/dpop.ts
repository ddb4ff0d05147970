/** A client that uses DPoP (RFC 9449). */
import type { Clock } from '../../src/service/index.js';
import type { HttpResponse } from './call.js';
import { createKey, sha256, signJws, type TestKey } from './credential-issuer.js';
import { type PendingAuthorization, redemption, type Tokens } from './oauth-client.js';
import type { StartedService } from './start-service.js';

type Members = Readonly<Record<string, unknown>>;

export interface DpopKey extends TestKey {
  /** The key's thumbprint (RFC 7638). */
  readonly jkt: string;
}

/** The request that a proof is for, and members of the proof that differ from a valid one. */
export interface ProofOptions {
  /** The path below the issuer's URL. */
  readonly path: string;
  readonly method?: string;
  readonly accessToken?: string;
  /** Replaces members of the valid header; `undefined` removes a member. */
  readonly header?: Members;
  /** Replaces members of the valid payload; `undefined` removes a member. */
  readonly payload?: Members;
}

/** Creates a P-256 key. */
export function createDpopKey(): DpopKey {
  const key = createKey();
  const { x, y } = key.jwk;
  return { ...key, jkt: sha256(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y })) };
}

let proofCount = 0;

/** Signs a proof that is valid except for the given `header` and `payload` members. Each proof has a new `jti`. */
export function dpopProof(
  { url, clock }: { readonly url: string; readonly clock: Clock },
  key: TestKey,
  { path, method = 'POST', accessToken, header = {}, payload = {} }: ProofOptions,
): string {
  proofCount += 1;
  const claims = {
    jti: `proof-${proofCount}`,
    htm: method,
    htu: `${url}${path}`,
    iat: Math.floor(clock.now() / 1_000),
    ...(accessToken === undefined ? {} : { ath: sha256(accessToken) }),
    ...payload,
  };
  return signJws({ alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk, ...header }, claims, key);
}

/** Requests tokens with these values of the `DPoP` header. */
export async function requestTokens(
  { url }: Pick<StartedService, 'url'>,
  body: object,
  ...proofs: readonly string[]
): Promise<HttpResponse> {
  const headers = new Headers({ 'Content-Type': 'application/json' });
  for (const proof of proofs) headers.append('DPoP', proof);
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return await read(await fetch(`${url}/oauth/token`, init));
}

/** Redeems a code with a proof by a key. */
export function redeemWith(
  started: StartedService,
  key: TestKey,
  pending: PendingAuthorization,
  code: string,
  changes: Partial<ProofOptions> = {},
): Promise<HttpResponse> {
  const proof = dpopProof(started, key, { path: '/oauth/token', ...changes });
  return requestTokens(started, redemption(pending, code), proof);
}

/** Calls a resource with `Authorization: DPoP` and a proof that is valid except for the given members. */
export async function callWith(
  started: StartedService,
  key: TestKey,
  { access_token: accessToken }: Pick<Tokens, 'access_token'>,
  { path, method = 'GET', ...changes }: ProofOptions,
  body?: unknown,
): Promise<HttpResponse> {
  const proof = dpopProof(started, key, { path, method, accessToken, ...changes });
  return await callWithCredentials(started, { scheme: 'DPoP', accessToken, proof, path, method }, body);
}

/** Calls a resource with these credentials, valid or not. */
export async function callWithCredentials(
  { url }: Pick<StartedService, 'url'>,
  {
    scheme,
    accessToken,
    proof,
    path,
    method = 'GET',
  }: {
    readonly scheme: string;
    readonly accessToken: string;
    readonly proof?: string;
    readonly path: string;
    readonly method?: string;
  },
  body?: unknown,
): Promise<HttpResponse> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      Authorization: `${scheme} ${accessToken}`,
      ...(proof === undefined ? {} : { DPoP: proof }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return await read(response);
}

async function read(response: Response): Promise<HttpResponse> {
  return { status: response.status, body: await response.json(), headers: response.headers };
}
