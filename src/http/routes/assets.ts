/** `GET /assets/{file}` and `/playground`: stylesheets, scripts and drawings of the pages, and the playground (S64). */
import { ServiceError } from '../../service/index.js';
import { ASSETS_PATH, findAsset } from '../pages/assets.js';
import { pageHeaders } from '../pages/page.js';
import type { Route } from './route.js';

export const assets: Route = {
  operations: {
    GET: {
      id: 'readAsset',
      summary: 'A stylesheet, a script or a drawing of the pages.',
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
      // Under its version an asset never changes; under its bare name it may be another after an upgrade.
      'Cache-Control': asset.current ? 'public, max-age=31536000, immutable' : 'no-cache',
      'Cross-Origin-Resource-Policy': 'same-origin',
    };
    return { kind: 'asset', type: asset.type, headers, text: asset.text };
  },
};

export const playground: Route = {
  operations: {
    GET: {
      id: 'readPlayground',
      summary:
        'The page on which one tries policies on made-up people; nothing that is written there is sent.',
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
