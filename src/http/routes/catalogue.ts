/** Every route, in one table: the router reads it. */
import { queriesEvaluate } from './queries-evaluate.js';
import type { Route } from './route.js';

export const ROUTES: readonly Route[] = [queriesEvaluate];
