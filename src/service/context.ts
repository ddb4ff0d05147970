/** What every use case works with: ports, settings, catalogue, identifiers. */
import type { ScopeCatalogue } from '../engine/index.js';
import type { Environment } from './environment.js';
import type { Ports } from './ports/ports.js';
import type { Settings } from './settings.js';
import type { PairwiseIdentifiers } from './subjects/pairwise-identifiers.js';

export interface ServiceContext extends Ports {
  readonly environment: Environment;
  readonly settings: Settings;
  readonly catalogue: ScopeCatalogue;
  readonly identifiers: PairwiseIdentifiers;
}
