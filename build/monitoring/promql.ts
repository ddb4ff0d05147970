/** PromQL over the list of metrics: a name that is not in the list does not compile. */
import type { LabelOf, MetricName, MetricsOf, ProcessMetricName } from '../../src/telemetry/metrics.js';

/** A metric that a process exposes under exactly this name. */
type PlainName = Exclude<MetricName, MetricsOf<'histogram'>> | ProcessMetricName;

/** Label matchers of an expression, such as `status=~"5.."`. */
type Matchers = readonly string[];

/** Returns a matcher of a label of a metric. */
export function matcher<Name extends MetricName>(
  _name: Name,
  label: LabelOf<Name>,
  operator: '=' | '=~' | '!=' | '!~',
  value: string,
): string {
  return `${label}${operator}"${value}"`;
}

export function select(name: PlainName, ...matchers: Matchers): string {
  return series(name, matchers);
}

/** Returns the increase per second of a counter. */
export function rate(
  name: MetricsOf<'counter'> | ProcessMetricName,
  window: string,
  ...matchers: Matchers
): string {
  return `rate(${series(name, matchers)}[${window}])`;
}

/** Returns the increase of a counter over a window. */
export function increase(name: MetricsOf<'counter'>, window: string, ...matchers: Matchers): string {
  return `increase(${series(name, matchers)}[${window}])`;
}

/** Returns the observations per second of a histogram. */
export function countRate(name: MetricsOf<'histogram'>, window: string, ...matchers: Matchers): string {
  return `rate(${series(`${name}_count`, matchers)}[${window}])`;
}

/** Returns a quantile of a histogram. @param by - Labels to keep. */
export function quantile(
  share: number,
  name: MetricsOf<'histogram'>,
  window: string,
  { by, matchers = [] }: { readonly by: readonly string[]; readonly matchers?: Matchers },
): string {
  const buckets = `rate(${series(`${name}_bucket`, matchers)}[${window}])`;
  return `histogram_quantile(${share}, ${sumBy([...by, 'le'], buckets)})`;
}

export function sumBy(labels: readonly string[], expression: string): string {
  return labels.length === 0 ? `sum(${expression})` : `sum by (${labels.join(', ')}) (${expression})`;
}

/** Returns `part / (part + rest)` for the rates of two counters. */
export function shareOf(
  part: MetricsOf<'counter'>,
  rest: MetricsOf<'counter'>,
  window: string,
  ...matchers: Matchers
): string {
  const [parts, others] = [part, rest].map((name) => `sum(${rate(name, window, ...matchers)})`);
  return `${parts} / (${parts} + ${others})`;
}

function series(name: string, matchers: Matchers): string {
  return matchers.length === 0 ? name : `${name}{${matchers.join(', ')}}`;
}
