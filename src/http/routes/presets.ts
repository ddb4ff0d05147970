/** `GET /presets`, `GET /presets/{name}` and `POST /presets/batch`: predefined queries for single claims, by name. */
import { type PresetOutcome, ServiceError } from '../../service/index.js';
import { authenticateBearer } from '../callers.js';
import { toErrorBody } from '../errors.js';
import { MAX_PARAMETERS, parseJsonObject, readJsonText } from '../parameters/body.js';
import { validateRequest } from '../parameters/validate-request.js';
import { toPresetBody } from '../wire.js';
import { BASE_PATH, json, type Route } from './route.js';

export const presets: Route = {
  operations: {
    GET: {
      id: 'listPresets',
      summary: 'List the presets.',
      caller: 'anyone',
      responses: ['PresetList'],
    },
  },
  path: `${BASE_PATH}/presets`,
  crossOrigin: 'registered',
  handle: async ({ service }) =>
    json({ presets: service.catalogue.presets.map(({ claim: _claim, ...descriptor }) => descriptor) }),
};

export const preset: Route = {
  operations: {
    GET: {
      id: 'readPreset',
      summary: 'Resolve a preset for the person.',
      caller: 'bearer',
      pathParameter: 'The name of a preset.',
      responses: ['PresetResult'],
      errors: [
        'insufficient_scope',
        'evidence_limited',
        'preset_not_found',
        'preset_unavailable',
        'preset_expired',
      ],
    },
  },
  path: `${BASE_PATH}/presets/{name}`,
  crossOrigin: 'registered',
  handle: async (context) => {
    const grant = await authenticateBearer(context);
    const [outcome] = await context.service.queries.resolvePresets(
      [context.pathParameter],
      grant,
      context.meter,
    );
    if (outcome === undefined) throw new ServiceError('preset_not_found');
    if ('error' in outcome) throw outcome.error;
    return json(toPresetBody(outcome.result));
  },
};

export const presetsBatch: Route = {
  operations: {
    POST: {
      id: 'readPresets',
      summary: 'Resolve several presets for the person; returns results and errors per preset.',
      caller: 'bearer',
      body: { schema: 'PresetBatchRequest', form: false },
      responses: ['PresetBatchResult'],
    },
  },
  path: `${BASE_PATH}/presets/batch`,
  crossOrigin: 'registered',
  handle: async (context) => {
    const grant = await authenticateBearer(context);
    const { meter } = context;
    const text = await readJsonText(context);
    const { presets: names, evidence } = meter.measure(() =>
      validateRequest('PresetBatchRequest', parseJsonObject(text, MAX_PARAMETERS)),
    );
    const outcomes = await context.service.queries.resolvePresets(names, grant, meter, evidence);
    return json({
      results: outcomes.flatMap((one) => ('result' in one ? [toPresetBody(one.result)] : [])),
      errors: outcomes.flatMap(toErrorEntry),
    });
  },
};

function toErrorEntry(outcome: PresetOutcome): readonly Readonly<Record<string, unknown>>[] {
  return 'error' in outcome ? [{ preset: outcome.preset, error: toErrorBody(outcome.error) }] : [];
}
