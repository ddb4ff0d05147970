/** `/consent`: where a person decides, in the browser that was sent here (S57, S60, S63–S67). */

import type { IncomingMessage } from 'node:http';
import { type AuthorizationDetail, type Service, ServiceError } from '../../service/index.js';
import { assertSameOrigin, knownBrowser } from '../browser.js';
import { consentPage, SCOPE_FIELD_PREFIX } from '../pages/consent-page.js';
import { readForm } from '../parameters/body.js';
import { parseForm } from '../parameters/form.js';
import { redirectWithCode, redirectWithError } from '../redirect.js';
import type { Answer, Route } from './route.js';

export const consent: Route = {
  operations: {
    GET: {
      id: 'showConsent',
      summary: 'The page where a person decides.',
      caller: 'anyone',
      parameters: 'ContextParameters',
      answers: ['page'],
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

async function show(request: IncomingMessage, service: Service): Promise<Answer> {
  const [, query = ''] = (request.url ?? '').split('?', 2);
  const id = parseForm(query).get('authorization_id') ?? '';
  const { detail, browserKey } = await begunHere(id, request, service);
  return await pageOf(detail, browserKey, service);
}

async function decide(request: IncomingMessage, service: Service): Promise<Answer> {
  assertSameOrigin(request, service);
  const form = await readForm(request);
  const id = form.get('authorization_id') ?? '';
  const { detail, browserKey } = await begunHere(id, request, service);
  if (!service.isFormProof(form.get('proof'), browserKey, id)) throw new ServiceError('access_denied');
  switch (form.get('action')) {
    case 'palm':
      await service.recordPalmVerification(id);
      return await pageOf(await service.readAuthorization(id), browserKey, service);
    case 'deny': {
      const { authorization } = await service.deny(id);
      return redirectWithError('access_denied', authorization.redirectUri, authorization.state, service);
    }
    case 'approve': {
      const { requestedScopes } = detail.authorization;
      const ticked = requestedScopes.filter((scope) => form.has(`${SCOPE_FIELD_PREFIX}${scope}`));
      const { authorization, code } = await service.approve(id, form.get('person'), ticked);
      return redirectWithCode(code, authorization, service);
    }
    default:
      throw new ServiceError('malformed_body');
  }
}

/** The authorization, for the browser that began it and for no other. */
async function begunHere(
  id: string,
  request: IncomingMessage,
  service: Service,
): Promise<{ readonly detail: AuthorizationDetail; readonly browserKey: string }> {
  const browserKey = knownBrowser(request, service);
  const detail = await service.readAuthorization(id);
  if (browserKey === undefined || !service.isBegunBy(detail.authorization, browserKey)) {
    throw new ServiceError('not_found');
  }
  return { detail, browserKey };
}

async function pageOf(detail: AuthorizationDetail, browserKey: string, service: Service): Promise<Answer> {
  const { id, status } = detail.authorization;
  if (status !== 'pending_admin') throw new ServiceError('invalid_transition', { status });
  const people = await service.listPeople();
  return consentPage({
    ...detail,
    catalogue: service.catalogue,
    people,
    proof: service.formProof(browserKey, id),
  });
}
