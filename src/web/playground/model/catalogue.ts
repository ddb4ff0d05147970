/** The catalogue of the playground: the default catalogue, or the user's own in the format of the service. */

import { CatalogueError } from '../../../engine/catalogue/catalogue-problems.js';
import { parseCatalogue } from '../../../engine/catalogue/parse-catalogue.js';
import { type CatalogueClaim, DEFAULT_CLAIMS, type RegexEngine } from '../../../engine/index.js';
import {
  createServiceCatalogue,
  type ServiceCatalogue,
} from '../../../service/catalogue/service-catalogue.js';
import { readJsonText } from '../../../util/json-text.js';
import { withoutSchema } from '../../../util/without-schema.js';
import type { Note } from './evaluate.js';
import { toReadableJson } from './format-json.js';

/** A parsed catalogue, or all problems. */
export interface ParsedCatalogue {
  readonly catalogue?: ServiceCatalogue;
  readonly notes: readonly Note[];
}

/** The default catalogue. */
export const DEFAULT: ServiceCatalogue = createServiceCatalogue();

/** A small catalogue to start with. */
export const EXAMPLE_CATALOGUE: string = toReadableJson({
  extends: 'default',
  scopes: [
    {
      name: 'member:read',
      category: 'member',
      sensitivity: 'low',
      display_name: 'Your membership',
      description: 'Your level and your points.',
    },
  ],
  claims: [
    {
      path: 'member.level',
      type: 'enum',
      values: ['gold', 'silver', 'bronze'],
      scope: 'member:read',
      sensitivity: 'low',
      description: 'The level of the membership.',
    },
    {
      path: 'member.points',
      type: 'integer',
      scope: 'member:read',
      sensitivity: 'low',
      description: 'The points collected.',
    },
  ],
});

/** Parses a catalogue. Never throws. */
export function readCatalogue(text: string, regex: RegexEngine): ParsedCatalogue {
  const json = readJsonText(text);
  if (json.problem !== undefined) return { notes: [{ ...json.problem, severity: 'error' }] };
  try {
    return {
      catalogue: createServiceCatalogue(parseCatalogue(withoutSchema(json.value), { regex })),
      notes: [],
    };
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    const notes = error.problems.map(({ code, pointer, message }): Note => {
      const span = code === 'member_unknown' ? json.nameOf(pointer) : json.spanOf(pointer);
      return { span, message, severity: 'error' };
    });
    return { notes };
  }
}

const DEFAULT_PATHS: ReadonlySet<string> = new Set(DEFAULT_CLAIMS.map(({ path }) => path));

/** Lists the claims that the default catalogue does not have. */
export function addedClaims({ definition }: ServiceCatalogue): readonly CatalogueClaim[] {
  return definition.claims.filter(({ path }) => !DEFAULT_PATHS.has(path));
}
