/** `/consent`: where a person decides, in the browser that was sent here (S57, S60, S63–S67). */

import type { IncomingMessage } from 'node:http';
import {
  type Approved,
  type AuthorizationDetail,
  type FormBinding,
  type OpenedSession,
  type Service,
  ServiceError,
} from '../../service/index.js';
import { respondWithCode, respondWithDenial } from '../authorization-response.js';
import {
  assertSameOrigin,
  authorizationBegunAt,
  cookieHeader,
  knownBrowser,
  knownPerson,
} from '../browser.js';
import { verifyPerson } from '../callers.js';
import { endedPage, endingOf, unknownRequestPage } from '../pages/answered-pages.js';
import { type ConsentNotice, consentPage } from '../pages/consent-page.js';
import { SCOPE_FIELD_PREFIX } from '../pages/scope-lines.js';
import { parseForm, readForm } from '../parameters/body.js';
import { type Answer, queryStringOf, type Route } from './route.js';

export const consent: Route = {
  operations: {
    GET: {
      id: 'showConsent',
      summary: 'The page where a person decides.',
      caller: 'anyone',
      parameters: 'ContextParameters',
      answers: ['page', 'redirect'],
      errors: ['not_found', 'invalid_transition'],
    },
    POST: {
      id: 'decideConsent',
      summary: 'What the person decided, from the page’s own form.',
      caller: 'anyone',
      body: { schema: 'ConsentForm', form: true },
      answers: ['page', 'redirect'],
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
  page: true,
  answer: async (request, service) =>
    request.method === 'POST' ? await decide(request, service) : await show(request, service),
};

const DAY_SECONDS = 86_400;

/** A request for authorization at the browser that began it. */
interface Asked {
  readonly detail: AuthorizationDetail;
  readonly browserKey: string;
  readonly request: IncomingMessage;
  /** Who is signed in there, recently enough for this request. */
  readonly person: OpenedSession | undefined;
}

/** The person who decides, and what makes the browser keep their session where it is new. */
interface Decider {
  readonly session: OpenedSession;
  readonly headers: Readonly<Record<string, string>>;
}

async function show(request: IncomingMessage, service: Service): Promise<Answer> {
  const id = parseForm(queryStringOf(request)).get('authorization_id') ?? '';
  const asked = await begunHere(id, request, service);
  return asked === undefined ? unknownRequestPage() : await pageOf(asked, service);
}

async function decide(request: IncomingMessage, service: Service): Promise<Answer> {
  assertSameOrigin(request, service);
  const form = await readForm(request);
  const id = form.get('authorization_id') ?? '';
  const asked = await begunHere(id, request, service);
  if (asked === undefined) return unknownRequestPage();
  // Rendered for somebody else, or before somebody signed in or out: it is shown anew for who is there now.
  if (!service.isCsrfToken(form.get('proof'), bindingOf(asked)))
    return await pageOf(asked, service, OUTDATED);
  try {
    return await carryOut(asked, form, service);
  } catch (error) {
    // Answered, or over, before this answer came: the page says which.
    if (!(error instanceof ServiceError) || error.subcode !== 'invalid_transition') throw error;
    return await pageOf({ ...asked, detail: await service.readAuthorization(id) }, service);
  }
}

const OUTDATED: ConsentNotice = { kind: 'outdated' };

async function carryOut(asked: Asked, form: ReadonlyMap<string, string>, service: Service): Promise<Answer> {
  const { authorization } = asked.detail;
  switch (form.get('action')) {
    case 'palm':
      return await verifyPalm(asked, form, service);
    case 'deny':
      await service.deny(authorization.id);
      return respondWithDenial(authorization, service);
    case 'approve': {
      const ticked = authorization.requestedScopes.filter((scope) =>
        form.has(`${SCOPE_FIELD_PREFIX}${scope}`),
      );
      return ticked.length === 0
        ? await pageOf(asked, service, { kind: 'nothing_ticked', ticked })
        : await approve(asked, form, ticked, service);
    }
    default:
      throw new ServiceError('malformed_body');
  }
}

/** Verifies the palm of who decides; in the sandbox, where nobody is signed in and nobody chosen, of whom it takes by itself. */
async function verifyPalm(
  asked: Asked,
  form: ReadonlyMap<string, string>,
  service: Service,
): Promise<Answer> {
  const { id } = asked.detail.authorization;
  // The deployment's own login verifies where it signs people in.
  if (service.signInUrl !== undefined) return toSignIn(id, '&verify=palm');
  const decider = await deciderOf(asked, form, service);
  if (decider === undefined && !service.environment.seeded) return toSignIn(id);
  if (!(await service.verifyPalm(id, decider?.session.userId, form)))
    throw new ServiceError('palm_verification_required');
  // By a page of its own, so that the browser's own buttons repeat nothing.
  const location = `/consent?authorization_id=${encodeURIComponent(id)}`;
  return { kind: 'redirect', location, headers: decider?.headers ?? {} };
}

/** Approves for who decides; in the sandbox, where nobody is signed in and nobody chosen, for whom it takes by itself. */
async function approve(
  asked: Asked,
  form: ReadonlyMap<string, string>,
  ticked: readonly string[],
  service: Service,
): Promise<Answer> {
  const { id } = asked.detail.authorization;
  const decider = await deciderOf(asked, form, service);
  if (decider !== undefined)
    return sentBack(await service.approveAs(id, decider.session, ticked), service, decider.headers);
  if (!service.environment.seeded) return toSignIn(id);
  return sentBack(await service.approve(id, undefined, ticked), service);
}

/** Returns the person whom the form names, signed in from now on, where one may choose; else who is signed in. */
async function deciderOf(
  { detail, browserKey, person, request }: Asked,
  form: ReadonlyMap<string, string>,
  service: Service,
): Promise<Decider | undefined> {
  if (!form.has('person')) return person && { session: person, headers: {} };
  const chosen = await verifyPerson(form, request, service);
  if (chosen === undefined) throw new ServiceError('not_found');
  const session = await service.signIn(chosen.id, browserKey, {
    authenticatedAt: service.uptime().now,
    authorizationId: detail.authorization.id,
  });
  return { session, headers: cookieHeader('person', session.token, service) };
}

function sentBack(
  { authorization, code }: Approved,
  service: Service,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const answer = respondWithCode(code, authorization, service);
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** The authorization, for the browser that began it and for no other. */
async function begunHere(id: string, request: IncomingMessage, service: Service): Promise<Asked | undefined> {
  const browserKey = knownBrowser(request, service);
  const detail = await authorizationBegunAt(browserKey, id, service);
  if (detail === undefined || browserKey === undefined) return undefined;
  const known = await knownPerson(request, service);
  const person = known && service.isAuthenticatedFor(detail.authorization, known) ? known : undefined;
  return { detail, browserKey, person, request };
}

function bindingOf({ detail, browserKey, person }: Asked): FormBinding {
  return { browserKey, purpose: `consent:${detail.authorization.id}`, session: person?.token };
}

/** @param notice - Why a form comes back. */
async function pageOf(asked: Asked, service: Service, notice?: ConsentNotice): Promise<Answer> {
  const { detail, person } = asked;
  const { authorization } = detail;
  const ending = endingOf(detail, service.uptime().now);
  if (ending !== undefined) return endedPage(ending, detail);
  const people = await service.listPeople();
  if (people.length === 0 && person === undefined) return toSignIn(authorization.id);
  const { loginHint: hint } = authorization;
  // Only where people choose who they are: elsewhere a hint would reveal who is known.
  const hinted = hint === undefined || people.length === 0 ? undefined : await service.findHintedPerson(hint);
  const deciding = person?.user ?? people.find(({ id }) => id === authorization.palmVerifiedPersonId);
  return consentPage({
    ...detail,
    catalogue: service.catalogue,
    people,
    hinted,
    person,
    palmVerified: deciding !== undefined && service.isPalmVerified(authorization, deciding),
    proof: service.csrfToken(bindingOf(asked)),
    signInOrigins: service.signInUrl === undefined ? [] : [new URL(service.signInUrl).origin],
    refreshDays: Math.ceil(service.settings.refreshTokenLifetimeSeconds / DAY_SECONDS),
    notice,
  });
}

function toSignIn(authorizationId: string, more = ''): Answer {
  return {
    kind: 'redirect',
    location: `/sign-in?authorization_id=${encodeURIComponent(authorizationId)}${more}`,
  };
}
