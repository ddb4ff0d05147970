/** `/consent`: the page where a person approves or denies an authorization request (S57, S60, S63–S67). */

import {
  type AuthorizationDetail,
  type FormBinding,
  type OpenedSession,
  type Selection,
  ServiceError,
  toAuthorizationDetails,
} from '../../service/index.js';
import { SECONDS_PER_DAY } from '../../util/time.js';
import { respondWithCode, respondWithDenial } from '../authorization-response.js';
import {
  assertSameOrigin,
  cookieHeader,
  findBoundAuthorization,
  findBrowserBinding,
  findSignedInPerson,
} from '../browser.js';
import { verifyPerson } from '../callers.js';
import { malformed } from '../errors.js';
import { conditionField } from '../pages/condition-lines.js';
import { type ConsentNotice, consentPage } from '../pages/consent-page.js';
import { endedPage, endingOf, unknownRequestPage } from '../pages/ended-pages.js';
import { SCOPE_FIELD_PREFIX, visiblePaths } from '../pages/scope-lines.js';
import { MAX_APPROVAL_ENTRIES, parseForm, readForm } from '../parameters/body.js';
import { languageOf } from '../person-language.js';
import type { RequestContext } from '../request-context.js';
import { isSignInExternal, redirectToSignIn } from '../sign-in-redirect.js';
import { consentPath, type Route, type RouteResponse } from './route.js';

export const consent: Route = {
  operations: {
    GET: {
      id: 'showConsent',
      summary: 'The consent page, where a person approves or denies an authorization request.',
      caller: 'person',
      parameters: 'ContextParameters',
      responses: ['page', 'redirect'],
      errors: ['not_found', 'invalid_client', 'invalid_transition'],
    },
    POST: {
      id: 'decideConsent',
      summary: 'Submit the form of the consent page.',
      caller: 'person',
      body: { schema: 'ConsentForm', form: true },
      responses: ['page', 'redirect'],
      errors: [
        'not_found',
        'invalid_transition',
        'invalid_scope',
        'invalid_client',
        'palm_verification_required',
        'reauthentication_required',
      ],
    },
  },
  path: '/consent',
  crossOrigin: 'none',
  grantsAccess: true,
  page: true,
  handle: async (context) =>
    context.request.method === 'POST' ? await decide(context) : await show(context),
};

/** An authorization request in the browser that started it. */
interface ConsentRequest {
  readonly context: RequestContext;
  readonly detail: AuthorizationDetail;
  readonly browserBinding: string;
  /** The person signed in at this browser, if their sign-in is recent enough for this request. */
  readonly person: OpenedSession | undefined;
}

/** The person who decides, and the header that sets the cookie of a new session. */
interface Decider {
  readonly session: OpenedSession;
  readonly headers: Readonly<Record<string, string>>;
}

async function show(context: RequestContext): Promise<RouteResponse> {
  const consent = await findConsentRequest(parseForm(context.target.query), context);
  return consent === undefined ? unknownRequestPage(languageOf(context)) : await renderPage(consent);
}

async function decide(context: RequestContext): Promise<RouteResponse> {
  const { service } = context;
  assertSameOrigin(context);
  const form = await readForm(context, MAX_APPROVAL_ENTRIES);
  const consent = await findConsentRequest(form, context);
  if (consent === undefined) return unknownRequestPage(languageOf(context));
  // The form was rendered for another person, or before a sign-in or sign-out: render it for the current person.
  if (!service.sessions.isCsrfToken(form.get('proof'), bindingOf(consent)))
    return await renderPage(consent, { kind: 'outdated' }, form);
  try {
    return await applyDecision(consent, form);
  } catch (error) {
    // The request was decided or expired meanwhile: the page shows its state.
    if (!(error instanceof ServiceError) || error.subcode !== 'invalid_transition') throw error;
    const detail = await service.authorizations.get(consent.detail.authorization.id);
    return await renderPage({ ...consent, detail });
  }
}

async function applyDecision(
  consent: ConsentRequest,
  form: ReadonlyMap<string, string>,
): Promise<RouteResponse> {
  const { detail, context } = consent;
  const { service } = context;
  const { authorization } = detail;
  switch (form.get('action')) {
    case 'palm':
      return await verifyPalm(consent, form);
    case 'deny':
      await service.authorizations.deny(detail);
      return respondWithDenial(authorization, context);
    case 'approve': {
      const ticked = authorization.requestedScopes.filter((scope) =>
        form.has(`${SCOPE_FIELD_PREFIX}${scope}`),
      );
      const { requestedConditions = [] } = authorization;
      const conditions = requestedConditions.filter((_condition, index) => form.has(conditionField(index)));
      const selection = { scopes: ticked, details: conditions.map(toAuthorizationDetails) };
      return ticked.length === 0 && conditions.length === 0
        ? await renderPage(consent, { kind: 'nothing_ticked' }, form)
        : await approve(consent, form, selection);
    }
    default:
      throw malformed('/action', 'value_unknown', '`action` must be one of `approve`, `deny`, `palm`.');
  }
}

/** Verifies the palm of the person who decides; in the sandbox, of a sample person if nobody is signed in or chosen. */
async function verifyPalm(
  consent: ConsentRequest,
  form: ReadonlyMap<string, string>,
): Promise<RouteResponse> {
  const { service } = consent.context;
  const { id } = consent.detail.authorization;
  // With external sign-in, the deployment's login or provider verifies the palm.
  if (isSignInExternal(service)) return toSignIn(consent.detail, consent.context, '&verify=palm');
  const decider = await findDecider(consent, form);
  if (decider === undefined && !service.environment.seeded) return toSignIn(consent.detail, consent.context);
  if (!(await service.authorizations.verifyPalm(id, decider?.session.userId, form)))
    throw new ServiceError('palm_verification_required');
  return showAgain(consent, decider);
}

