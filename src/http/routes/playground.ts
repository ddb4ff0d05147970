/** `GET /playground`: policies and people to try the language on, in the browser alone (S64). */
import { ServiceError } from '../../service/index.js';
import { pageHeaders } from '../pages/page.js';
import type { Route } from './route.js';

export const playground: Route = {
  operations: {
    GET: {
      id: 'readPlayground',
      summary:
        'The page on which one tries policies on made-up people; nothing that is written there is sent.',
      caller: 'anyone',
      answers: ['page'],
      errors: ['not_found'],
    },
  },
  path: '/playground',
  crossOrigin: 'none',
  page: true,
  answer: async (_request, _service, { playground: files }) => {
    if (files === undefined) throw new ServiceError('not_found');
    return { kind: 'page', status: 200, headers: pageHeaders(), html: files.page };
  },
};
