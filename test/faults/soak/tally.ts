/** Outcomes of the requests of a soak test: durations, failures, and whether an injected fault explains them. */

/** The time from the start of a fault until the service responds again. */
interface FaultWindow {
  readonly from: number;
  to: number;
}

export interface Tally {
  /** Counts a response, with the time since its request was due. */
  readonly answered: (dueAt: number, endedAt: number) => void;
  /** Counts a request without a response, or with a 503. */
  readonly failed: (why: string, dueAt: number, endedAt: number) => void;
  readonly wrong: (what: string) => void;
  readonly hung: (what: string) => void;
  /** Opens a fault window. @returns A function that closes it. */
  readonly openFaultWindow: () => () => void;
  readonly requests: () => number;
  readonly summary: (title: string) => TallySummary;
}

export interface TallySummary {
  readonly text: string;
  readonly violations: readonly string[];
}

/** Maximum share of failed requests outside of fault windows. */
const ERROR_BUDGET = 0.001;
/** Grace period after the service responds again, for requests that started before. */
const SETTLE_MS = 1_000;
const MAX_LISTED = 5;

export function createTally(): Tally {
  const windows: FaultWindow[] = [];
  const calm: number[] = [];
  const duringFaults: number[] = [];
  const explained = new Map<string, number>();
  const unexplained = new Map<string, number>();
  const wrong: string[] = [];
  const hung: string[] = [];
  const inWindow = (from: number, to: number) => windows.some((one) => from <= one.to && to >= one.from);
  const count = (counts: Map<string, number>, why: string) => counts.set(why, (counts.get(why) ?? 0) + 1);
  const total = (counts: Map<string, number>) => [...counts.values()].reduce((sum, one) => sum + one, 0);
  return {
    answered: (dueAt, endedAt) => (inWindow(dueAt, endedAt) ? duringFaults : calm).push(endedAt - dueAt),
    failed: (why, dueAt, endedAt) => count(inWindow(dueAt, endedAt) ? explained : unexplained, why),
    wrong: (what) => wrong.push(what),
    hung: (what) => hung.push(what),
    openFaultWindow: () => {
      const window = { from: performance.now(), to: Number.POSITIVE_INFINITY };
      windows.push(window);
      return () => {
        window.to = performance.now() + SETTLE_MS;
      };
    },
    requests: () => calm.length + duringFaults.length + total(explained) + total(unexplained),
    summary: (title) => {
      const [failures, outside] = [total(unexplained), calm.length + total(unexplained)];
      const share = outside === 0 ? 1 : failures / outside;
      const spent = ((100 * share) / ERROR_BUDGET).toFixed(1);
      const lines = [
        `${title}: ${calm.length + duringFaults.length} responses, ${wrong.length} wrong, ${hung.length} requests hung`,
        `  error budget: ${failures} of ${outside} requests failed outside of store restarts, which is ${spent} % of the budget of ${100 * ERROR_BUDGET} %${listed(unexplained)}`,
        `  during store restarts: ${total(explained)} of ${duringFaults.length + total(explained)} were answered with 503 or cut off${listed(explained)}`,
        `  latency in ms since a request was due: ${percentiles(calm)}`,
        ...(duringFaults.length === 0
          ? []
          : [`  latency during store restarts: ${percentiles(duringFaults)}`]),
      ];
      const violations = [
        ...wrong.slice(0, MAX_LISTED).map((what) => `wrong: ${what}`),
        ...hung.slice(0, MAX_LISTED).map((what) => `hung: ${what}`),
        ...(share > ERROR_BUDGET ? [`the error budget is exceeded: ${failures} of ${outside}`] : []),
        ...(calm.length === 0 ? ['no request was answered'] : []),
      ];
      return { text: lines.join('\n'), violations };
    },
  };
}

function listed(counts: ReadonlyMap<string, number>): string {
  return counts.size === 0 ? '' : ` (${[...counts].map(([why, count]) => `${why} × ${count}`).join(', ')})`;
}

function percentiles(times: readonly number[]): string {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);
  return `p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, longest ${at(1)}`;
}
