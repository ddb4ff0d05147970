/** `/consent`: where a person decides, in the browser that was sent here (S57, S60, S63–S67). */

import type { IncomingMessage } from 'node:http';
import { type Approved, type AuthorizationDetail, type Service, ServiceError } from '../../service/index.js';
import { assertSameOrigin, knownBrowser, knownPerson, type PersonAtBrowser } from '../browser.js';
import { verifyPerson } from '../callers.js';
import { cookieHeader } from '../cookies.js';
import { endedPage, endingOf, unknownRequestPage } from '../pages/answered-pages.js';
import { consentPage } from '../pages/consent-page.js';
import { SCOPE_FIELD_PREFIX } from '../pages/scope-lines.js';
import { readForm } from '../parameters/body.js';
import { parseForm } from '../parameters/form.js';
import { redirectWithCode, redirectWithError } from '../redirect.js';
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

/** A request for authorization at the browser that began it, and who is signed in there. */
interface Asked {
  readonly detail: AuthorizationDetail;
  readonly browserKey: string;
  readonly person: PersonAtBrowser | undefined;
  readonly request: IncomingMessage;
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
  if (!service.isFormProof(form.get('proof'), asked.browserKey, id)) throw new ServiceError('access_denied');
  try {
    return await carryOut(asked, form, service);
  } catch (error) {
    // Answered, or over, before this answer came: the page says which.
    if (!(error instanceof ServiceError) || error.subcode !== 'invalid_transition') throw error;
    return await pageOf({ ...asked, detail: await service.readAuthorization(id) }, service);
  }
}

async function carryOut(asked: Asked, form: ReadonlyMap<string, string>, service: Service): Promise<Answer> {
  const { authorization } = asked.detail;
  switch (form.get('action')) {
    case 'palm':
      // The deployment's own login verifies where it signs people in.
      if (service.signInUrl !== undefined) return toSignIn(authorization.id, '&verify=palm');
      if (!(await service.verifyPalm(authorization.id, form)))
        throw new ServiceError('palm_verification_required');
      // By a page of its own, so that the browser's own buttons repeat nothing.
      return {
        kind: 'redirect',
        location: `/consent?authorization_id=${encodeURIComponent(authorization.id)}`,
      };
    case 'deny':
      await service.deny(authorization.id);
      return redirectWithError('access_denied', authorization.redirectUri, authorization.state, service);
    case 'approve': {
      const ticked = authorization.requestedScopes.filter((scope) =>
        form.has(`${SCOPE_FIELD_PREFIX}${scope}`),
      );
      return ticked.length === 0
        ? await pageOf(asked, service, ticked)
        : await approve(asked, form, ticked, service);
    }
    default:
      throw new ServiceError('malformed_body');
  }
}

/** Whoever the form names, where one may choose; else who is signed in; else, in the sandbox, whom it takes by itself. */
async function approve(
  { detail, person, request }: Asked,
  form: ReadonlyMap<string, string>,
  ticked: readonly string[],
  service: Service,
): Promise<Answer> {
  const { id } = detail.authorization;
  if (form.has('person')) {
    const chosen = await verifyPerson(form, request, service);
    if (chosen === undefined) throw new ServiceError('not_found');
    const token = service.openSession(chosen.id);
    const session = await service.readSession(token);
    if (session === undefined) throw new ServiceError('not_found');
    const approved = await service.approveAs(id, session, ticked);
    return sentBack(approved, service, cookieHeader('person', token, service));
  }
  if (person !== undefined) return sentBack(await service.approveAs(id, person, ticked), service);
  if (!service.environment.seeded) return toSignIn(id);
  return sentBack(await service.approve(id, undefined, ticked), service);
}

function sentBack(
  { authorization, code }: Approved,
  service: Service,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { ...redirectWithCode(code, authorization, service), headers };
}

/** The authorization, for the browser that began it and for no other. */
async function begunHere(id: string, request: IncomingMessage, service: Service): Promise<Asked | undefined> {
  const browserKey = knownBrowser(request, service);
  const detail = await service.readAuthorization(id).catch((error: unknown) => {
    if (error instanceof ServiceError && error.subcode === 'not_found') return undefined;
    throw error;
  });
  if (detail === undefined || browserKey === undefined) return undefined;
  if (!service.isBegunBy(detail.authorization, browserKey)) return undefined;
  return { detail, browserKey, person: await knownPerson(request, service), request };
}

/** @param ticked - What was ticked in a form that comes back. */
async function pageOf(
  { detail, browserKey, person }: Asked,
  service: Service,
  ticked?: readonly string[],
): Promise<Answer> {
  const ending = endingOf(detail, service.uptime().now);
  if (ending !== undefined) return endedPage(ending, detail);
  const people = await service.listPeople();
  if (people.length === 0 && person === undefined) return toSignIn(detail.authorization.id);
  return consentPage({
    ...detail,
    catalogue: service.catalogue,
    people,
    person,
    proof: service.formProof(browserKey, detail.authorization.id),
    signInOrigins: service.signInUrl === undefined ? [] : [new URL(service.signInUrl).origin],
    refreshDays: Math.ceil(service.settings.refreshTokenLifetimeSeconds / DAY_SECONDS),
    ...(ticked === undefined ? {} : { ticked }),
  });
}

function toSignIn(authorizationId: string, more = ''): Answer {
  return {
    kind: 'redirect',
    location: `/sign-in?authorization_id=${encodeURIComponent(authorizationId)}${more}`,
  };
}