/** Approves on behalf of the person who decides; in the sandbox, of a sample person if nobody is signed in or chosen. */
async function approve(
  consent: ConsentRequest,
  form: ReadonlyMap<string, string>,
  selection: Selection,
): Promise<RouteResponse> {
  const { detail, context } = consent;
  const { service } = context;
  const decider = await findDecider(consent, form);
  if (decider === undefined && !service.environment.seeded) return toSignIn(detail, context);
  try {
    const { authorization, code } =
      decider === undefined
        ? await service.authorizations.approveOnBehalf(detail, selection)
        : await service.authorizations.approveInSession(detail, decider.session, selection);
    const response = respondWithCode(code, authorization, context);
    return { ...response, headers: { ...response.headers, ...decider?.headers } };
  } catch (error) {
    // The palm of another person was verified before the form named this one: the page requests the verification again.
    const isPalmMissing = error instanceof ServiceError && error.subcode === 'palm_verification_required';
    if (!isPalmMissing || !form.has('person')) throw error;
    return showAgain(consent, decider);
  }
}

/** Redirects to the page, so that reloading it does not submit the form again. */
function showAgain({ detail, context }: ConsentRequest, decider: Decider | undefined): RouteResponse {
  const location = languageOf(context).keepIn(consentPath(detail.authorization.id));
  return { kind: 'redirect', location, headers: decider?.headers ?? {} };
}

/** Signs in the person named by the form; without a name, returns the person who is signed in, or `undefined`. */
async function findDecider(
  { detail, browserBinding, person, context }: ConsentRequest,
  form: ReadonlyMap<string, string>,
): Promise<Decider | undefined> {
  if (!form.has('person')) return person && { session: person, headers: {} };
  const { service } = context;
  const chosen = await verifyPerson(form, context);
  if (chosen === undefined) throw new ServiceError('not_found');
  const session = await service.sessions.signIn(chosen.id, browserBinding, {
    authenticatedAt: service.clock.now(),
    authorizationId: detail.authorization.id,
  });
  return { session, headers: cookieHeader('person', session.token, service) };
}

/** Finds the authorization named by a form or query string, if this browser started it. @throws {ServiceError} `invalid_client` */
async function findConsentRequest(
  parameters: ReadonlyMap<string, string>,
  context: RequestContext,
): Promise<ConsentRequest | undefined> {
  const { service } = context;
  const browserBinding = findBrowserBinding(context);
  const detail = await findBoundAuthorization(
    browserBinding,
    parameters.get('authorization_id') ?? '',
    service,
  );
  if (detail === undefined || browserBinding === undefined) return undefined;
  // The person is neither asked on behalf of a revoked application nor sent to it.
  const { authorization, application } = detail;
  if (authorization.status === 'pending_admin' && application.revokedAt !== undefined)
    throw new ServiceError('invalid_client');
  const signedIn = await findSignedInPerson(context);
  const person =
    signedIn && service.authorizations.isAuthenticatedFor(authorization, signedIn) ? signedIn : undefined;
  return { context, detail, browserBinding, person };
}

function bindingOf({ detail, browserBinding, person }: ConsentRequest): FormBinding {
  return {
    browserBinding,
    purpose: `consent:${detail.authorization.id}`,
    session: person?.token,
  };
}

/** Renders the page. @param notice - Why the form is shown again. @param sent - The submitted form, whose selection is shown again. */
async function renderPage(
  consent: ConsentRequest,
  notice?: ConsentNotice,
  sent?: ReadonlyMap<string, string>,
): Promise<RouteResponse> {
  const { detail, person, context } = consent;
  const { service } = context;
  const { authorization } = detail;
  const language = languageOf(context, authorization.uiLocales);
  const now = service.clock.now();
  const ending = endingOf(detail);
  if (ending !== undefined) return endedPage(ending, detail, language);
  const people = await service.people.list();
  if (people.length === 0 && person === undefined) return toSignIn(detail, context);
  const { loginHint: hint } = authorization;
  // In the sandbox only: in production, this would reveal who is registered.
  const hinted =
    hint === undefined || people.length === 0 ? undefined : await service.people.findByHint(hint);
  const candidate = person?.person ?? people.find(({ id }) => id === authorization.palmVerifiedPersonId);
  const palmVerified =
    candidate !== undefined && service.authorizations.isPalmVerified(authorization, candidate);
  const { organizationId } = detail.application;
  const paths = visiblePaths(authorization.requestedScopes, palmVerified, service.catalogue);
  // Only the signed-in person's values are shown, since in the sandbox anyone may choose another person.
  const isOther = hinted !== undefined && hinted.id !== person?.person.id;
  const values =
    person === undefined || isOther
      ? undefined
      : await service.people.readOwnClaims(person.userId, organizationId, paths);
  return consentPage({
    values,
    ...detail,
    language,
    now,
    catalogue: service.catalogue,
    people,
    hinted,
    person,
    palmVerified,
    csrfToken: service.sessions.csrfToken(bindingOf(consent)),
    refreshDays: Math.ceil(service.settings.refreshTokenLifetimeSeconds / SECONDS_PER_DAY),
    notice,
    sent,
  });
}

function toSignIn(
  { authorization }: AuthorizationDetail,
  context: RequestContext,
  query = '',
): RouteResponse {
  const { id, uiLocales } = authorization;
  return redirectToSignIn(context, `?authorization_id=${encodeURIComponent(id)}${query}`, uiLocales);
}
