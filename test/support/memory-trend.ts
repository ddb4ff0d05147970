/** Detects memory growth by a linear fit through measurements after forced garbage collections. */
import type { HeldMemory } from './watched-service.js';

interface Checkpoint extends HeldMemory {
  readonly atMs: number;
}

export interface MemoryTrend {
  readonly add: (memory: HeldMemory, atMs: number) => void;
  readonly assess: () => MemoryAssessment;
}

export interface MemoryAssessment {
  /** A summary with the numbers. */
  readonly text: string;
  readonly isGrowing: boolean;
  /** Whether there were enough checkpoints, over enough time. */
  readonly isConclusive: boolean;
}

/** The share of checkpoints, from the first, that are ignored: bounded caches are still filling up. */
const WARM_UP_SHARE = 1 / 3;
/** Minimum checkpoints and time for a slope. */
const LEAST_CHECKPOINTS = 6;
const LEAST_MINUTES = 3;
/** In MB per minute. The limit of `rss` is looser, since V8 returns memory to the system with delay. */
const MAX_SLOPE = { heapUsed: 0.5, rss: 4 } as const;
const MEGABYTE = 1_048_576;
const MINUTE_MS = 60_000;

export function createMemoryTrend(): MemoryTrend {
  const checkpoints: Checkpoint[] = [];
  return {
    add: ({ heapUsed, rss }, atMs) => checkpoints.push({ heapUsed, rss, atMs }),
    assess: () => assess(checkpoints),
  };
}

function assess(all: readonly Checkpoint[]): MemoryAssessment {
  const late = all.slice(Math.floor(all.length * WARM_UP_SHARE));
  const [first, last] = [late[0], late.at(-1)];
  if (first === undefined || last === undefined)
    return { text: 'no checkpoint', isGrowing: false, isConclusive: false };
  const minutes = (last.atMs - first.atMs) / MINUTE_MS;
  const ends = `heap ${megabytes(first.heapUsed)} → ${megabytes(last.heapUsed)} MB, rss ${megabytes(first.rss)} → ${megabytes(last.rss)} MB`;
  if (late.length < LEAST_CHECKPOINTS || minutes < LEAST_MINUTES) {
    return {
      text: `${ends} (${late.length} checkpoints in ${minutes.toFixed(1)} min: not enough)`,
      isGrowing: false,
      isConclusive: false,
    };
  }
  const slopes = { heapUsed: slopeOf(late, 'heapUsed'), rss: slopeOf(late, 'rss') };
  const isGrowing = slopes.heapUsed > MAX_SLOPE.heapUsed || slopes.rss > MAX_SLOPE.rss;
  const text = `${ends}; slope of heap ${slopes.heapUsed.toFixed(2)} MB per minute (at most ${MAX_SLOPE.heapUsed}), of rss ${slopes.rss.toFixed(2)} (at most ${MAX_SLOPE.rss}), over ${late.length} checkpoints in ${minutes.toFixed(1)} min`;
  return { text, isGrowing, isConclusive: true };
}

/** Returns the slope of the least-squares line, in MB per minute. */
function slopeOf(checkpoints: readonly Checkpoint[], measure: keyof HeldMemory): number {
  const points = checkpoints.map((one) => ({ x: one.atMs / MINUTE_MS, y: one[measure] / MEGABYTE }));
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  const spread = mean(({ x }) => (x - meanX) ** 2);
  return spread === 0 ? 0 : mean(({ x, y }) => (x - meanX) * (y - meanY)) / spread;
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}
