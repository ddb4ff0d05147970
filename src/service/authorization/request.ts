/**
 * Authorization requests: the order of validation, and whether errors are shown to the person or returned to the client (RFC 6749 §4.1.1,
 * RFC 9126, S45–S59).
 */
import { omitUndefined } from '../../util/omit-undefined.js';
import { MS_PER_SECOND } from '../../util/time.js';
import { type Application, isRegisteredRedirectUri } from '../clients/application.js';
import type { Condition } from '../conditions/condition.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { isCodeChallenge } from '../grants/authorization-code.js';
import { grantableScopes, invalidScope, parseScopes, understoodScopes } from '../scopes/scopes.js';
import { isThumbprint } from '../tokens/dpop-proof.js';
import { createOpaqueId, createOpaqueToken, isTokenShaped } from '../tokens/opaque-token.js';
import type { Authorization } from './authorization.js';
import { parseClaimsRequest, scopesOfClaims } from './claims-request.js';
import { authenticatedAfter, parseMaxAge, parsePrompt } from './reauthentication.js';

/** The parameters of the request, each at most once. Parameters without a value are omitted (RFC 6749 §3.1). */
export type AuthorizationParameters = ReadonlyMap<string, string>;

/** The outcome of a request: a pending authorization, or an error to be returned to the client at its redirect URI, in its response mode. */
export type RequestOutcome =
  | { readonly kind: 'pending'; readonly authorization: Authorization; readonly application: Application }
  | {
      readonly kind: 'redirect';
      readonly destination: Pick<Authorization, 'redirectUri' | 'responseMode' | 'state' | 'uiLocales'>;
      readonly error: ServiceError;
    };

/** The response to a pushed authorization request. */
export interface PushedAuthorizationRequest {
  /** Valid once, for this client. */
  readonly requestUri: string;
  readonly expiresInSeconds: number;
}

/** Supported response modes; the first is the default. */
export const RESPONSE_MODES = ['query', 'form_post'] as const;

/**
 * Limits in bytes of UTF-8, since unauthenticated callers can store these values (S55). Large enough for the values that conformance suites and login
 * libraries send.
 */
