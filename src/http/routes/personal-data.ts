/** `/my-data`: the page where a person downloads or erases what is held about them, and the download (S332). */
import { type FormBinding, ServiceError } from '../../service/index.js';
import { MS_PER_MINUTE } from '../../util/time.js';
import {
  assertSameOrigin,
  expiredCookieHeader,
  findSignedInPerson,
  type SignedInPerson,
} from '../browser.js';
import { signInRequiredPage } from '../pages/continue-page.js';
import { erasedPage, type PersonalDataNotice, personalDataPage } from '../pages/personal-data-page.js';
import { readForm } from '../parameters/body.js';
import { languageOf } from '../person-language.js';
import type { RequestContext } from '../request-context.js';
import { redirectToSignIn } from '../sign-in-redirect.js';
import { toPersonalDataBody } from '../wire.js';
import type { Route, RouteResponse } from './route.js';

/** The greatest age of the authentication for an erasure: an open session, of this service or of a provider, must not suffice. */
const RECENT_MS = 10 * MS_PER_MINUTE;

export const personalData: Route = {
  operations: {
    GET: {
      id: 'showPersonalData',
      summary: 'The page where a person downloads or erases their data.',
      caller: 'person',
      responses: ['page', 'redirect'],
    },
    POST: {
      id: 'erasePersonalData',
      summary: 'Submit the form of `/my-data`: erase the data.',
      caller: 'person',
      body: { schema: 'PersonalDataForm', form: true },
      responses: ['page'],
    },
  },
  path: '/my-data',
  crossOrigin: 'none',
  page: true,
  handle: async (context) => {
    const person = await findSignedInPerson(context);
    if (context.request.method === 'POST') return await erase(context, person);
    return person === undefined ? redirectToSignIn(context) : renderPage(context, person);
  },
};

export const personalDataExport: Route = {
  operations: {
    GET: {
      id: 'downloadPersonalData',
      summary: 'Download everything that is held about the person signed in at the browser.',
      caller: 'person',
      responses: ['PersonExport', 'redirect'],
    },
  },
  path: '/my-data/export',
  crossOrigin: 'none',
  page: true,
  handle: async (context) => {
    const person = await findSignedInPerson(context);
    if (person === undefined) return redirectToSignIn(context);
    return {
      kind: 'json',
      status: 200,
      headers: { 'Content-Disposition': 'attachment; filename="my-data.json"' },
      body: toPersonalDataBody(await context.service.personalData.export(person.userId, 'by_person')),
    };
  },
};

async function erase(context: RequestContext, person: SignedInPerson | undefined): Promise<RouteResponse> {
  const { service } = context;
  assertSameOrigin(context);
  const form = await readForm(context);
  if (person === undefined) return signInRequiredPage(languageOf(context));
  // The form was rendered for another person, or before another sign-in.
  if (!service.sessions.isCsrfToken(form.get('proof'), bindingOf(person)))
    return renderPage(context, person, 'outdated');
  if (form.get('confirm') !== 'erase' || !isRecent(context, person))
    return renderPage(context, person, 'rejected');
  await service.personalData.erase(person.userId).catch((error: unknown) => {
    // Another request has erased the person meanwhile.
    if (!(error instanceof ServiceError) || error.subcode !== 'not_found') throw error;
  });
  return erasedPage(languageOf(context), expiredCookieHeader('person', service));
}

function renderPage(
  context: RequestContext,
  person: SignedInPerson,
  notice?: PersonalDataNotice,
): RouteResponse {
  return personalDataPage({
    language: languageOf(context),
    person: person.person,
    csrfToken: context.service.sessions.csrfToken(bindingOf(person)),
    isRecent: isRecent(context, person),
    notice,
  });
}

/** Whether the person authenticated recently. `false` if their login does not state when: it may have signed them in without their presence. */
function isRecent({ service }: RequestContext, { authenticatedAt }: SignedInPerson): boolean {
  return authenticatedAt !== undefined && service.clock.now() - authenticatedAt < RECENT_MS;
}

function bindingOf({ browserBinding, token }: SignedInPerson): FormBinding {
  return { browserBinding, purpose: 'personal-data', session: token };
}
