/** Which routes stand at a path. */
import type { Route } from './route.js';

/** A route, and what stands in the place of its path's `{…}`. */
export interface RouteMatch {
  readonly route: Route;
  /** Decoded; empty where the path has no such place. */
  readonly segment: string;
}

/** Finds the routes at a path: a path of its own comes before one with a place in it. Never throws. */
export type RouteFinder = (path: string) => readonly RouteMatch[];

const PLACE = /\{[a-z_]+\}$/;

/** A finder of these routes. */
export function createRouteFinder(routes: readonly Route[]): RouteFinder {
  const exact = new Map<string, RouteMatch[]>();
  const placed: { readonly start: string; readonly route: Route }[] = [];
  for (const route of routes) {
    const start = route.path.replace(PLACE, '');
    if (start !== route.path) placed.push({ start, route });
    exact.set(route.path, [...(exact.get(route.path) ?? []), { route, segment: '' }]);
  }
  return (path) =>
    exact.get(path) ??
    placed.flatMap(({ start, route }) => {
      if (!path.startsWith(start)) return [];
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
