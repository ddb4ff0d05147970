/** `/people`: for the administrator, lists people, exports what is held about one, and erases one (S329–S331). */
import { assertAdministrator } from '../callers.js';
import { parseForm } from '../parameters/body.js';
import { validateParameters } from '../parameters/validate-request.js';
import { toPersonalDataBody, toPersonBody } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

const DEFAULT_LIMIT = 100;

export const people: Route = {
  operations: {
    GET: {
      id: 'listPeople',
      summary: 'List people.',
      caller: 'administrator',
      parameters: 'PersonListParameters',
      responses: ['PersonList'],
    },
  },
  path: `${BASE_PATH}/people`,
  crossOrigin: 'none',
  handle: async (context) => {
    await assertAdministrator(context);
    const { after = '', limit = DEFAULT_LIMIT } = validateParameters(
      'PersonListParameters',
      parseForm(context.target.query),
    );
    const page = await context.service.personalData.listPeople(after, limit);
    return json({
      people: page.map(toPersonBody),
      next: page.length < limit ? undefined : page.at(-1)?.id,
    });
  },
};

export const person: Route = {
  operations: {
    GET: {
      id: 'exportPerson',
      summary: 'Export everything that is held about a person.',
      caller: 'administrator',
      pathParameter: 'The id or name of a person, or `email|…` or `wallet|…`.',
      responses: ['PersonExport'],
      errors: ['not_found'],
    },
    DELETE: {
      id: 'erasePerson',
      summary: 'Erase a person with their credentials, grants, tokens and accounts, permanently.',
      caller: 'administrator',
      pathParameter: 'The id or name of a person, or `email|…` or `wallet|…`.',
      responses: ['ErasureResult'],
      errors: ['not_found'],
    },
  },
  path: `${BASE_PATH}/people/{person}`,
  crossOrigin: 'none',
  handle: async (context) => {
    await assertAdministrator(context);
    const { personalData } = context.service;
    if (context.request.method === 'DELETE') {
      const erased = await personalData.eraseSelected(context.pathParameter);
      const { personId: id, credentials, grants } = erased;
      return json({ erased: true, id, credentials, grants });
    }
    const { id } = await personalData.find(context.pathParameter);
    return json(toPersonalDataBody(await personalData.export(id, 'by_administrator')));
  },
};
