/** `/grants`: what a person shares, ending it, and taking that back for a moment (S65, S120). */

import { type FormBinding, type Service, ServiceError } from '../../service/index.js';
import { assertSameOrigin, forgottenCookieHeader, knownPerson, type PersonAtBrowser } from '../browser.js';
import { grantsPage } from '../pages/grants-page.js';
import { readForm } from '../parameters/body.js';
import type { RequestContext } from '../request-context.js';
import type { Answer, Route } from './route.js';

export const grants: Route = {
  operations: {
    GET: {
      id: 'showGrants',
      summary: 'The page where a person sees what they share with whom.',
      caller: 'anyone',
      answers: ['page', 'redirect'],
    },
    POST: {
      id: 'changeGrants',
      summary: 'What the person ended or took back, from the page’s own form.',
      caller: 'anyone',
      body: { schema: 'GrantsForm', form: true },
      answers: ['redirect'],
      errors: ['invalid_transition'],
    },
  },
  path: '/grants',
  crossOrigin: 'none',
  page: true,
  answer: async (context) => {
    const person = await knownPerson(context);
    if (context.request.method === 'POST') return await change(context, person);
    if (person === undefined) return SIGN_IN;
    return await pageOf(person, false, context.service);
  },
};

const SIGN_IN: Answer = { kind: 'redirect', location: '/sign-in' };
const SHOW: Answer = { kind: 'redirect', location: '/grants' };

async function change(context: RequestContext, person: PersonAtBrowser | undefined): Promise<Answer> {
  const { service } = context;
  assertSameOrigin(context);
  const form = await readForm(context);
  if (person === undefined) return SIGN_IN;
  if (!service.sessions.isCsrfToken(form.get('proof'), bindingOf(person)))
    throw new ServiceError('access_denied');
  const clientId = form.get('client_id') ?? '';
  switch (form.get('action')) {
    case 'end':
      // What was ended before stays ended: pressing twice does no harm.
      await service.grants.withdraw(person.userId, clientId);
      return SHOW;
    case 'undo':
      return (await service.grants.restore(person.userId, clientId))
        ? SHOW
        : await pageOf(person, true, service);
    case 'sign_out':
      await service.sessions.signOut(person);
      return { ...SIGN_IN, headers: forgottenCookieHeader('person', service) };
    default:
      throw new ServiceError('malformed_body');
  }
}

async function pageOf(person: PersonAtBrowser, tooLate: boolean, service: Service): Promise<Answer> {
  return grantsPage({
    person,
    sharings: await service.grants.listAccess(person.userId),
    catalogue: service.catalogue,
    proof: service.sessions.csrfToken(bindingOf(person)),
    tooLate,
    now: service.clock.now(),
  });
}

function bindingOf({ browserKey, token }: PersonAtBrowser): FormBinding {
  return { browserKey, purpose: 'grants', session: token };
}
