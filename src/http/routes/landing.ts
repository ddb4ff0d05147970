/** `GET /`: the page that describes the service to a person who opens its address in a browser. */
import { ServiceError } from '../../service/index.js';
import { landingPage } from '../pages/landing-page.js';
import { languageOf } from '../person-language.js';
import type { Route } from './route.js';

const HTML = /\btext\/html\b/i;

export const landing: Route = {
  operations: {
    GET: {
      id: 'showLandingPage',
      summary:
        'The landing page, for browsers: a request whose `Accept` does not name `text/html` gets a 404.',
      caller: 'anyone',
      responses: ['page'],
      errors: ['not_found'],
    },
  },
  path: '/',
  crossOrigin: 'none',
  handle: async (context) => {
    const { request, service, deployment } = context;
    if (!HTML.test(request.headers.accept ?? '')) throw new ServiceError('not_found');
    return landingPage({
      language: languageOf(context),
      isSandbox: service.environment.seeded,
      hasPlayground: deployment.playground !== undefined,
    });
  },
};
