/** Which routes stand at a path. */
import type { Route } from './route.js';

/** A route, and what stands in the place of its path's `{…}`. */
export interface RouteMatch {
  readonly route: Route;
  /** Decoded; empty where the path has no such place. */
  readonly segment: string;
}

const PLACE = /\{[a-z_]+\}$/;

/** The routes at a path: a path of its own comes before one with a place in it. Never throws. */
export function findRoutes(path: string, routes: readonly Route[]): readonly RouteMatch[] {
  const exact = routes.filter((route) => route.path === path);
  if (exact.length > 0) return exact.map((route) => ({ route, segment: '' }));
  return routes.flatMap((route) => {
    const start = route.path.replace(PLACE, '');
    if (start === route.path || !path.startsWith(start)) return [];
    const segment = path.slice(start.length);
    return segment === '' || segment.includes('/') ? [] : [{ route, segment: decode(segment) }];
  });
}

/** What is no percent-encoded UTF-8, or holds U+0000, which no store keeps (S35), names nothing, as it stands. */
function decode(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment);
    return decoded.includes('\0') ? segment : decoded;
  } catch {
    return segment;
  }
}
