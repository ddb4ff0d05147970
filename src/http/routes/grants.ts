/** `/grants`: the page where a person sees, ends and restores their grants (S65, S120). */

import type { FormBinding } from '../../service/index.js';
import {
  assertSameOrigin,
  expiredCookieHeader,
  findSignedInPerson,
  type SignedInPerson,
} from '../browser.js';
import { malformed } from '../errors.js';
import { signInRequiredPage } from '../pages/continue-page.js';
import { type GrantsNotice, grantsPage } from '../pages/grants-page.js';
import { readForm } from '../parameters/body.js';
import { languageOf } from '../person-language.js';
import type { RequestContext } from '../request-context.js';
import { isSignInExternal, redirectToSignIn } from '../sign-in-redirect.js';
import { endSession } from './oauth-logout.js';
import type { Route, RouteResponse } from './route.js';

export const grants: Route = {
  operations: {
    GET: {
      id: 'showGrants',
      summary: 'The page where a person sees and ends their grants.',
      caller: 'person',
      responses: ['page', 'redirect'],
    },
    POST: {
      id: 'changeGrants',
      summary:
        'Submit the form of the grants page: end or restore a grant, delete what an application has learned, or sign out.',
      caller: 'person',
      body: { schema: 'GrantsForm', form: true },
      responses: ['page', 'redirect'],
      errors: ['invalid_transition'],
    },
  },
  path: '/grants',
  crossOrigin: 'none',
  page: true,
  handle: async (context) => {
    const person = await findSignedInPerson(context);
    if (context.request.method === 'POST') return await change(context, person);
    if (person === undefined) return redirectToSignIn(context);
    return await renderPage(person, undefined, context);
  },
};

async function change(context: RequestContext, person: SignedInPerson | undefined): Promise<RouteResponse> {
  const { service } = context;
  assertSameOrigin(context);
  const form = await readForm(context);
  if (person === undefined)
    return form.get('action') === 'sign_out'
      ? redirectToSignIn(context)
      : signInRequiredPage(languageOf(context));
  // The form was rendered for another person, or before another sign-in.
  if (!service.sessions.isCsrfToken(form.get('proof'), bindingOf(person)))
    return await renderPage(person, 'outdated', context);
  const clientId = form.get('client_id') ?? '';
  const show: RouteResponse = { kind: 'redirect', location: languageOf(context).keepIn('/grants') };
  switch (form.get('action')) {
    case 'end':
      // Idempotent: withdrawing an ended grant has no effect.
      await service.grants.withdraw(person.userId, clientId);
      return show;
    case 'undo':
      return (await service.grants.restore(person.userId, clientId))
        ? show
        : await renderPage(person, 'too_late', context);
    case 'forget':
      await service.ledger.delete(person.userId, clientId);
      return show;
    case 'sign_out':
      // An external login could sign the person in again at once.
      if (isSignInExternal(service)) return await endSession(person, {}, context);
      await service.sessions.signOut(person);
      return { ...redirectToSignIn(context), headers: expiredCookieHeader('person', service) };
    default:
      throw malformed(
        '/action',
        'value_unknown',
        '`action` must be one of `end`, `undo`, `forget`, `sign_out`.',
      );
  }
}

async function renderPage(
  person: SignedInPerson,
  notice: GrantsNotice | undefined,
  context: RequestContext,
): Promise<RouteResponse> {
  const { service } = context;
  return grantsPage({
    language: languageOf(context),
    person,
    accesses: await service.grants.listAccess(person.userId),
    ledgers: await service.ledger.read(person.userId, service.clock.now()),
    isRecorded: service.ledger.isRecorded,
    catalogue: service.catalogue,
    csrfToken: service.sessions.csrfToken(bindingOf(person)),
    notice,
    now: service.clock.now(),
  });
}

function bindingOf({ browserBinding, token }: SignedInPerson): FormBinding {
  return { browserBinding, purpose: 'grants', session: token };
}
