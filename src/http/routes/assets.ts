/** `GET /assets/{file}`: stylesheets, scripts and drawings of the pages (S64). */
import { ServiceError } from '../../service/index.js';
import { ASSETS_PATH, findAsset } from '../pages/assets.js';
import { queryStringOf, type Route } from './route.js';

export const assets: Route = {
  operations: {
    GET: {
      id: 'readAsset',
      summary: 'A stylesheet, a script or a drawing of the pages.',
      caller: 'anyone',
      segment: 'The name of the file.',
      answers: ['asset'],
      errors: ['not_found'],
    },
  },
  path: `${ASSETS_PATH}/{file}`,
  crossOrigin: 'none',
  answer: async (request, _service, { playground }, name) => {
    const [, version] = /^v=([\w-]+)$/.exec(queryStringOf(request)) ?? [];
    const built = playground?.assets.get(name);
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
