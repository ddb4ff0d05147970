/** `GET /assets/{file}` and `/playground`: stylesheets, scripts and images of the pages, and the playground (S64). */
import { ServiceError } from '../../service/index.js';
import { ASSETS_PATH, findAsset } from '../pages/assets.js';
import { pageHeaders } from '../pages/page.js';
import type { Route } from './route.js';

export const assets: Route = {
  operations: {
    GET: {
      id: 'readAsset',
      summary: 'Get a stylesheet, script or image of the pages.',
      caller: 'anyone',
      pathParameter: 'The name of the file.',
      responses: ['asset'],
      errors: ['not_found'],
    },
  },
  path: `${ASSETS_PATH}/{file}`,
  crossOrigin: 'none',
  handle: async ({ target, deployment, pathParameter: name }) => {
    const [, version] = /^v=([\w-]+)$/.exec(target.query) ?? [];
    const built = deployment.playground?.assets.get(name);
    const asset = findAsset(name, version) ?? (built === undefined ? undefined : { ...built, current: true });
    if (asset === undefined) throw new ServiceError('not_found');
    const headers = {
      // Immutable only if the URL contains a digest of the content: in the query or, for the playground, in the name.
      'Cache-Control': asset.current ? 'public, max-age=31536000, immutable' : 'no-cache',
      'Cross-Origin-Resource-Policy': 'same-origin',
    };
    return { kind: 'text', type: `${asset.type}; charset=utf-8`, headers, text: asset.text };
  },
};

export const playground: Route = {
  operations: {
    GET: {
      id: 'readPlayground',
      summary: 'The playground: a page to try policies on sample people. It sends no input to the service.',
      caller: 'anyone',
      responses: ['page'],
      errors: ['not_found'],
    },
  },
  path: '/playground',
  crossOrigin: 'none',
  page: true,
  handle: async ({ deployment: { playground: files } }) => {
    if (files === undefined) throw new ServiceError('not_found');
    return { kind: 'page', status: 200, headers: pageHeaders(), html: files.page };
  },
};