const MAX_BYTES = { state: 512, nonce: 512, login_hint: 256 } as const;
type LimitedParameter = keyof typeof MAX_BYTES;
const LIMITED = ['state', 'nonce', 'login_hint'] as const satisfies readonly LimitedParameter[];
/** The shape of a language tag (BCP 47). */
const LANGUAGE_TAG = /^[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/;
const MAX_UI_LOCALES = 8;
/** Limit of a pushed request as JSON, in bytes of UTF-8: as much as a URL may hold, since public clients can store it. */
const MAX_PUSHED_BYTES = 8_192;
const UTF8 = new TextEncoder();
/** Credentials of the pushing client, which are not part of the request and not stored. */
const CREDENTIALS: readonly string[] = ['client_secret', 'client_assertion', 'client_assertion_type'];
/** Prefix of the `request_uri` of pushed requests (RFC 9126 §2.2), followed by a token of 256 bits. */
const PUSHED_REQUEST_PREFIX = 'urn:ietf:params:oauth:request_uri:';

/** Authorization requests: sent to the authorization endpoint (RFC 6749 §4.1.1), or pushed before (RFC 9126). */
export function createAuthorizationRequests(context: ServiceContext) {
  return {
    /**
     * Validates a request and creates a pending authorization. With the `request_uri` of a pushed request, all other parameters except
     * `client_id` are ignored (RFC 9101 §5), and the pushed parameters are validated again, since the application may have changed (S261, S265).
     *
     * @param browserBinding - The binding key of the browser: only this browser is shown the consent page (S60).
     * @throws {ServiceError} `invalid_client`, `invalid_request_uri`, `malformed_body` or `redirect_uri_mismatch` if the client or its
     *   redirect URI cannot be trusted. The browser must then not be redirected.
     */
    async request(sent: AuthorizationParameters, browserBinding: string): Promise<RequestOutcome> {
      const application = await trustedApplication(sent, context);
      const pushed = await consumePushedRequest(sent.get('request_uri'), application, context);
      const parameters = pushed ?? sent;
      const redirectUri = trustedRedirectUri(parameters, application, context);
      let requested: RequestedAccess;
      try {
        if (pushed === undefined && application.requirePushedAuthorizationRequests === true)
          throw invalid('this client must push its authorization requests (RFC 9126)');
        requested = checkedAccess(parameters, application, context);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const { state, ...mode } = returnedParameters(parameters);
        const destination = { redirectUri, ...mode, ...(fits('state', state) && state ? { state } : {}) };
        return { kind: 'redirect', destination, error };
      }
      const browserHash = context.digest.sha256(browserBinding);
      const validated = { application, redirectUri, browserHash, requested };
      const authorization = toAuthorization(parameters, validated, context);
      await context.store.createAuthorization(authorization);
      return { kind: 'pending', authorization, application };
    },

    /**
     * Validates a request like the authorization endpoint and stores it for a single use there.
     *
     * @param sent - Parameters of the request by `application`, which is authenticated unless it is a public client.
     * @param jkt - Thumbprint of the key of the request's DPoP proof, to which the code is bound (RFC 9449 §10.1).
     * @throws {ServiceError} For the first fault: `malformed_body`, `redirect_uri_mismatch`, `invalid_scope`, `invalid_authorization_details`,
     *   `unsupported_response_type`, `login_required`, `request_not_supported` or `invalid_dpop_proof`.
     */
    async push(
      sent: AuthorizationParameters,
      application: Application,
      jkt?: string,
    ): Promise<PushedAuthorizationRequest> {
      const parameters = new Map([...sent].filter(([name]) => !CREDENTIALS.includes(name)));
      if (!parameters.has('client_id')) throw invalid('client_id is required');
      if (parameters.has('request_uri')) throw invalid('request_uri must not be pushed');
      if (jkt !== undefined) {
        if ((parameters.get('dpop_jkt') ?? jkt) !== jkt) throw proofOfAnotherKey();
        parameters.set('dpop_jkt', jkt);
      }
      trustedRedirectUri(parameters, application, context);
      checkedAccess(parameters, application, context);
      if (UTF8.encode(JSON.stringify([...parameters])).length > MAX_PUSHED_BYTES)
        throw invalid(`the parameters must have at most ${MAX_PUSHED_BYTES} bytes in UTF-8`);
      const { store, random, digest, clock, settings } = context;
      const { token, tokenHash } = createOpaqueToken(random, digest);
      const expiresInSeconds = settings.pushedRequestLifetimeSeconds;
      await store.createPushedRequest({
        tokenHash,
        clientId: application.clientId,
        parameters,
        expiresAt: clock.now() + expiresInSeconds * MS_PER_SECOND,
      });
      return { requestUri: `${PUSHED_REQUEST_PREFIX}${token}`, expiresInSeconds };
    },
  };
}

async function trustedApplication(
  parameters: AuthorizationParameters,
  { store }: ServiceContext,
): Promise<Application> {
  const clientId = parameters.get('client_id');
  const application = clientId === undefined ? undefined : await store.findApplication(clientId);
  if (application === undefined || application.revokedAt !== undefined)
    throw new ServiceError('invalid_client');
  return application;
}

/**
 * Returns the redirect URI of a request, which must be registered.
 *
 * @throws {ServiceError} `malformed_body` if it is absent, `redirect_uri_mismatch` if it is not registered.
 */
function trustedRedirectUri(
  parameters: AuthorizationParameters,
  application: Application,
  { environment }: ServiceContext,
): string {
  const received = parameters.get('redirect_uri');
  if (received === undefined) {
    const message = '`redirect_uri` is required.';
    throw new ServiceError('malformed_body', {
      problems: [{ pointer: '/redirect_uri', code: 'member_missing', message }],
    });
  }
  if (isRegisteredRedirectUri(received, application.redirectUris)) return received;
  // Registered URIs are confidential; only the sandbox, run by a developer, shows them.
  const shown = environment.seeded ? { received, registered: application.redirectUris } : {};
  throw new ServiceError('redirect_uri_mismatch', shown);
}

/** The scopes, the conditions, or both that a request asks for. */
interface RequestedAccess {
  readonly scopes: readonly string[];
  /** Absent if the request has no authorization details. */
  readonly conditions?: readonly Condition[];
}

/**
 * Validates the parameters whose errors are returned to the client, and returns the requested scopes and conditions.
 *
 * @throws {ServiceError} For the first fault, which its description names.
 */
function checkedAccess(
  parameters: AuthorizationParameters,
  application: Application,
  context: ServiceContext,
): RequestedAccess {
  if (parameters.has('request')) throw new ServiceError('request_not_supported');
  if (parameters.has('request_uri')) throw new ServiceError('request_uri_not_supported');
  if (parameters.has('registration')) throw invalid('registration is not supported');
  const responseType = parameters.get('response_type');
  if (responseType === undefined) throw invalid('response_type is required');
  if (responseType !== 'code') throw new ServiceError('unsupported_response_type');
  if (!RESPONSE_MODES.some((mode) => mode === (parameters.get('response_mode') ?? 'query')))
    throw invalid('response_mode must be query or form_post');
  const codeChallenge = parameters.get('code_challenge');
  if (codeChallenge === undefined) throw invalid('code_challenge is required');
  // An absent method means `plain` (RFC 7636 §4.3), which is not supported.
  if (parameters.get('code_challenge_method') !== 'S256') throw invalid('code_challenge_method must be S256');
  if (!isCodeChallenge(codeChallenge))
    throw invalid('code_challenge must be 43 characters of the base64url alphabet');
  const dpopJkt = requestedThumbprint(parameters, context);
  if (dpopJkt !== undefined && !isThumbprint(dpopJkt))
    throw invalid('dpop_jkt must be 43 characters of the base64url alphabet');
  const tooLong = LIMITED.find((name) => !fits(name, parameters.get(name)));
  if (tooLong !== undefined)
    throw invalid(`${tooLong} must have at most ${MAX_BYTES[tooLong]} bytes in UTF-8`);
  const [prompt, maxAge] = [parameters.get('prompt'), parameters.get('max_age')];
  const prompts = prompt === undefined ? [] : parsePrompt(prompt);
  if (prompts === undefined)
    throw invalid('prompt must be none, or any of login, consent and select_account, separated by spaces');
  if (maxAge !== undefined && parseMaxAge(maxAge) === undefined)
    throw invalid('max_age must be a number of seconds of at most ten digits');
  const claims = parseClaimsRequest(parameters.get('claims'));
  if (typeof claims === 'string') throw invalid(claims);
  const details = parameters.get('authorization_details');
  const conditions =
    details === undefined ? undefined : context.conditions.parseRequest(details, application);
  const list = parameters.get('scope');
  const grantable = grantableScopes(application, context);
  // With authorization details, `scope` is optional (RFC 9396 §3).
  const named = list === undefined && conditions !== undefined ? [] : namedScopes(list, grantable, context);
  const byClaims = scopesOfClaims(claims).filter((scope) => grantable.includes(scope));
  // Consent always requires interaction.
  if (prompts.includes('none')) throw new ServiceError('login_required');
  // Only the person of the hint may approve such a request (OpenID Connect Core §3.1.2.2), but requests cannot restrict who approves.
  if (parameters.has('id_token_hint')) throw invalid('id_token_hint is not supported: use login_hint');
  return { scopes: [...new Set([...named, ...byClaims])], ...omitUndefined({ conditions }) };
}

/** Returns `dpop_jkt`; ignored like an unknown parameter if DPoP is not supported. */
function requestedThumbprint(
  parameters: AuthorizationParameters,
  { dpopProofs }: ServiceContext,
): string | undefined {
  return dpopProofs === undefined ? undefined : parameters.get('dpop_jkt');
}

/**
 * Returns the scopes in `scope`, without the ones that {@link understoodScopes} ignores.
 *
 * @param grantable - The scopes that the application may request.
 * @throws {ServiceError} `invalid_scope`.
 */
function namedScopes(
  list: string | undefined,
  grantable: readonly string[],
  context: ServiceContext,
): readonly string[] {
  if (list === undefined) throw new ServiceError('invalid_scope', {}, { description: 'scope is required' });
  const requested = parseScopes(list);
  if (requested === undefined) {
    const description = 'scope must be a list of scope names separated by single spaces';
    throw new ServiceError('invalid_scope', {}, { description });
  }
  const understood = understoodScopes(requested, context.catalogue, grantable);
  const notAllowed = understood.filter((scope) => !grantable.includes(scope));
  if (notAllowed.length > 0) throw invalidScope('scope not allowed for this client', notAllowed);
  return understood;
}

/** Returns `invalid_request` with a description of the fault. */
function invalid(description: string): ServiceError {
  return new ServiceError('malformed_body', {}, { description });
}

function fits(name: LimitedParameter, value: string | undefined): boolean {
  return value === undefined || UTF8.encode(value).length <= MAX_BYTES[name];
}

function toAuthorization(
  parameters: AuthorizationParameters,
  validated: {
    readonly application: Application;
    readonly redirectUri: string;
    readonly browserHash: string;
    readonly requested: RequestedAccess;
  },
  context: ServiceContext,
): Authorization {
  const { clock, random, settings } = context;
  const dpopJkt = requestedThumbprint(parameters, context);
  const createdAt = clock.now();
  const signIn = requestedSignIn(parameters);
  const after = authenticatedAfter(signIn, createdAt);
  return {
    id: createOpaqueId(random),
    clientId: validated.application.clientId,
    status: 'pending_admin',
    redirectUri: validated.redirectUri,
    requestedScopes: validated.requested.scopes,
    ...omitUndefined({ requestedConditions: validated.requested.conditions }),
    ...returnedParameters(parameters),
    ...omitUndefined({ nonce: parameters.get('nonce'), loginHint: parameters.get('login_hint') }),
    ...signIn,
    ...omitUndefined({ authenticatedAfter: after }),
    codeChallenge: parameters.get('code_challenge') ?? '',
    ...omitUndefined({ dpopJkt }),
    browserHash: validated.browserHash,
    createdAt,
    requestExpiresAt: createdAt + settings.requestLifetimeSeconds * MS_PER_SECOND,
    updatedAt: createdAt,
  };
}

/** Returns the parameters that determine the response to the client. */
function returnedParameters(
  parameters: AuthorizationParameters,
): Pick<Authorization, 'state' | 'responseMode' | 'uiLocales'> {
  const state = parameters.get('state');
  return {
    ...omitUndefined({ state, uiLocales: preferredLanguages(parameters) }),
    ...(parameters.get('response_mode') === 'form_post' ? { responseMode: 'form_post' as const } : {}),
  };
}

/** Returns those of the first eight language tags of `ui_locales`, or of `locale` if it is absent, that are well-formed. */
function preferredLanguages(parameters: AuthorizationParameters): string | undefined {
  const list = parameters.get('ui_locales') ?? parameters.get('locale') ?? '';
  const tags = list.split(' ', MAX_UI_LOCALES).filter((tag) => LANGUAGE_TAG.test(tag));
  return tags.length === 0 ? undefined : tags.join(' ');
}

/** Returns the requirements on the person's sign-in. */
function requestedSignIn(
  parameters: AuthorizationParameters,
): Pick<Authorization, 'prompt' | 'maxAgeSeconds'> {
  const prompt = parsePrompt(parameters.get('prompt') ?? '');
  const maxAgeSeconds = parseMaxAge(parameters.get('max_age') ?? '');
  return {
    ...(prompt === undefined ? {} : { prompt: prompt.join(' ') }),
    ...omitUndefined({ maxAgeSeconds }),
  };
}

function proofOfAnotherKey(): ServiceError {
  const description = 'the DPoP proof must be signed by the key that dpop_jkt names';
  return new ServiceError('invalid_dpop_proof', {}, { description });
}

/**
 * Consumes the pushed request of a `request_uri` and returns its parameters; `undefined` if the `request_uri` is absent or does not have the
 * prefix of pushed requests.
 *
 * @throws {ServiceError} `invalid_request_uri`, with the same description for a request that is unknown, used, expired or another client's.
 *   Another client's request is not consumed.
 */
async function consumePushedRequest(
  requestUri: string | undefined,
  { clientId }: Application,
  { store, digest, clock }: ServiceContext,
): Promise<AuthorizationParameters | undefined> {
  if (requestUri?.startsWith(PUSHED_REQUEST_PREFIX) !== true) return undefined;
  const token = requestUri.slice(PUSHED_REQUEST_PREFIX.length);
  const parameters = isTokenShaped(token)
    ? await store.consumePushedRequest(digest.sha256(token), clientId, clock.now())
    : undefined;
  if (parameters === undefined) throw new ServiceError('invalid_request_uri');
  return parameters;
}
