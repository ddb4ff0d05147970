/** All fuzz targets, in the order in which the fuzzer alternates between them. */
import type { FuzzTarget } from './fuzz-target.js';
import { bodies } from './targets/bodies.js';
import { http } from './targets/http.js';
import { queries } from './targets/queries.js';
import { store } from './targets/store.js';
import { tokens } from './targets/tokens.js';
import { wire } from './targets/wire.js';

export const TARGETS: readonly FuzzTarget[] = [http, wire, bodies, tokens, queries, store];
