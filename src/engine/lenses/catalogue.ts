/** The three lenses, by what a projection says (L5). */
import { at } from './at.js';
import type { Extraction, Projection } from './lens.js';
import { pick } from './pick.js';
import { pluck } from './pluck.js';

/** The extraction that a projection asks for. Exhaustive over the lenses: a new one is a compile error here. */
export function toExtraction(projection: Projection): Extraction {
  switch (projection.lens) {
    case 'pluck':
      return pluck;
    case 'pick':
      return pick(projection.fields);
    case 'at':
      return at(projection.index);
  }
}
